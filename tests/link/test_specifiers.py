"""Where imports by path, alias and package lead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topomem.link.json_text import read_object
from topomem.link.strategies.file_paths.specifiers import resolve_specifier
from topomem.model.ids import FilePath


class Files:
    """A snapshot of sources without content and of configuration texts."""

    def __init__(self, sources: Sequence[str], configs: Mapping[str, str]) -> None:
        self.sources = set(sources)
        self.configs = dict(configs)
        self.asked: list[str] = []

    def first_of(self, paths: Sequence[str]) -> FilePath | None:
        self.asked += paths
        return next((FilePath(path) for path in paths if path in self.sources), None)

    def has_config(self, path: str) -> bool:
        return path in self.configs

    def field(self, path: str, key: str) -> Any:
        return read_object(self.configs.get(path)).get(key)

    def packages(self, name: str) -> Sequence[FilePath]:
        return [
            FilePath(path)
            for path, text in sorted(self.configs.items())
            if path.endswith("package.json") and read_object(text).get("name") == name
        ]


def check(
    specifier: str,
    expected: str | None,
    *,
    importer: str = "src/app.ts",
    sources: Sequence[str] = (),
    configs: Mapping[str, str] | None = None,
) -> None:
    files = Files([importer, *sources], configs or {})
    assert resolve_specifier(FilePath(importer), specifier, files) == expected


@pytest.mark.parametrize(
    ("specifier", "sources", "expected"),
    [
        ("./a", ["src/a.ts", "src/a.js"], "src/a.ts"),
        ("./a", ["src/a.d.ts", "src/a.js"], "src/a.d.ts"),
        ("./a.js", ["src/a.ts"], "src/a.ts"),
        ("./a.js", ["src/a.js"], "src/a.js"),
        ("./a.jsx", ["src/a.tsx"], "src/a.tsx"),
        ("./a.mjs", ["src/a.mts"], "src/a.mts"),
        ("./a.ts", ["src/a.ts"], "src/a.ts"),
        ("./a.service", ["src/a.service.ts"], "src/a.service.ts"),
        ("./lib", ["src/lib/index.tsx"], "src/lib/index.tsx"),
        ("./lib", ["src/lib.ts", "src/lib/index.ts"], "src/lib.ts"),
        ("./lib/", ["src/lib.ts", "src/lib/index.ts"], "src/lib/index.ts"),
        ("..", ["index.ts"], "index.ts"),
        (".", ["src/index.ts"], "src/index.ts"),
        ("../../outside", ["outside.ts"], None),
        ("./missing", ["missing.ts"], None),
        ("./data.json", ["src/data.ts"], None),
        ("./worker?worker", ["src/worker.ts"], "src/worker.ts"),
    ],
)
def test_relative_paths(specifier: str, sources: list[str], expected: str | None) -> None:
    check(specifier, expected, sources=sources)


@pytest.mark.parametrize("specifier", ["node:fs", "fs", "react", "@scope/x", "rxjs/operators", ""])
def test_packages_that_are_not_here_are_outside(specifier: str) -> None:
    check(specifier, None, sources=["src/fs.ts", "src/react.ts", "scope/x.ts", "rxjs/operators.ts"])


ALIASES = """\ufeff{
  // where "@/..." leads
  "compilerOptions": {
    "baseUrl": ".", /* this folder */
    "paths": {
      "@/*": ["./src/*",],
      "@engine": ["src/impl/engine_v2.ts"],
      "@/special/*": ["generated/*"],
    },
  },
}
"""


@pytest.mark.parametrize(
    ("specifier", "expected"),
    [
        ("@/lib/text", "web/src/lib/text.ts"),
        ("@engine", "web/src/impl/engine_v2.ts"),
        ("@/special/x", "web/generated/x.ts"),
        ("src/lib/text", "web/src/lib/text.ts"),
        ("@scope/x", None),
        ("text", None),
    ],
)
def test_aliases_of_the_compiler(specifier: str, expected: str | None) -> None:
    check(
        specifier,
        expected,
        importer="web/src/pages/home.tsx",
        sources=[
            "web/src/lib/text.ts",
            "web/src/impl/engine_v2.ts",
            "web/generated/x.ts",
            "old/engine.ts",
            "text.ts",
        ],
        configs={"web/tsconfig.json": ALIASES},
    )


def test_aliases_are_inherited_from_the_file_that_wrote_them() -> None:
    check(
        "~/a",
        "shared/a.ts",
        importer="apps/web/src/app.ts",
        sources=["shared/a.ts", "apps/web/shared/a.ts"],
        configs={
            "apps/web/tsconfig.json": '{"extends": ["../../config/base"]}',
            "config/base.json": '{"compilerOptions": {"paths": {"~/*": ["../shared/*"]}}}',
        },
    )


def test_configurations_that_extend_each_other_end() -> None:
    check(
        "~/a",
        None,
        configs={
            "tsconfig.json": '{"extends": "./other.json"}',
            "other.json": '{"extends": "./tsconfig.json"}',
        },
    )


def test_aliases_of_a_configuration_that_is_referred_to() -> None:
    check(
        "@/a",
        "src/a.ts",
        sources=["src/a.ts"],
        configs={
            "tsconfig.json": '{"files": [], "references": [{"path": "./tsconfig.app.json"}]}',
            "tsconfig.app.json": '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}',
        },
    )


WORKSPACE = {
    "package.json": '{"name": "root", "workspaces": ["packages/*"]}',
    "packages/core/package.json": """{"name": "@acme/core", "main": "./dist/index.js", "exports": {
        ".": {"types": "./dist/index.d.ts", "default": "./dist/index.js"},
        "./parse": {"import": "./dist/esm/parse.js"},
        "./locales/*": "./dist/locales/*.js",
        "./hidden": null}}""",
    "packages/plain/package.json": '{"name": "plain", "main": "lib/main"}',
    "packages/bare/package.json": '{"name": "bare"}',
    "packages/source/package.json": """{"name": "source", "exports": {
        "./v4": {"types": "./v4/index.d.cts", "@acme/source": "./src/v4/index.ts"}}}""",
}


@pytest.mark.parametrize(
    ("specifier", "expected"),
    [
        ("@acme/core", "packages/core/src/index.ts"),
        ("@acme/core/parse", "packages/core/src/parse.ts"),
        ("@acme/core/locales/de", "packages/core/src/locales/de.ts"),
        ("@acme/core/hidden", None),
        ("@acme/core/src/index", None),
        ("plain", "packages/plain/lib/main.js"),
        ("plain/lib/other", "packages/plain/lib/other.js"),
        ("bare", "packages/bare/src/index.ts"),
        ("bare/part", "packages/bare/src/part.ts"),
        ("source/v4", "packages/source/src/v4/index.ts"),
        ("acme", None),
    ],
)
def test_packages_of_the_repository(specifier: str, expected: str | None) -> None:
    check(
        specifier,
        expected,
        importer="apps/web/app.ts",
        sources=[
            "packages/core/src/index.ts",
            "packages/core/src/parse.ts",
            "packages/core/src/locales/de.ts",
            "packages/core/src/hidden.ts",
            "packages/plain/lib/main.js",
            "packages/plain/lib/other.js",
            "packages/bare/src/index.ts",
            "packages/bare/src/part.ts",
            "packages/source/src/v4/index.ts",
            "packages/source/v4/index.ts",
        ],
        configs=WORKSPACE,
    )


def test_a_package_can_import_itself_and_its_inner_names() -> None:
    configs = {
        "package.json": """{"name": "me", "exports": {"./a": "./src/a.ts"},
            "imports": {"#inner/*": "./src/inner/*.ts"}}"""
    }
    sources = ["src/a.ts", "src/inner/b.ts"]
    check("me/a", "src/a.ts", sources=sources, configs=configs)
    check("#inner/b", "src/inner/b.ts", sources=sources, configs=configs)
    check("#other", None, sources=sources, configs=configs)


def test_an_asset_is_never_looked_into() -> None:
    files = Files(["src/app.ts"], {})
    assert resolve_specifier(FilePath("src/app.ts"), "./big.mp4", files) is None
    assert "src/big.mp4" not in files.asked


@given(st.text(max_size=60))
def test_any_text_is_a_configuration(text: str) -> None:
    assert isinstance(read_object(text), dict)


@given(st.text(alphabet="./@#*ab", max_size=12))
def test_any_text_is_a_specifier(specifier: str) -> None:
    files = Files(["src/app.ts", "src/a.ts"], {**WORKSPACE, "tsconfig.json": ALIASES})
    found = resolve_specifier(FilePath("src/app.ts"), specifier, files)
    assert found is None or found in files.sources
