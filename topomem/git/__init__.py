"""Reading git: the only package that knows pygit2. Everything it returns is plain values."""
