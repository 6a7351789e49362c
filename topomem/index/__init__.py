"""The commit loop."""
