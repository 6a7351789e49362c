"""Episodes as their events tell them: folded, compared, recalled, written down as lines."""
