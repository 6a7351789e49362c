"""The memory of a code repository, by commit."""
