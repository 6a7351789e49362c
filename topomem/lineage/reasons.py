"""Evidence in words."""

from __future__ import annotations

from collections.abc import Iterable

_WORDS = {
    "body": "{:.0%} of the text is the same",
    "part": "{:.0%} of the smaller text stands in the other",
    "shape": "{:.0%} of the statements have the same shape",
    "whole": "its file is the same, byte for byte",
    "hands_on": "it uses what is new",
    "best": "no other pair has as much in common",
    "exact": "the text is the same but for names",
    "name": "the name is the same",
    "name_like": "the names are alike ({:.2f})",
    "parameters": "the parameters are alike ({:.2f})",
    "container": "it stands in the same class or file",
    "file": "it stands in the same file",
    "path_like": "the paths are alike ({:.2f})",
    "kind": "the kind is the same",
    "small": "there is little to compare",
    "place": "it stands at the same place",
    "said": "the message names it",
    "moved_statements": "{:.0%} of its statements went there",
    "moved_words": "{:.0%} of its text went there",
    "members": "{:.0%} of what it holds came from there",
    "package": "its file went to another package",
    "kept": "path and name are the same",
    "went": "the text stands under another name",
}


def reasons(evidence: Iterable[tuple[str, float]]) -> list[str]:
    """Return a sentence for each piece of evidence."""
    return [_WORDS[name].format(value) for name, value in evidence if name in _WORDS]
