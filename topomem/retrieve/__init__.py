"""From a question to a cited bundle."""
