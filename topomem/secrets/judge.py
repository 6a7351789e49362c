"""Whether a value looks made by a machine, or stands for one that is filled in elsewhere.

Every question costs time linear in the length of the value.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import pairwise

_LONGEST = 512
"""Characters of a value that are looked at: more of them say nothing new."""

_PLACEHOLDER = re.compile(
    r"example|sample|dummy|change[-_ .]?(?:me|this|it)|replace|place[-_]?holder|redacted|masked"
    r"|censored|hidden|(?:your|my|the|an?|some|any)[-_ .](?:[A-Za-z0-9]{1,20}[-_ .]){0,4}"
    r"(?:key|token|secret|pass)"
    r"|fake|mock|invalid|insert|todo|fixme|foo[-_]?bar|lorem"
    r"|not[-_ ]?(?:a|an|the)?[-_ ]?(?:real|secret)"
    r"|xxx|\*\*\*|\.\.\.|•••|___|<[^<>]*>|\[secret: ",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"\$\{|\$\(|\{\{|%\(|%[sdr]\b|%[A-Z_]{2,}%|^\$[A-Za-z_]\w*\Z|\{[A-Za-z_][\w.]*\}|#\{|@[A-Z_]{2,}@"
    r"|os\.environ|process\.env|getenv|ENV\[|environ\[|secrets\.|config\.|settings\."
)
_POINTER = re.compile(
    r"(?:https?|ftp|file|ws|wss)://|(?:vault|ssm|arn|env|op|awssm|gcpsm|keychain|kms):"
    r"|(?:\.{0,2}|~|[A-Za-z]:)[/\\][\w.\-/\\ ]*\Z|[\w.+\-]+@[\w\-]+(?:\.[\w\-]+)+\Z"
)
_DIGEST = re.compile(r"(?:sha\d{1,3}|md5|blake\w{1,4}|crc32|h1)[-:=]", re.IGNORECASE)
_HEXADECIMAL = re.compile(r"[0-9a-fA-F]+\Z")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z")
_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_SEQUENCES = ("abcdefghijklmnopqrstuvwxyz", "0123456789", "9876543210", "qwertyuiop", "asdfghjkl")
_FEW = 5
"""A long value of no more different characters than this was typed by hand."""


def is_placeholder(value: str) -> bool:
    """Whether a value only says that a secret belongs there, or where it comes from."""
    value = value[:_LONGEST]
    return (
        bool(_PLACEHOLDER.search(value) or _REFERENCE.search(value))
        or len(set(value.casefold())) <= min(_FEW, len(value) // 3)
        or _is_sequence(value)
    )


def is_pointer(value: str) -> bool:
    """Whether a value is an address, a path, a digest or the name of a place."""
    value = value[:_LONGEST]
    return bool(_POINTER.match(value) or _DIGEST.match(value))


def is_uuid(value: str) -> bool:
    """Whether a value is a universally unique id."""
    return bool(_UUID.match(value))


def is_random(value: str, shortest: int = 16) -> bool:
    """Whether a value looks drawn by a machine: long, mixed, and not made of words."""
    value = value[:_LONGEST]
    if len(value) < shortest or is_sequence_of_words(value):
        return False
    has_digit = any(character.isdigit() for character in value)
    has_letter = any(character.isalpha() for character in value)
    if not (has_digit and has_letter):
        return has_letter and len(value) >= 2 * shortest and _mixing(value) > _MIXED
    if _HEXADECIMAL.match(value):
        return entropy(value) > _HEXADECIMAL_BITS
    return entropy(value) > _bits(len(value)) and _mixing(value) > _CHANGING


_HEXADECIMAL_BITS = 2.7
_CHANGING = 0.2
_MIXED = 0.33


def entropy(value: str) -> float:
    """Return the bits that a character of a value holds, by its own frequencies."""
    total = len(value)
    return -sum(n / total * math.log2(n / total) for n in Counter(value).values())


def is_sequence_of_words(value: str) -> bool:
    """Whether a value is made of words and small numbers, as names of things are."""
    value = value[:_LONGEST]
    pieces = _PIECE.findall(value)
    if not pieces:
        return True
    letters = [piece for piece in pieces if piece.isalpha()]
    digits = [piece for piece in pieces if piece.isdigit()]
    if any(len(piece) > len("20260131") for piece in digits):
        return False
    if len(digits) > len(letters) + 1:
        return False
    words = [piece for piece in letters if _is_word(piece)]
    short = [piece for piece in letters if len(piece) <= len("id")]
    return sum(map(len, words)) >= sum(map(len, letters)) * 0.7 and len(short) <= len(words)


def _is_word(piece: str) -> bool:
    """Whether letters follow each other as they do in words; or a short name in capitals."""
    if len(piece) < len("key"):
        return False
    if piece.isupper() and len(piece) <= len("HTTPS"):
        return True
    folded = piece.casefold()
    usual = sum(two in _FOLLOWERS.get(one, "") for one, two in pairwise(folded))
    return usual >= _USUAL * (len(folded) - 1)


_USUAL = 0.75
_FOLLOWERS = {
    "a": "abcdfgiklmnprstuvwxy", "b": "abceilorsu", "c": "acdehiklorstuy", "d": "adefilnorsu",
    "e": "abcdefgiklmnopqrstuvwxy", "f": "aefilortuy", "g": "aeghilnorsu", "h": "aeiortu",
    "i": "abcdefgklmnoprstvxz", "j": "aeou", "k": "aeils", "l": "adeilmostuvy", "m": "abeilmopsu",
    "n": "acdefgiklnopstuv", "o": "abcdefgiklmnoprstuvw", "p": "aehiloprstuy", "q": "u",
    "r": "acdefgiklmnoprstuvwy", "s": "acdefhiklmopstuwy", "t": "acdehilmoprstuy",
    "u": "abcdefgilmnprst", "v": "aeio", "w": "aehinors", "x": "ceipt", "y": "einpst", "z": "aeiz",
}  # fmt: skip
"""Letters that follow a letter in 97 of 100 places inside the words of code and documentation."""


def _bits(length: int) -> float:
    """Return how much of a mixed value of some length is expected in a character."""
    return min(3.4, 0.72 * math.log2(length))


def _mixing(value: str) -> float:
    """Return the share of neighbours that are of another class: upper, lower, digit, sign."""
    return sum(_class(one) != _class(other) for one, other in pairwise(value)) / len(value)


def _class(character: str) -> int:
    if character.isdigit():
        return 0
    if character.isalpha():
        return 1 + character.isupper()
    return 3


def _is_sequence(value: str) -> bool:
    """Whether a value is the alphabet, digits counted up, or a piece that comes again."""
    text = re.sub(r"[^a-z0-9]", "", value.casefold())
    if len(text) < len("12345678"):
        return any(text and text in sequence for sequence in _SEQUENCES)
    covered = 0
    at = 0
    while at < len(text):
        step = _run_of_sequence(text, at)
        covered += step if step >= len("1234") else 0
        at += max(step, 1)
    if covered >= len(text) * 0.75:
        return True
    half = text[: len(text) // 2]
    return any(
        text == (text[:size] * (len(text) // size + 1))[: len(text)]
        for size in range(1, min(len(half), 10) + 1)
    )


def _run_of_sequence(text: str, at: int) -> int:
    """Return how many characters from here on follow each other in a known sequence."""
    size = 1
    for sequence in _SEQUENCES:
        place = sequence.find(text[at])
        if place < 0:
            continue
        length = 1
        while (
            at + length < len(text)
            and place + length < len(sequence)
            and text[at + length] == sequence[place + length]
        ):
            length += 1
        size = max(size, length)
    return size
