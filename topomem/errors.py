"""Every deliberate exception. Imports nothing; knows no exit codes."""


class TopomemError(Exception):
    """Root of all deliberate errors. `code` is stable, for programs; `hint` says what to do."""

    code = "error"

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class UsageError(TopomemError):
    """The request itself is wrong."""

    code = "usage"


class ConfigurationError(UsageError):
    """A configuration file cannot be used."""

    code = "configuration"


class NotARepository(TopomemError):
    """The folder is not inside a git repository that can be opened."""

    code = "not_a_repository"


class UnknownRevision(TopomemError):
    """A revision text names no commit in this repository."""

    code = "unknown_revision"

    def __init__(self, revision: str, hint: str = "") -> None:
        super().__init__(f"no commit matches revision {revision!r}", hint)
        self.revision = revision


class UnknownSymbol(TopomemError):
    """A symbol text names no symbol at the commit that was asked about."""

    code = "unknown_symbol"


class AmbiguousSymbol(UnknownSymbol):
    """A symbol text names several symbols."""

    code = "ambiguous_symbol"

    def __init__(self, text: str, choices: tuple[str, ...]) -> None:
        super().__init__(f"{text!r} is ambiguous", "one of: " + ", ".join(choices[:20]))
        self.text = text
        self.choices = choices


class UnknownItem(TopomemError):
    """No decision, episode or alias has this id."""

    code = "unknown_item"


class NotIndexed(TopomemError):
    """The revision exists, but the store has no snapshot of it."""

    code = "not_indexed"


class StoreBusy(TopomemError):
    """Another process held the store for longer than the wait."""

    code = "store_busy"


class StoreDamaged(TopomemError):
    """The store cannot be read; `rebuild` heals derived data."""

    code = "store_damaged"


class StoreTooNew(StoreDamaged):
    """The store was made by a later version than this one."""

    code = "store_too_new"


class StoreFull(TopomemError):
    """The disk is full; the store still holds the last committed state."""

    code = "disk_full"


class HooksManaged(TopomemError):
    """Another tool, or the project itself, looks after the hooks of the repository."""

    code = "hooks_managed"


class BudgetTooSmall(UsageError):
    """No bundle fits the budget."""

    code = "budget_too_small"


class TransportFailed(TopomemError):
    """A remote could not be reached, or did not take what was pushed."""

    code = "transport_failed"
