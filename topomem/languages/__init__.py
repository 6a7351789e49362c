"""Loading of language folders."""
