"""Ways of naming and importing, one file each."""
