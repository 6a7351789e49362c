"""One table from what went wrong to the exit code; scripts rely on it."""

from topomem import errors

OK = 0
CHECK_FAILED = 1
USAGE = 2
INTERNAL = 70  # a fault of topomem itself
ENVIRONMENT = 74  # the operating system refused something
INTERRUPTED = 130  # Ctrl-C, as shells count it
BROKEN_PIPE = 141  # whoever read the output has gone, as shells count it

EXIT_CODES: dict[type[errors.TopomemError], int] = {
    errors.UsageError: USAGE,
    errors.UnknownRevision: 3,
    errors.UnknownSymbol: 3,
    errors.UnknownItem: 3,
    errors.HooksManaged: CHECK_FAILED,
    errors.NotARepository: 4,
    errors.NotIndexed: 4,
    errors.StoreBusy: 5,
    errors.StoreDamaged: 6,
    errors.StoreFull: 7,
    errors.TransportFailed: 8,
}


def exit_code(error: errors.TopomemError) -> int:
    """Return the code of the nearest class in the table; 1 where there is none."""
    return next((EXIT_CODES[kind] for kind in type(error).__mro__ if kind in EXIT_CODES), 1)
