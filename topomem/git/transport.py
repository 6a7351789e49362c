"""Fetching and pushing one reference, by git itself: it knows the user's ways of signing in."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from topomem.errors import TransportFailed, UsageError
from topomem.model.ids import CommitId

_LONGEST_MESSAGE = 300
_QUIETLY = ("-c", "gc.auto=0", "-c", "maintenance.auto=false")
"""Nothing is tidied up meanwhile: what was fetched has no reference yet."""

_REJECTED = ("[rejected]", "[remote rejected]", "failed to update ref", "cannot lock ref")


@dataclass(frozen=True, slots=True)
class Transport:
    """Talks to one remote: a name, an address or a path. `environment` is that of git."""

    git_dir: Path
    remote: str
    environment: Mapping[str, str]
    timeout_seconds: float = 120

    def __post_init__(self) -> None:
        if not self.remote or self.remote.startswith("-"):
            raise UsageError(f"{self.remote!r} is no remote", "git remote -v lists them")

    def fetch(self, reference: str) -> CommitId | None:
        """Bring the objects of a remote reference here; None where the remote has none.

        Raises TransportFailed.
        """
        listed = self._git("ls-remote", "--quiet", "--", self.remote, reference)
        rows = [line.split("\t") for line in listed.splitlines()]
        found = next((row[0] for row in rows if row[1:] == [reference]), "")
        if not found:
            return None
        self._git("fetch", "--quiet", "--no-tags", "--no-write-fetch-head",
                  "--no-recurse-submodules", "--", self.remote, reference)  # fmt: skip
        return CommitId(found)

    def push(self, commit: CommitId, reference: str) -> bool:
        """Let a remote reference stand on a commit that follows it; False where it does not.

        Raises TransportFailed.
        """
        words = ("push", "--quiet", "--no-verify", "--", self.remote, f"{commit}:{reference}")
        done = self._run(words)
        if done.returncode == 0:
            return True
        text = done.stderr.decode("utf-8", "replace")
        if any(word in text for word in _REJECTED):
            return False
        raise self._failed(text)

    def _git(self, *words: str) -> str:
        done = self._run(words)
        if done.returncode:
            raise self._failed(done.stderr.decode("utf-8", "replace"))
        return done.stdout.decode("utf-8", "replace")

    def _run(self, words: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
        try:
            return subprocess.run(  # noqa: S603 - git, and words of ours
                ["git", *_QUIETLY, f"--git-dir={self.git_dir}", *words],  # noqa: S607 - found on the path
                stdin=subprocess.DEVNULL,
                capture_output=True,
                env=dict(self.environment),
                timeout=self.timeout_seconds,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise TransportFailed(
                f"{self.remote} did not answer within {self.timeout_seconds:g} s"
            ) from error
        except OSError as error:
            raise TransportFailed(f"git cannot be run: {error}") from error

    def _failed(self, text: str) -> TransportFailed:
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        said = next((line for line in lines if line.startswith(("fatal:", "error:"))), "")
        message = (said or (lines[0] if lines else "no reason given"))[:_LONGEST_MESSAGE]
        return TransportFailed(f"{self.remote}: {message}", "nothing was lost; try again")
