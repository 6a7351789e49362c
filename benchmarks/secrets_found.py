"""Secrets: how many of the made-up ones are found, what else is taken for one, and how fast.

    python benchmarks/secrets_found.py [FOLDER...]

Values are made from fixed seeds and stand in no file. Each folder is scanned as well: what is found
there is listed by rule and path, for a person to judge. The speed is that of a scan of the texts of
the folders (of this repository without any) against reading them as words, in one run.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from support.secrets_alike import LOOK_ALIKES
from support.secrets_made import SECRETS, made

from topomem.model.words import count_words
from topomem.secrets.scan import redact, scan

_LARGEST = 300_000


def main() -> None:
    """Print recall, noise, findings and speed."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path)
    options = parser.parse_args()
    found = sum(is_clean(template) for template in SECRETS)
    noise = sum(redact(text) != text for text in LOOK_ALIKES)
    print(f"found {found} of {len(SECRETS)}; taken for secrets {noise} of {len(LOOK_ALIKES)}")
    folders = options.folders or [Path(__file__).resolve().parent.parent / "topomem"]
    texts = dict(read_texts(folders))
    rules: Counter[str] = Counter()
    for path, text in texts.items():
        for secret in scan(text, path):
            rules[secret.rule] += 1
            print(f"{path}:{text.count(chr(10), 0, secret.start) + 1}: {secret.rule}")
    size = sum(map(len, texts.values()))
    print(f"{sum(rules.values())} in {size / 1e6:.1f} MB: {dict(rules)}")
    scanned = seconds(scan, texts)
    print(f"{size / 1e6 / scanned:.1f} MB/s, {scanned / seconds(count_words, texts):.2f} x words")


def is_clean(template: str) -> bool:
    """Whether nothing of the values is left, and everything around them is."""
    text, values = made(template)
    for value in values:
        text = text.replace(value, "\0" + "\n" * value.count("\n"))
    return re.sub(r"\[secret: \w+\]", "\0", redact(made(template)[0])) == text


def read_texts(folders: list[Path]) -> Iterator[tuple[str, str]]:
    """Yield path and text of the files in folders that are no binaries and not too large."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and ".git" not in path.parts and path.stat().st_size < _LARGEST:
                data = path.read_bytes()
                if b"\0" not in data:
                    yield str(path.relative_to(folder)), data.decode("utf-8", "replace")


def seconds(function: Callable[[str], object], texts: dict[str, str]) -> float:
    """Return the processor time of a function over all texts."""
    start = time.process_time()
    for text in texts.values():
        function(text)
    return max(time.process_time() - start, 1e-9)


if __name__ == "__main__":
    main()
