"""Authored rows on the move: as lines of JSON in files, and in notes that git carries."""
