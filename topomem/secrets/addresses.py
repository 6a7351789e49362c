"""Secrets that stand in an address or in a header: `scheme://user:password@host`, `Bearer ...`."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error
from collections.abc import Iterator

from topomem.secrets.formats import Span
from topomem.secrets.judge import is_placeholder, is_random, is_uuid

Found = tuple[str, int, int]
"""Rule, first character, the one behind the last."""

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}\Z")
_USER = re.compile(
    r"""://([^\s:/@?#"'`<>\\]{0,100})(?::([^\s"'`<>\\/?#]{1,300}))?@(?=[\w\[.%${-])"""
)
_AUTHORIZATION = re.compile(
    r"""[\s"'`:=,]{0,8}(?:(?:(bearer|token|apikey|api-key|digest)|(basic))[\s"'`:=]{1,4})?([\w\-.~+/=:]{8,4000})""",
    re.IGNORECASE | re.ASCII,
)
_BEARER = re.compile(r"bearer[ \t]{1,4}([\w\-.~+/]{16,4000}={0,2})", re.IGNORECASE | re.ASCII)
_CURL_USER = re.compile(
    r"""(?:-u|--user|--proxy-user)[ =]["']?([^\s:"'`<]{0,80}):([^\s"'`]{1,200})"""
)
_SIGNATURE = re.compile(r"sig=([A-Za-z0-9%+/]{40,100}(?:=|%3[dD])?)")
_DEFAULTS = frozenset(
    {
        "admin", "changeme", "default", "dev", "docker", "example", "foo", "guest", "local",
        "mongo", "mysql", "none", "pass", "passwd", "password", "postgres", "postgresql", "pw",
        "pwd", "rabbitmq", "redis", "root", "secret", "test", "token", "user", "username",
    }
)  # fmt: skip
"""What stands in the place of a password where there is none to keep."""


def find_in_addresses(text: str) -> Iterator[Found]:
    """Yield passwords and tokens in front of the host of an address."""
    at = text.find("://")
    while at >= 0:
        found = _USER.match(text, at, at + 420)
        if found and _SCHEME.search(text, max(0, at - 32), at):
            yield from _of_address(found)
        at = text.find("://", at + 3)


def _of_address(found: re.Match[str]) -> Iterator[Found]:
    user, password = found.groups()
    if password is None:
        if is_random(user, 20) and not is_placeholder(user):
            yield "url_credentials", *found.span(1)
    elif not is_default(password, user):
        yield "url_credentials", *found.span(2)
    elif is_random(user, 24) and password in ("", "x-oauth-basic"):
        yield "url_credentials", *found.span(1)


def is_default(password: str, user: str = "") -> bool:
    """Whether a password is one that stands in every manual, or none at all."""
    folded = password.casefold()
    return (
        folded in _DEFAULTS
        or folded == user.casefold()
        or (password.isdigit() and len(password) <= len("65535"))
        or bool(re.fullmatch(r"[*x.%-]+|<.*>|\[.*\]", password))
        or is_placeholder(password)
    )  # fmt: skip


def find_in_headers(text: str, lowered: str) -> Iterator[Found]:
    """Yield tokens behind `Authorization` and `Bearer`, and `user:password` for curl."""
    for at in _places(lowered, "authorization"):
        found = _AUTHORIZATION.match(text, at, at + 4_200)
        if found and _is_credential(found[3], basic=bool(found[2])):
            yield "authorization", *found.span(3)
    for at in _places(lowered, "bearer", behind=False):
        found = _BEARER.match(text, at, at + 4_200)
        if found and is_random(found[1]) and not is_placeholder(found[1]):
            yield "authorization", *found.span(1)
    if "curl" in lowered:
        for at in _places(lowered, "curl"):
            found = _CURL_USER.search(text, at, at + 400)
            if found and not is_default(found[2], found[1]):
                yield "basic_auth", *found.span(2)


def find_signatures(text: str) -> Iterator[Span]:
    """Yield the signatures of signed addresses."""
    at = text.find("sig=")
    while at >= 0:
        found = _SIGNATURE.match(text, at)
        if found and is_random(found[1], 40):
            yield found.span(1)
        at = text.find("sig=", at + 4)


def _is_credential(value: str, *, basic: bool) -> bool:
    if not basic:
        return (is_random(value) or is_uuid(value)) and not is_placeholder(value)
    try:
        plain = b64decode(value, validate=True).decode("utf-8")
    except (Error, ValueError):
        return False
    user, colon, password = plain.partition(":")
    return bool(colon and password) and not is_default(password, user)


def _places(text: str, word: str, *, behind: bool = True) -> Iterator[int]:
    """Yield where a word stands, or where it ends."""
    at = text.find(word)
    while at >= 0:
        yield at + (len(word) if behind else 0)
        at = text.find(word, at + len(word))
