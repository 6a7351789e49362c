"""What other tools report, and what git itself says happened, as values; nothing is run."""
