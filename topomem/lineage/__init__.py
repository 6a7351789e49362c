"""Lineage: which symbols of two neighbouring commits are one thing. A pure stage."""
