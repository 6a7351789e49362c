"""The text of a region as words, signs and strings, without comments and layout.

Words and signs are told apart by translating bytes, which is an order faster than a pattern per
token. What is lost, which words stand between two signs, no valid code can be confused by.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

from topomem.model.code import Op

if TYPE_CHECKING:
    from collections.abc import Iterable

    from topomem.extract.tree import ReducedTree

_OPEN, _CLOSE = b"\x01", b"\x02"
"""Signs for the bounds of blocks that only layout shows."""
_STRING = b' " '
_DIGITS = frozenset("0123456789")
_WORD_BYTES = bytes(b for b in range(256) if b > 127 or b in b"_$" or chr(b).isalnum())  # noqa: PLR2004
_WORDS = bytes(byte if byte in _WORD_BYTES else ord(" ") for byte in range(256))
_SIGNS = bytes(ord(" ") if byte in _WORD_BYTES else byte for byte in range(256))
_LITERALS = re.compile(b"[" + re.escape(bytes([Op.STRING_VALUE, Op.LITERAL])) + b"]")
_STRINGS = frozenset({"string", "bytes", "char"})


@dataclass(frozen=True, slots=True)
class Lexed:
    """Words of code in order, signs in groups between them, and what is no code."""

    words: list[str]
    signs: bytes
    strings: bytes  # one after another
    comments: bytes


NOTHING = Lexed([], b"", b"", b"")


def lex_region(text: bytes, tree: ReducedTree, header: int) -> tuple[Lexed, Lexed]:
    """Lex the text of a region; return its first `header` bytes and the rest of it, its body.

    Documentation is left out; comments are told with the body.
    """
    cuts = [(start, end, b" ") for start, end in tree.comments]
    cuts += [(start, end, _STRING) for start, end in string_ranges(tree)]
    if tree.documentation:
        cuts.append((*tree.documentation, b""))
    cuts += [(start, start, _OPEN) for start, _ in tree.blocks]
    cuts += [(end, end, _CLOSE) for _, end in tree.blocks]
    comments = b"\n".join([text[start:end] for start, end in tree.own_comments])
    if not header:
        return NOTHING, _lex(text, cuts, comments)
    before = [cut for cut in cuts if cut[1] <= header and cut[0] < header]
    behind = [(a - header, b - header, mark) for a, b, mark in cuts if a >= header]
    return _lex(text[:header], before, b""), _lex(text[header:], behind, comments)


def joined(first: Lexed, second: Lexed) -> Lexed:
    """Return two pieces that follow each other as one."""
    if first is NOTHING:
        return second
    return Lexed(
        words=first.words + second.words,
        signs=b" ".join(part for part in (first.signs, second.signs) if part),
        strings=b"\n".join(part for part in (first.strings, second.strings) if part),
        comments=second.comments,
    )


def lex_piece(text: bytes, start: int, end: int, tree: ReducedTree) -> Lexed:
    """Lex a part of a region's text."""
    cuts = [(a - start, b - start, b" ") for a, b in tree.comments if start <= a and b <= end]
    return _lex(text[start:end], cuts, b"")


def string_ranges(tree: ReducedTree) -> Iterable[tuple[int, int]]:
    """Return the byte ranges of string literals without code in them."""
    for match in _LITERALS.finditer(tree.kinds):
        at = match.start()
        if tree.kinds[at] == Op.STRING_VALUE or tree.texts[at] in _STRINGS:
            yield tree.starts[at], tree.ends[at]


def body_digest(lexed: Lexed) -> str:
    """Return 16 hexadecimal digits over words, signs and strings."""
    return digest((lexed.signs, lexed.strings, " ".join(lexed.words).encode()))


def shape_digest(lexed: Lexed, own_name: str, local_names: Iterable[str]) -> str:
    """Digest words and signs with own name, local names and literals abstracted.

    Local names become numbers in order of first use, so a consistent renaming leaves the digest.
    """
    spelled: dict[str, str] = {}
    distinct = dict.fromkeys(lexed.words)
    local = distinct.keys() & local_names
    if local:
        used = [word for word in distinct if word in local]
        spelled = {word: f"\x04{number}" for number, word in enumerate(used)}
    for word in distinct:
        if word[0] in _DIGITS:
            spelled[word] = "\x06"
    spelled[own_name] = "\x03"
    get = spelled.get
    return digest((lexed.signs, " ".join([get(word, word) for word in lexed.words]).encode()))


def comment_digest(text: bytes, tree: ReducedTree) -> str:
    """Return a digest of comments and documentation inside a region; "" where there are none."""
    ranges = [*tree.own_comments, *([tree.documentation] if tree.documentation else [])]
    return digest(b" ".join(text[a:b].split()) for a, b in sorted(ranges)) if ranges else ""


def digest(parts: Iterable[bytes]) -> str:
    """Return 16 hexadecimal digits over a sequence of byte strings."""
    return blake2b(b"\x1f".join(parts), digest_size=8).hexdigest()


def _lex(text: bytes, cuts: list[tuple[int, int, bytes]], comments: bytes) -> Lexed:
    pieces: list[bytes] = []
    strings: list[bytes] = []
    place = 0
    cuts.sort()
    for start, end, mark in cuts:
        if start < place:
            continue  # inside one that was cut already
        pieces += text[place:start], mark
        if mark is _STRING:
            strings.append(text[start:end])
        place = end
    code = b"".join([*pieces, text[place:]]) if pieces else text
    return Lexed(
        words=code.translate(_WORDS).decode(errors="replace").split(),
        signs=b" ".join(b"".join(code.split()).translate(_SIGNS).split()),
        strings=b"\n".join(strings),
        comments=comments,
    )
