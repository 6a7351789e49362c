from __future__ import annotations

import os
import pty
import subprocess
import sys
import threading
from pathlib import Path

from support.command import topomem
from support.shop import shop


def on_a_terminal(folder: Path, *words: str) -> tuple[bytes, bytes]:
    """Run a command whose standard error is a terminal; return what came on either stream."""
    ours, theirs = pty.openpty()
    shown = bytearray()

    def listen() -> None:
        while True:
            try:
                shown.extend(os.read(ours, 4096))
            except OSError:  # the other end is closed
                return

    listener = threading.Thread(target=listen)
    listener.start()
    done = subprocess.run(
        [sys.executable, "-m", "topomem", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm"},
        check=True,
    )
    os.close(theirs)
    listener.join()
    os.close(ours)
    return done.stdout, bytes(shown)


def test_a_bar_is_shown_on_a_terminal_alone(tmp_path: Path) -> None:
    shop(tmp_path)
    out, shown = on_a_terminal(tmp_path, "index", "--json")
    assert b"commits" in shown
    assert out.count(b"\n") == 1
    assert b"\x1b" not in out


def test_no_bar_is_drawn_elsewhere(tmp_path: Path) -> None:
    shop(tmp_path)
    done = topomem("index", cwd=tmp_path)
    assert "\x1b" not in done.err + done.out
    assert "2 of 2 commits" in done.out
