"""Names of what lies in the store's folder beside its databases. Imports nothing heavy."""

FOLDER = "topomem"
"""The store's folder inside the git folder that all worktrees share."""

SUBJECTS = ("subjects", "subjects-authored")
"""Subject files: of what the index derived, and of what people and runs recorded."""

SESSIONS = "sessions"
"""The folder of what was told in which session."""
