"""What a repository is made of beside code: tests and what they test, owners."""
