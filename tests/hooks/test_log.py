from __future__ import annotations

from pathlib import Path

from topomem.hooks import log


def test_the_latest_lines_are_kept_and_the_file_stays_small(tmp_path: Path) -> None:
    for number in range(2000):
        log.write(tmp_path, "post-commit", f"{number}\n\n{'x' * 50}")
    assert (tmp_path / "hook.log").stat().st_size <= log.MOST_BYTES
    (last,) = log.last_lines(tmp_path, 1)
    assert last.endswith(f"post-commit: 1999 {'x' * 50}")
    assert len(log.last_lines(tmp_path, 5)) == 5


def test_no_log_yet(tmp_path: Path) -> None:
    assert (log.last_lines(tmp_path, 5), log.last_errors(tmp_path)) == ([], "")
