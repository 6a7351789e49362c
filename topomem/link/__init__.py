"""References become typed edges."""
