"""What the name of a file says of its text: that it holds secrets, or is code."""

from __future__ import annotations

import re

from topomem.secrets.assigned import Kind

_SETTINGS = re.compile(
    r"(?:^|/)(?:\.env(?:\.[\w.-]+)?|[\w.-]+\.env|\.envrc|\.netrc|_netrc|\.pgpass|\.npmrc|\.yarnrc"
    r"|\.pypirc|\.my\.cnf|\.htpasswd|\.git-credentials|\.dockercfg|\.s3cfg|\.boto|credentials"
    r"|[\w.-]+\.(?:tfvars|properties|ini|cfg|conf|cnf))\Z",
    re.IGNORECASE,
)
_TEMPLATE = re.compile(r"(?:example|sample|template|dist|defaults?)(?:\.|\Z)", re.IGNORECASE)
_WHOLE = re.compile(
    r"(?:^|/)(?:id_(?:rsa|dsa|ecdsa|ed25519)|[\w.-]+\.(?:ppk|p12|pfx|jks|keystore|kdbx|pkcs12))\Z",
    re.IGNORECASE,
)
_PROSE = re.compile(
    r"(?:^|/)[^/.]*\Z|\.(?:md|markdown|rst|adoc|txt|log|ya?ml|json|toml|xml|csv|html?|ipynb|diff|patch)\Z",
    re.IGNORECASE,
)


def kind_of(path: str) -> Kind:
    """Return what kind of text stands at a path; "" says nothing."""
    if not path:
        return Kind()
    if _SETTINGS.search(path) and not _TEMPLATE.search(path.rpartition("/")[2]):
        return Kind(is_settings=True)
    return Kind(is_code=not _PROSE.search(path))


def is_secret_file(path: str) -> bool:
    """Whether a file is a key or a store of keys as a whole."""
    return bool(_WHOLE.search(path))
