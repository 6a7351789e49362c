"""Reading git: repositories, commits, trees, blobs."""
