"""What to configure in an agent so that it is told of what the repository remembers."""

from __future__ import annotations

from typing import Any

AGENTS = ("generic",)


def configuration(agent: str, repository: str) -> dict[str, Any]:
    """Return the settings for an agent, as a document; raises KeyError for one not in AGENTS.

    Commands are lists of arguments, and a message goes to standard input: it never meets a shell.
    """
    return {"generic": _generic}[agent](repository)


def _generic(repository: str) -> dict[str, Any]:
    program = ["topomem", "-C", repository]
    return {
        "session_start": {"command": [*program, "brief"], "add_output_to_context": True},
        "message": {
            "command": [*program, "notice", "--session", "{session}", "-"],
            "standard_input": "{message}",
            "add_output_to_context": True,
        },
        "placeholders": {
            "{session}": "the session's id, the same for all of its messages",
            "{message}": "the whole message, as it is",
        },
        "timeout_seconds": 2,
        "on_failure": "ignore",
    }
