from __future__ import annotations

import pytest

from topomem import errors
from topomem.cli.exit_codes import exit_code


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.UsageError("x"), 2),
        (errors.ConfigurationError("x"), 2),
        (errors.BudgetTooSmall("x"), 2),
        (errors.UnknownRevision("x"), 3),
        (errors.AmbiguousSymbol("x", ("a", "b")), 3),
        (errors.NotARepository("x"), 4),
        (errors.NotIndexed("x"), 4),
        (errors.StoreBusy("x"), 5),
        (errors.StoreDamaged("x"), 6),
        (errors.StoreFull("x"), 7),
        (errors.TopomemError("x"), 1),
    ],
)
def test_each_error_has_its_code(error: errors.TopomemError, code: int) -> None:
    assert exit_code(error) == code
