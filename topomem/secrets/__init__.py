"""Values that nobody should read: where they stand in a text, and the text without them."""
