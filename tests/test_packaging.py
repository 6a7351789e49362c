"""What is installed is what the tree holds: by wheel, by sdist and in place."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

import topomem

PROBE = """
from importlib import resources
import topomem.store, topomem.grammars
names = sorted(p.name for p in resources.files("topomem.grammars").iterdir() if p.is_dir()
               and not p.name.startswith("__"))
found = [n for n in names
         if resources.files("topomem.grammars").joinpath(n, "language.toml").is_file()]
schema = sorted(p.name for p in resources.files("topomem.store").joinpath("schema").iterdir())
typed = resources.files("topomem").joinpath("py.typed").is_file()
print(" ".join(found), " ".join(schema), typed, sep="|")
"""


def project(root: Path) -> dict[str, object]:
    return tomllib.loads((root / "pyproject.toml").read_text("utf-8"))


def languages(root: Path) -> list[str]:
    return sorted(spec.parent.name for spec in (root / "grammars").glob("*/language.toml"))


def python(*words: str | Path, cwd: Path) -> str:
    done = subprocess.run(
        [sys.executable, *words], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_list_of_packages_is_the_tree(root: Path) -> None:
    listed = project(root)["tool"]["setuptools"]["packages"]  # type: ignore[index]
    tree = {
        ".".join(init.parent.relative_to(root).parts)
        for init in (root / "topomem").rglob("__init__.py")
    }
    assert sorted(listed) == sorted(tree | {"topomem.grammars"})


def test_the_version_is_said_once_more_and_equal(root: Path) -> None:
    assert project(root)["project"]["version"] == topomem.__version__  # type: ignore[index]


def test_pinned_versions_satisfy_what_is_asked_for(root: Path) -> None:
    from packaging.requirements import Requirement

    pinned = dict(
        line.split("==")
        for name in ("requirements.lock", "requirements-dev.lock")
        for line in (root / name).read_text("utf-8").splitlines()
        if "==" in line
    )
    content = project(root)
    wanted = [*content["project"]["dependencies"], *content["dependency-groups"]["dev"]]  # type: ignore[index]
    for requirement in map(Requirement, wanted):
        assert requirement.specifier.contains(pinned[requirement.name.lower()]), requirement


def copy_of(root: Path, folder: Path) -> Path:
    """Return a copy of the checkout's tracked and new files: a build leaves its traces there."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        check=True,
    ).stdout.decode()
    for name in filter(None, listed.split("\0")):
        if (root / name).is_file():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((root / name).read_bytes())
    return folder


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build sdist, then the wheel from it; return the folder that holds both."""
    checkout = Path(__file__).resolve().parent.parent
    source = copy_of(checkout, tmp_path_factory.mktemp("source"))
    python("-m", "build", "--no-isolation", "--outdir", source / "dist", cwd=source)
    return source / "dist"


@pytest.mark.slow
def test_sdist_holds_grammars_and_tests(root: Path, built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        names = {name.split("/", 1)[-1] for name in archive.getnames()}
    assert {f"grammars/{name}/language.toml" for name in languages(root)} <= names
    assert {"LICENSE", "README.md", "pyproject.toml"} <= names


@pytest.mark.slow
def test_wheel_finds_everything_where_it_is_unpacked(root: Path, built: Path) -> None:
    site = built.parent / "site"
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        wheel.extractall(site)  # noqa: S202 - made a moment ago
    path = f"import sys; sys.path.insert(0, {str(site)!r}); import topomem; "
    check = path + f"assert topomem.__file__.startswith({str(site)!r}), topomem.__file__\n"
    assert python("-c", check + PROBE, cwd=site).split("|")[0].split() == languages(root)


@pytest.mark.slow
def test_install_in_place_finds_everything(root: Path, tmp_path: Path) -> None:
    source = copy_of(root, tmp_path / "source")
    site = tmp_path / "site"
    python(
        *("-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"),
        *("--target", site, "--editable", source),
        cwd=source,
    )
    path = f"import site; site.addsitedir({str(site)!r}); import topomem; "
    check = path + f"assert topomem.__file__.startswith({str(source)!r}), topomem.__file__\n"
    out = python("-S", "-c", check + PROBE, cwd=tmp_path).strip().split("|")
    assert out[0].split() == languages(root)
    assert "0001_derived.sql" in out[1]
    assert out[2] == "True"
