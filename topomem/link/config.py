"""Which files that are no code the linker wants to see."""

CONFIG_FILES = (
    "tsconfig*.json",
    "jsconfig*.json",
    "package.json",
    "pnpm-workspace.yaml",
    "go.mod",
    "go.work",
    "pyproject.toml",
    "setup.cfg",
)
"""Patterns of base names; such files are handed over as `ConfigFile`."""
