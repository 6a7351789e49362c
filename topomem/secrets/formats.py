"""Values that are told by their own form: tokens with a known beginning, or a known middle.

A format names the literal pieces it is found by, so that a text without them costs one search for
each. What stands around the piece is then matched at that place alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from topomem.secrets.judge import is_random

Span = tuple[int, int]

_LONGEST = 4_096
"""Characters of one value."""

_FURTHEST = 80
"""Characters of one value before the piece it is found by."""

_RUN = re.compile(r"[A-Za-z0-9_+/\-]{12,}+")
_DIGIT = re.compile(r"[0-9]")
_LONG_RUN = 30
"""Runs shorter than this have a digit in every value that is looked for."""
_RUN_SIGNS = re.compile(r"[A-Za-z0-9_+/\-]+\Z")

_BEFORE = re.compile(r"[A-Za-z0-9]")
_ESCAPED = re.compile(r"\\[nrtbf0]\Z|%[0-9A-Fa-f]{2}\Z|\\u00[0-9a-f]{2}\Z")


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of token: `pattern` matches at a piece, `before` what stands in front of it.

    Most texts need none of the patterns, so each is compiled when a piece of it was met.
    """

    rule: str
    pieces: tuple[str, ...]
    pattern: str
    before: str
    check: Callable[[str], bool]

    def find(self, text: str) -> Iterator[Span]:
        """Yield where values of this format stand, in order for each piece."""
        for piece in self.pieces:
            at = text.find(piece)
            while at >= 0:
                span = self._match(text, at)
                if span and self.check(text[slice(*span)]):
                    yield span
                at = text.find(piece, span[1] if span else at + 1)

    def _match(self, text: str, at: int) -> Span | None:
        if not self.before and not _starts(text, at):
            return None
        found = _compiled(self.pattern).match(text, at, min(len(text), at + _LONGEST))
        if found is None:
            return None
        if not self.before:
            return found.span()
        ahead = _compiled(self.before).search(text, max(0, at - _FURTHEST), at)
        if ahead is None or not _starts(text, ahead.start()):
            return None
        return ahead.start(), found.end()


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)


def find_formats(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield (rule, start, end) of values with a form of their own.

    Each of them has a long run of letters, digits and a few signs in it, which most texts have not:
    only there, and for pieces with other signs in the text, is searched.
    """
    runs = "\n".join(
        [run for run in _RUN.findall(text) if len(run) >= _LONG_RUN or _DIGIT.search(run)]
    )
    if not runs:
        return
    for form, inside in _SEARCHED:
        searched = runs if inside else text
        if any(piece in searched for piece in form.pieces):
            for start, end in form.find(text):
                yield form.rule, start, end


def _starts(text: str, at: int) -> bool:
    """Whether a value may begin here: behind no letter or digit, but for escaped characters."""
    if not at or not (_BEFORE.match(text, at - 1) and _BEFORE.match(text, at)):
        return True
    return bool(_ESCAPED.search(text[max(0, at - 6) : at]))


def _format(
    rule: str,
    pieces: str,
    pattern: str,
    check: Callable[[str], bool] | None = None,
    before: str = "",
) -> Format:
    """Make a format; a value ends where no letter, digit or sign of its own alphabet follows."""
    return Format(
        rule,
        tuple(pieces.split()),
        rf"(?:{pattern})(?![A-Za-z0-9_])",
        rf"(?:{before})\Z" if before else "",
        check or _is_filled,
    )


def _is_filled(value: str) -> bool:
    """Whether a value is more than a form to fill in: `ghp_xxxxxxxx`, `AKIA****`."""
    body = value[-16:].casefold()
    distinct = 5
    return len(set(body)) >= distinct and "xxxx" not in body and "example" not in body


def _random_behind(prefix: int, shortest: int = 16) -> Callable[[str], bool]:
    return lambda value: _is_filled(value) and is_random(value[prefix:], shortest)


def _is_sk_token(value: str) -> bool:
    """Whether one piece between the signs of `sk-...` is random: names of styles are words."""
    pieces = re.split(r"[-._]", value[3:])
    return _is_filled(value) and (
        any(is_random(piece, 12) for piece in pieces) or is_random(value[3:], 20)
    )


_W = "[A-Za-z0-9_-]"
_A = "[A-Za-z0-9]"
_HEX = "[0-9a-f]"

FORMATS = (
    # code hosts
    _format("github_token", "ghp_ gho_ ghu_ ghs_ ghr_", rf"gh[pousr]_{_A}{{36,255}}"),
    _format("github_token", "github_pat_", r"github_pat_\w{60,255}"),
    _format(
        "gitlab_token",
        "glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- "
        "glagent- gloas- glsoat- glffct- glwt-",
        rf"gl[a-z]{{2,5}}-{_W}{{20,}}(?:\.{_W}{{2,}}){{0,3}}",
    ),
    _format("gitlab_token", "GR1348941", rf"GR1348941{_W}{{20,}}"),
    _format("bitbucket_token", "ATBB ATCTT3", rf"ATBB{_A}{{28,}}|ATCTT3[\w=-]{{40,}}"),
    _format("atlassian_token", "ATATT3", r"ATATT3[\w=-]{60,}"),
    # clouds
    _format(
        "aws_access_key",
        "AKIA ASIA ABIA ACCA",
        r"A(?:KI|SI|BI|CC)A[A-Z0-9]{16}",
        lambda value: _is_filled(value) and any(c.isdigit() for c in value),
    ),
    _format("aws_bedrock_key", "ABSK bedrock-api-key-", r"(?:ABSK|bedrock-api-key-)[\w+/=]{60,}"),
    _format("google_api_key", "AIza", rf"AIza{_W}{{35}}"),
    _format("google_oauth_secret", "GOCSPX-", rf"GOCSPX-{_W}{{28}}"),
    _format("google_oauth_token", "ya29.", r"ya29\.[\w.-]{30,}"),
    _format("google_refresh_token", "1//0", rf"1//0{_W}{{40,}}"),
    _format("azure_client_secret", "Q~", r"Q~[\w~.-]{31,34}", before=r"[\w~.-]{3}\d"),
    _format(
        "azure_key",
        "AZDO APIM AzSe ACDb +ABa +AMC +ASt AIoT ARm",
        r"(?:AZDO|APIM|AzSe|ACDb|\+ABa|\+AMC|\+ASt|AIoT|ARm)[A-Za-z0-9+/]{4,6}={0,2}",
        _random_behind(0, 40),
        before="[A-Za-z0-9+/]{33,76}",
    ),
    _format("digitalocean_token", "dop_v1_ doo_v1_ dor_v1_", rf"do[por]_v1_{_HEX}{{64}}"),
    _format("alibaba_access_key", "LTAI", rf"LTAI{_A}{{12,24}}", _random_behind(4, 12)),
    _format("tencent_access_key", "AKID", rf"AKID{_A}{{32}}"),
    _format("yandex_cloud_key", "AQVN", rf"AQVN{_W}{{35,38}}"),
    _format(
        "yandex_token", "y0_ t1.9eu", r"y0_[\w-]{50,}|t1\.9eu[\w-]{20,}={0,2}\.[\w-]{80,}={0,2}"
    ),
    _format("cloudflare_ca_key", "v1.0-", rf"v1\.0-{_HEX}{{24}}-{_HEX}{{100,}}"),
    _format("heroku_key", "HRKU-", rf"HRKU-{_W}{{36,}}"),
    _format("scalingo_token", "tk-us-", rf"tk-us-{_W}{{48}}"),
    _format("fly_token", "fm1_ fm1r_ fm1a_ fm2_ fo1_", r"f(?:m1[ar]?|m2|o1)_[\w+/=,.-]{40,}"),
    _format("netlify_token", "nfp_", r"nfp_\w{36}"),
    _format("supabase_token", "sbp_ sb_secret_", rf"sbp_{_HEX}{{40}}|sb_secret_{_W}{{20,}}"),
    _format("planetscale_token", "pscale_", r"pscale_(?:tkn|pw|oauth)_[\w.=-]{32,}"),
    _format("databricks_token", "dapi", rf"dapi{_HEX}{{32}}(?:-\d)?"),
    _format("vault_token", "hvs. hvb. hvr.", rf"hv[sbr]\.{_W}{{24,}}"),
    _format("terraform_token", ".atlasv1.", rf"\.atlasv1\.{_W}{{60,}}", before=rf"{_A}{{14}}"),
    _format("pulumi_token", "pul-", rf"pul-{_HEX}{{40}}"),
    _format("doppler_token", "dp.", rf"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]+\.)?{_A}{{40,44}}"),
    _format("infracost_key", "ico-", rf"ico-{_A}{{32}}"),
    _format("tailscale_key", "tskey-", r"tskey-[a-z]+-[\w-]{20,}"),
    # package registries
    _format("npm_token", "npm_", rf"npm_{_A}{{36}}"),
    _format("pypi_token", "pypi-AgE", rf"pypi-AgE{_W}{{50,}}"),
    _format("rubygems_key", "rubygems_", rf"rubygems_{_HEX}{{48}}"),
    _format("crates_token", "cio", rf"cio{_A}{{32}}", _random_behind(3, 24)),
    _format("nuget_key", "oy2", r"oy2[a-z0-9]{43}", _random_behind(3, 24)),
    _format("docker_token", "dckr_pat_ dckr_oat_", rf"dckr_[po]at_{_W}{{27,}}"),
    _format("clojars_token", "CLOJARS_", r"CLOJARS_[a-z0-9]{60}"),
    _format("artifactory_key", "AKCp", rf"AKCp{_A}{{69,}}"),
    # chat
    _format(
        "slack_token",
        "xoxa- xoxb- xoxe- xoxe. xoxp- xoxr- xoxs- xapp- xoxc- xoxd-",
        r"xox[abceprsd][-.][\w.%/+-]{10,}|xapp-\d-[\w-]{20,}",
        lambda value: _is_filled(value) and any(c.isdigit() for c in value),
    ),
    _format(
        "slack_webhook",
        "hooks.slack.com/",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/[\w/+-]{20,}",
    ),
    _format("discord_webhook", "/api/webhooks/", rf"/api/webhooks/\d{{17,20}}/{_W}{{50,}}"),
    _format(
        "discord_token",
        ".",
        r"\.[\w-]{6}\.[\w-]{27,40}",
        _random_behind(0, 50),
        before=r"[MNO][\w-]{23,27}",
    ),
    _format(
        "teams_webhook",
        "webhook.office.com/ outlook.office.com/webhook",
        r"(?:webhook|outlook)\.office\.com/webhook[\w@/.-]{60,}",
    ),
    _format("telegram_token", ":AA", rf":AA{_W}{{32,34}}", before=r"\d{8,10}"),
    # payment, mail and telephone
    _format(
        "stripe_key",
        "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ whsec_",
        rf"(?:[sr]k_(?:live|test|prod)|whsec)_[{_A[1:-1]}+/=]{{16,}}",
    ),
    _format("square_token", "sq0 EAAAE EAAAl", rf"sq0[a-z]{{3}}-{_W}{{22,}}|EAAA[El]{_W}{{55,}}"),
    _format(
        "braintree_token",
        "access_token$",
        rf"access_token\$(?:production|sandbox)\$[a-z0-9]{{16}}\${_HEX}{{32}}",
    ),
    _format("shopify_token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    _format("flutterwave_key", "FLWSECK", r"FLWSECK(?:_TEST)?-[\w-]{12,}"),
    _format("shippo_token", "shippo_", rf"shippo_(?:live|test)_{_HEX}{{40}}"),
    _format("twilio_key", "SK", rf"SK{_HEX}{{32}}"),
    _format("sendgrid_key", "SG.", rf"SG\.{_W}{{20,24}}\.{_W}{{39,50}}"),
    _format("mailgun_key", "key-", rf"key-{_HEX}{{32}}"),
    _format("mailchimp_key", "-us", r"-us\d{1,2}", before=rf"{_HEX}{{32}}"),
    _format("brevo_key", "xkeysib- xsmtpsib-", rf"x(?:key|smtp)sib-{_HEX}{{64}}-{_A}{{16}}"),
    _format("easypost_key", "EZAK EZTK", rf"EZ[AT]K{_A}{{54}}"),
    # models
    _format("sk_token", "sk-", r"sk-[\w.-]{18,254}\w", _is_sk_token),
    _format("huggingface_token", "hf_ api_org_", rf"(?:hf|api_org)_{_A}{{34}}"),
    _format("groq_key", "gsk_", rf"gsk_{_A}{{52}}"),
    _format("replicate_token", "r8_", r"r8_\w{37}"),
    _format("perplexity_key", "pplx-", rf"pplx-{_A}{{40,}}"),
    _format("xai_key", "xai-", rf"xai-{_A}{{70,}}"),
    # observation and tools
    _format(
        "grafana_token",
        "glc_ glsa_",
        rf"glc_[A-Za-z0-9+/]{{32,}}={{0,2}}|glsa_{_A}{{32}}_{_HEX}{{8}}",
    ),
    _format("newrelic_key", "NRAK- NRJS- NRII- NRAA-", rf"NR(?:AK|JS|II|AA)-{_W}{{19,}}"),
    _format("sentry_token", "sntrys_ sntryu_", rf"sntrys_[\w=+/.-]{{60,}}|sntryu_{_HEX}{{64}}"),
    _format("posthog_key", "phx_", rf"phx_{_A}{{40,}}"),
    _format("linear_key", "lin_api_ lin_oauth_", rf"lin_(?:api|oauth)_{_A}{{32,}}"),
    _format("notion_token", "secret_ ntn_", rf"secret_{_A}{{43}}|ntn_\d{{11}}{_A}{{35}}"),
    _format("airtable_token", "pat", rf"pat{_A}{{14}}\.{_HEX}{{64}}"),
    _format("figma_token", "figd_", rf"figd_{_W}{{36,}}"),
    _format("postman_key", "PMAK-", rf"PMAK-{_HEX}{{24}}-{_HEX}{{34}}"),
    _format("dropbox_token", "sl.", rf"sl\.(?:[Bu]\.)?{_W}{{100,}}"),
    _format(
        "hubspot_token",
        "pat-na1- pat-eu1- pat-na2-",
        rf"pat-[a-z]{{2}}\d-{_HEX}{{8}}-[{_HEX[1:-1]}-]{{27}}",
    ),
    _format("onepassword_token", "ops_eyJ", rf"ops_eyJ{_W}{{80,}}={{0,2}}"),
    _format(
        "onepassword_key", "A3-", r"A3-[A-Z0-9]{6}-[A-Z0-9]{6}-?[A-Z0-9]{5}(?:-[A-Z0-9]{5}){3}"
    ),
    _format("openshift_token", "sha256~", r"sha256~[\w-]{43}"),
    _format("sourcegraph_token", "sgp_", r"sgp_(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}"),
    _format("adobe_secret", "p8e-", r"p8e-[a-z0-9]{32}"),
    _format("intra42_secret", "s-s4t2", rf"s-s4t2(?:ud|af)-{_HEX}{{64}}"),
    _format("octopus_key", "API-", r"API-[A-Z0-9]{26}"),
    _format("harness_key", "pat. sat.", r"[ps]at\.\w{22}\.\w{24}\.\w{20}"),
    _format("contentful_token", "CFPAT-", rf"CFPAT-{_W}{{43}}"),
    _format("buildkite_token", "bkua_", rf"bkua_{_HEX}{{40}}"),
    _format("circleci_token", "CCIPAT_", r"CCIPAT_\w{40,}"),
    _format("sonar_token", "squ_ sqp_ sqa_", rf"sq[upa]_{_HEX}{{40}}"),
    _format("prefect_key", "pnu_ pnb_", rf"pn[ub]_{_A}{{36}}"),
    _format(
        "launchdarkly_key",
        "sdk- api-",
        rf"(?:sdk|api)-{_HEX}{{8}}-(?:{_HEX}{{4}}-){{3}}{_HEX}{{12}}",
    ),
    _format("readme_key", "rdme_", r"rdme_[a-z0-9]{70}"),
    _format(
        "facebook_token",
        "EAACE EAAG EAAB EAAD EAAJ",
        rf"EAA[CGBDJ]{_A}{{60,}}",
        _random_behind(0, 40),
    ),
    _format(
        "twitter_token", "AAAAAAAAAAAAAAAAAAAAA", r"A{20,24}[\w%]{60,}", _random_behind(24, 40)
    ),
    _format("mapbox_token", "sk.eyJ", rf"sk\.eyJ{_W}{{40,}}\.{_W}{{20,}}"),
    # general
    _format(
        "jwt",
        "eyJ",
        rf"eyJ{_W}{{8,}}+={{0,2}}\."
        rf"(?:eyJ{_W}{{6,}}+={{0,2}}\.(?:{_W}{{8,}})?|(?:{_W}{{8,}}+\.){{3}}{_W}{{8,}})",
    ),
    _format("age_key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    _format(
        "password_hash",
        "$2a$ $2b$ $2y$ $argon2 $6$ $5$ $apr1$ $scrypt$ $pbkdf2",
        r"\$(?:2[aby]\$\d\d\$[./A-Za-z0-9]{53}|argon2(?:id|i|d)\$v=\d+\$[\w=,]+\$[\w+/]{11,}\$[\w+/]{16,}"
        r"|[56]\$(?:rounds=\d+\$)?[./\w]{1,16}\$[./A-Za-z0-9]{43,86}|apr1\$[./\w]{1,8}\$[./A-Za-z0-9]{22}"
        r"|(?:scrypt|pbkdf2(?:-\w+)?)\$[\w=,]+\$[./\w+]{8,}\$[./\w+=]{20,})",
    ),
)

_SEARCHED = tuple((form, all(_RUN_SIGNS.match(piece) for piece in form.pieces)) for form in FORMATS)
"""Formats, and whether all their pieces stand inside runs."""
