"""Facts of one blob, from its bytes alone."""
