"""Git hooks that keep the index current, beside whatever hooks a repository has already."""
