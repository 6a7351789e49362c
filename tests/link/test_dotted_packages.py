from __future__ import annotations

import pytest
from support.links import callers, check_edges, edges_of


def test_relative_imports_of_a_package_start_in_the_package_itself() -> None:
    check_edges(
        {
            "pkg/shape/__init__.py": "from .line import L\nfrom .shape import S\n",
            "pkg/shape/line.py": "class L: ...\n",
            "pkg/shape/shape.py": "class S: ...\n",
            "pkg/line.py": "class L: ...\n",
        },
        [
            "imports pkg/shape/__init__.py# -> pkg/shape/line.py#L",
            "imports pkg/shape/__init__.py# -> pkg/shape/shape.py#S",
        ],
        [
            "imports pkg/shape/__init__.py# -> pkg/shape/__init__.py",
            "imports pkg/shape/__init__.py# -> pkg/line.py",
        ],
    )


def test_a_sibling_named_like_a_library_is_the_sibling() -> None:
    found = check_edges(
        {
            "core/__init__.py": "from .redis import conn as shared\n",
            "core/redis.py": "def conn(): ...\n",
            "use.py": "from core import shared\nimport redis\nshared()\nredis.Redis()\n",
        },
        [
            "imports core/__init__.py# -> core/redis.py#conn",
            "imports use.py# -> <redis>",
            "calls use.py# -> <redis.Redis>",
        ],
    )
    assert callers(found, "core/redis.py#conn") == ["use.py#"]


def test_names_are_followed_through_packages_that_hand_them_on() -> None:
    files = {
        "pkg/replies.py": "class Bounce:\n    pass\n",
        "pkg/__init__.py": "from .replies import Bounce as B\nfrom pkg2 import Loop\n",
        "pkg2/__init__.py": "from pkg import B\nfrom pkg import Loop\n",
        "site.py": "from pkg2 import B, Loop\nB()\nLoop()\n",
    }
    found = check_edges(
        files,
        ["constructs site.py# -> pkg/replies.py#Bounce", "calls site.py# -> ?Loop"],
        ["calls site.py# -> pkg2", "constructs site.py# -> pkg2"],
    )
    assert found["constructs site.py# -> pkg/replies.py#Bounce"].method == "reexport"


def test_the_plainest_import_and_call() -> None:
    files = {
        "pkg/inner.py": "def plus_one(x):\n    return x + 1\n",
        "pkg/outer.py": "from .inner import plus_one\n\n\ndef run():\n    return plus_one(1)\n",
    }
    files.update({f"filler/m{n}.py": f"def plus_{n}(x):\n    return x\n" for n in range(300)})
    assert callers(edges_of(files), "pkg/inner.py#plus_one") == ["pkg/outer.py#run"]


def test_chains_of_star_imports_end() -> None:
    check_edges(
        {
            "zoo/__init__.py": "from .birds import *\n",
            "zoo/birds/__init__.py": "from .owl import *\n",
            "zoo/birds/owl.py": "from .. import core\ncore.go()\n",
            "zoo/core.py": "def go(): ...\n",
            "left.py": "from right import *\nfrom zoo import *\nonly_right()\n",
            "right.py": "from left import *\ndef only_right(): ...\n",
        },
        ["calls zoo/birds/owl.py# -> zoo/core.py#go", "calls left.py# -> right.py#only_right"],
    )


def test_a_star_import_brings_what_is_listed() -> None:
    check_edges(
        {
            "shop.py": "__all__ = ['open_']\n__all__ += ['_shut']\n"
            "def open_(): ...\ndef _shut(): ...\ndef hidden(): ...\n",
            "use.py": "from shop import *\nopen_()\n_shut()\nhidden()\n",
        },
        [
            "calls use.py# -> shop.py#open_",
            "calls use.py# -> shop.py#_shut",
            "calls use.py# -> ?hidden",
        ],
    )


def test_the_standard_library_wins_inside_packages_and_loses_to_the_folder_of_a_script() -> None:
    check_edges(
        {
            "src/app/__init__.py": "",
            "src/app/json.py": "def dumps(x): ...\n",
            "src/app/views.py": "import json\nfrom . import json as own\njson.dumps(1)\n"
            "own.dumps(1)\n",
            "scripts/json.py": "def dumps(x): ...\n",
            "scripts/run.py": "import json\njson.dumps(1)\n",
        },
        [
            "calls src/app/views.py# -> <json.dumps>",
            "calls src/app/views.py# -> src/app/json.py#dumps",
            "calls scripts/run.py# -> scripts/json.py#dumps",
        ],
    )


def test_tests_import_the_package_from_its_root() -> None:
    check_edges(
        {
            "src/app/__init__.py": "from .core import run\n",
            "src/app/core.py": "def run(): ...\n",
            "tests/test_core.py": "import app\n\n\ndef test():\n    app.run()\n",
            "examples/one/shop/__init__.py": "def go(): ...\n",
            "examples/one/tests/test_shop.py": "from shop import go\ngo()\n",
        },
        [
            "calls tests/test_core.py#test -> src/app/core.py#run",
            "calls examples/one/tests/test_shop.py# -> examples/one/shop/__init__.py#go",
        ],
    )


def test_importing_a_module_below_a_package_names_that_module_only() -> None:
    check_edges(
        {
            "a/__init__.py": "",
            "a/b/__init__.py": "",
            "a/b/c.py": "def f(): ...\n",
            "use.py": "import a.b.c\nfrom a.b import c as k\na.b.c.f()\nk.f()\n",
        },
        ["imports use.py# -> a/b/c.py#", "calls use.py# -> a/b/c.py#f"],
        ["imports use.py# -> a/__init__.py#"],
    )


def test_a_folder_without_a_file_of_its_own_is_a_package() -> None:
    check_edges(
        {"space/part.py": "def f(): ...\n", "use.py": "from space import part\npart.f()\n"},
        ["imports use.py# -> space/part.py#", "calls use.py# -> space/part.py#f"],
    )


def test_conditional_imports_give_every_choice() -> None:
    check_edges(
        {
            "fast.py": "def f(): ...\n",
            "slow.py": "def f(): ...\n",
            "use.py": "try:\n    from fast import f\nexcept ImportError:\n"
            "    from slow import f\nf()\n",
        },
        ["calls use.py# -> fast.py#f", "calls use.py# -> slow.py#f"],
    )


def test_production_code_is_never_bound_to_what_tests_define() -> None:
    check_edges(
        {
            "tests/conftest.py": "def client_for_all(): ...\nclass Fake:\n"
            "    def send_all(self): ...\n",
            "src/app.py": "import lib\n\n\ndef page(request):\n    request.send_all()\n"
            "    client_for_all()\n    lib.client_for_all()\n",
            "tests/test_app.py": "from src.app import page\n"
            "from tests.conftest import Fake\npage(Fake())\n",
        },
        [
            "calls src/app.py#page -> ?client_for_all",
            "calls src/app.py#page -> <lib.client_for_all>",
        ],
        ["calls src/app.py#page -> tests/"],
    )


@pytest.mark.parametrize("name", ["missing", "pkg.missing"])
def test_a_decorator_that_cannot_be_found_is_unresolved(name: str) -> None:
    module, _, item = name.rpartition(".")
    line = f"from {module or '.'} import {item} as deco\n"
    found = check_edges(
        {
            "pkg/__init__.py": "",
            "use.py": f"{line}@deco\ndef f(): ...\n@pkg.a.b(1)[0]\ndef g(): ...\nf()\ng()\n",
        },
        ["decorates use.py#f -> ?deco", "calls use.py# -> use.py#f", "calls use.py# -> use.py#g"],
    )
    assert not [line for line in found if line.startswith("decorates") and "?deco" not in line]
