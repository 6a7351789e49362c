"""The facade that all faces use."""
