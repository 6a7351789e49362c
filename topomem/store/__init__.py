"""DuckDB planes, journal, locks."""
