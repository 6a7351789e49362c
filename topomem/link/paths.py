"""Parts of paths inside the repository."""


def parent_folder(path: str) -> str:
    """Return the folder of a path, `` at the root."""
    return path.rpartition("/")[0]


def last_part(path: str) -> str:
    """Return the last part of a path."""
    return path.rpartition("/")[2]


def stem(path: str) -> str:
    """Return the base name of a file up to its first dot behind the first letter."""
    name = last_part(path)
    return name[:1] + name[1:].partition(".")[0]


def folders_above(path: str) -> list[str]:
    """Return all folders above a path, the nearest first, the root (``) last."""
    found = []
    while path:
        path = parent_folder(path)
        found.append(path)
    return found
