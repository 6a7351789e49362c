"""Values that are told by what they are given to: `password = "..."`, `<token>...</token>`.

The name says that a secret is meant, the value whether one is there: code that fetches a secret,
a placeholder, a word, a path and a type are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from topomem.secrets.addresses import is_default
from topomem.secrets.formats import Span
from topomem.secrets.judge import (
    is_placeholder,
    is_pointer,
    is_random,
    is_sequence_of_words,
    is_uuid,
)

STEMS = (
    "passw", "passphrase", "passwd", "pwd", "secret", "token", "api_key", "apikey", "api-key",
    "access_key", "accesskey", "access-key", "private_key", "privatekey", "private-key",
    "auth_key", "authkey", "auth-key", "account_key", "accountkey", "sharedaccesskey",
    "encryption_key", "encryptionkey", "encryption-key", "signing_key", "signingkey", "signing-key",
    "master_key", "masterkey", "license_key", "licensekey", "deploy_key", "credential", "api key",
    "access key", "secret key", "client_key", "db_pass", "_pass", "_auth", "salt", '"auth"',
    "пароль", "parol",
)  # fmt: skip
"""Pieces of names, in lower case, that say a secret is meant."""

_PASSWORDS = ("passw", "passphrase", "pwd", "pass", "пароль", "parol")
_NOT_THE_VALUE = re.compile(
    r"(?:name|file|path|dir|folder|url|uri|type|kind|field|header|len|length|size|min|max|count|limit"
    r"|expir(?:y|es|ed|ation)|ttl|timeout|lifetime|age|prefix|suffix|pattern|regexp?|format|label|title|text|hint"
    r"|placeholder|help|errors?|messages?|msg|policy|algo(?:rithm)?|class|params?|arg|column|attr(?:ibute)?|arn|ref"
    r"|version|endpoint|host|port|mode|strategy|store|storage|provider|reset|id|ids|key_id|index|idx|pos"
    r"|position|offset|line|start|end|required|enabled|valid|strength|rules?|scope|s?count|usage|used"
    r"|list|set|map|table|bucket|budget|budget_tokens|tokens|rate|cost|price|_per_[a-z]{3,6}"
    r"|hasher|hashers|encoder|validators?|manager|service|factory|handler|parser|generator|resolver"
    r"|selector|screen|page|form|view|input|button|dialog|component|route|action|event|state|status"
    r"|request|response|callback|hook|middleware|context|options?|config|settings|schema|model|dto)s?\Z"
)
_REST = re.compile(r"[\w\-]{0,48}", re.ASCII)
_KEY_BEFORE = re.compile(r"[\w.\-]{1,60}\Z")
_BETWEEN = re.compile(
    r"""
    (?:\\{0,3}["'`\]])*                                  # the key was quoted, or in brackets
    (?:
        \s{0,8}
        (?:(?::\s{0,4}|\s)[A-Za-z_][\w\[\]., |?<>&*]{0,60}?\s{0,4}(?==(?!=)))?   # its type
        (?P<sign>=>|:=|={1,3}|!={1,2}|<-|:(?!:)|,(?=\s*["'`\\])|\((?=\s*["'`\\])
            |>(?=[^<\s])|\s(?:is|was)\s:?)
        \s{0,60}(?:\(\s{0,60})?
      | (?P<option>[ \t]{1,4})                           # `--password value`
      | ["']\s{1,4}value\s{0,2}=\s{0,2}                  # <add key="password" value="..."/>
    )
    """,
    re.VERBOSE,
)
_QUOTED = re.compile(
    r"""(?:[A-Za-z@$]{0,2})(?P<quote>\\{0,3}["'`])(?P<value>(?:(?!\1)[^\\\n]|\\(?!["'`])[^\n]){1,4096})(?P=quote)"""
)
_BARE = re.compile(r"""[^\s"'`,;<>(){}\[\]\\|]{3,4096}""")
_IN_QUERY = re.compile(r"""[^\s"'`,;<>(){}\[\]\\|&#]{3,4096}""")
_PADDED = re.compile(r"(?=.{8})(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)\Z")
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)*\Z", re.ASCII)
_NUMBERED_WORD = re.compile(
    r"(?:u?int|float|bytes|utf|ucs|sha|md|base|oauth|http|x|v|rsa|aes|ed|es|hs|rs|ps|ec|str|f|u|i|h|a|p"
    r"|arg|key|token|secret|password|passwd|pass|pwd|val|value|var|tmp|test|user|data|item|node|tok|t|s|k)"
    r"[-_]?\d{1,4}\w?\Z",
    re.IGNORECASE,
)
_SYMBOL = re.compile(r"[^A-Za-z0-9_\-.\s]")
_PATTERN_SIGNS = re.compile(r"\[[^\]]*\]|\\[dws]|\(\?|\^\[|\.\*|\.\+|\|\||&&|->")
_TEXT = re.compile(r"\S\s+\S")
_NEAR = re.compile(
    r"""[^\n]{0,40}?(?<![\w/+.\-])([A-Za-z0-9+/=_\-]{32,128})(?![\w/+=\-])""", re.ASCII
)
_PUBLIC = re.compile(
    r"commit|sha|rev|digest|checksum|hash|md5|integrity|blob|tree|uuid|cache|parent|etag"
    r"|fingerprint|public|pubkey|kid|nonce|version|contract|address|tx|block|version_id",
)  # fmt: skip
_SIGNIFICANT = ("api", "secret", "access", "private", "aws", "auth", "credential", "passw", "token")


@dataclass(frozen=True, slots=True)
class Kind:
    """What a path says of the text: whether values stand bare, and whether each is meant."""

    is_settings: bool = False  # key and value on a line, nothing else
    is_code: bool = False


CODE = Kind(is_code=True)


def find_assigned(text: str, lowered: str, kind: Kind) -> Iterator[tuple[str, int, int]]:
    """Yield (rule, start, end) of values given to names that say a secret is meant."""
    for stem in STEMS:
        at = lowered.find(stem)
        while at >= 0:
            yield from _at(text, lowered, (at, at + len(stem)), kind)
            at = lowered.find(stem, at + len(stem))
    at = lowered.find("key")
    while at >= 0:
        yield from _near(text, lowered, at + 3)
        at = lowered.find("key", at + 3)


def _at(text: str, lowered: str, stem: Span, kind: Kind) -> Iterator[tuple[str, int, int]]:
    rest = _REST.match(text, stem[1])
    end = rest.end() if rest else stem[1]
    before = _KEY_BEFORE.search(lowered, max(0, stem[0] - 60), stem[0])
    start = before.start() if before else stem[0]
    key = lowered[start:end]
    if not _names_a_value(key):
        return
    between = _BETWEEN.match(text, end, end + 160)
    value = _value(text, between, kind, text[start - 1 : start]) if between else None
    if value is None:
        yield from _near(text, lowered, end)
        return
    found, is_quoted = value
    is_option = bool(between and between["option"])
    if is_option and not key.startswith("--") and not kind.is_settings:
        return
    where = _Place(text, found, kind, is_quoted=is_quoted)
    if _is_secret(key, text[slice(*found)], where):
        yield ("password" if _is_password(key) else "assigned_secret"), *found


def _names_a_value(key: str) -> bool:
    name = key.replace("-", "_").rstrip("_")
    last = name.rpartition(".")[2]
    return not _NOT_THE_VALUE.search(last) or last in ("secret_id", "pwd", "password", "token")


def _is_password(key: str) -> bool:
    return any(piece in key for piece in _PASSWORDS)


def _value(text: str, between: re.Match[str], kind: Kind, before: str) -> tuple[Span, bool] | None:
    """Return where the value stands, and whether in quotes; None where there is none.

    `before` is the character before the name: an address goes on behind the value of a parameter.
    """
    start = between.end()
    quoted = _QUOTED.match(text, start, start + 4_200)
    if quoted:
        return quoted.span("value"), True
    sign = between["sign"]
    if sign in (",", "("):
        return None
    if "\n" in between.group():
        return None
    shape = _IN_QUERY if before in ("?", "&") else _BARE
    bare = shape.match(text, start, start + 4_200)
    if bare is None:
        return None
    if sign == ">" and text[bare.end() : bare.end() + 2] != "</":
        return None
    start, end = bare.span()
    if not kind.is_settings:
        end -= len(bare.group()) - len(bare.group().rstrip(".:"))  # of the sentence around it
    return ((start, end), sign == ">" or kind.is_settings) if end > start else None


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a value stands."""

    text: str
    span: Span
    kind: Kind
    is_quoted: bool

    @property
    def is_called(self) -> bool:
        """Whether a bare value is the beginning of an expression."""
        return self.text[self.span[1] : self.span[1] + 1] in ("(", "[", "{", "<")

    @property
    def is_argument(self) -> bool:
        """Whether a bare value is followed as one of several is: `f(password=value, ...)`."""
        return self.text[self.span[1] : self.span[1] + 1] in (")", ",")


def _is_secret(key: str, value: str, place: _Place) -> bool:
    if is_placeholder(value) or is_pointer(value) or value.casefold() in key:
        return False
    if value.startswith("0x") and not ("priv" in key or "secret" in key):
        return False
    if _PATTERN_SIGNS.search(value) and not is_random(value, 24):
        return False
    if _TEXT.search(value):
        return "passphrase" in key and len(value.split()) >= len("four")
    if place.is_quoted:
        return _is_quoted_secret(key, value, place.kind)
    return _is_bare_secret(key, value, place)


def _is_quoted_secret(key: str, value: str, kind: Kind) -> bool:
    if _PADDED.match(value):
        return True
    if _is_password(key):
        if is_default(value) or len(value) < len("abcd1"):
            return False
        return kind.is_settings or not is_sequence_of_words(value) or _is_mixed_word(value)
    if kind.is_settings and len(value) >= len("abcdefgh"):
        return not is_default(value)
    if is_uuid(value):
        return True
    return is_random(value, len("abcdefghijklmno")) or (
        len(value) >= len("abcdefgh") and _is_hard(value)
    )


def _is_bare_secret(key: str, value: str, place: _Place) -> bool:
    if place.is_called or _NUMBERED_WORD.match(value) or is_default(value):
        return False
    value = value.rstrip(".:")
    if _IDENTIFIER.match(value) and (place.is_argument or place.kind.is_code or "." in value):
        is_name = "." in value and (place.is_argument or place.kind.is_code)
        return not is_name and is_random(max(value.split("."), key=len), 20)
    if is_random(value) or _PADDED.match(value):
        return True
    return (
        _is_password(key)
        and len(value) >= len("abcd1")
        and (_is_mixed_word(value) or _is_hard(value))
    )


def _is_mixed_word(value: str) -> bool:
    """Whether a value is a word with digits at its end or in it, as people choose passwords."""
    return (
        bool(re.search(r"[A-Za-z]", value) and re.search(r"\d", value))
        and not re.search(r"[-_. ]", value)
        and not _NUMBERED_WORD.match(value)
    )


def _is_hard(value: str) -> bool:
    """Whether a value mixes letters, digits and signs."""
    return bool(
        re.search(r"[A-Za-z]", value) and re.search(r"\d", value) and _SYMBOL.search(value)
    ) and not re.search(r"[/:=(){}\[\]<>]", value)


def _near(text: str, lowered: str, end: int) -> Iterator[tuple[str, int, int]]:
    """Yield a long random run on the same line, where no word says that it is public."""
    found = _NEAR.match(text, end, end + 180)
    if found is None:
        return
    line = max(lowered.rfind("\n", max(0, end - 200), end) + 1, end - 200, 0)
    said = lowered[line : found.start(1)]
    if _PUBLIC.search(said) or not any(word in said for word in _SIGNIFICANT):
        return
    value = found[1]
    if (
        is_random(value, 32)
        and not is_uuid(value)
        and not is_placeholder(value)
        and not is_pointer(value)
    ):
        yield "keyed_value", *found.span(1)
