"""Decision records: from texts to what they say. Pure; knows no repository."""
