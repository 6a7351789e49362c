"""Made-up secrets in the places where they are found, and what only looks like them.

Values are made when asked for, so that no file holds one: `<A36>` stands for 36 letters and digits,
H hexadecimal, W also `-` and `_`, B base64, D digits, U capitals and digits, L small ones.
What is to be taken out stands between « and ».
"""

from __future__ import annotations

import random
import re
import string
from base64 import b64encode

_ALPHABETS = {
    "A": string.ascii_letters + string.digits,
    "H": "0123456789abcdef",
    "W": string.ascii_letters + string.digits + "-_",
    "B": string.ascii_letters + string.digits + "+/",
    "D": string.digits,
    "U": string.ascii_uppercase + "234567",
    "L": string.ascii_lowercase + string.digits,
}
_PLACE = re.compile(r"<([AHWBDUL])(\d+)>")
_LINES = "".join("<B64>\n" for _ in range(6)) + "<B40>=="
_PEM = f"-----BEGIN RSA PRIVATE KEY-----\n{_LINES}\n-----END RSA PRIVATE KEY-----"

SECRETS = (
    # code hosts
    "export GH=«ghp_<A36>»", "see «gho_<A36>» there", "«ghs_<A36>»", '"«github_pat_<A22>_<A59>»"',
    "git clone https://oauth2:«glpat-<W20>»@gitlab.test/a/b.git", "«glpat-<W27>.01.<L9>»",
    "«glrt-<W20>»", "«GR1348941<W20>»", "x «ATBB<A32>»", "«ATATT3xFfGF0<W120>=<U8>»",
    # clouds
    'key = "«AKIA<U14>7Q»"', "ASIA: «ASIA<U14>Q2»",
    "aws_secret_access_key = «<B38>x9»", 'AWS_SECRET_ACCESS_KEY="«<B38>x9»"',
    "the aws secret access key is «<A38>x9»", '"SecretAccessKey": "«<B38>x9»",',
    "aws_session_token=«<B180>»", "AIza: «AIza<W35>»", '"client_secret":"«GOCSPX-<W28>»"',
    "token «ya29.<W60>»", "AccountName=a;AccountKey=«<B86>==»;EndpointSuffix=core.test",
    "Endpoint=sb://a.test/;SharedAccessKeyName=Root;SharedAccessKey=«<B43>=»",
    "«<A3>8Q~<A34>»", "https://a.test/c?sv=2022-11-02&sig=«<A41>%2B1%3D»", "«dop_v1_<H64>»",
    "id «LTAI<A20>»", "«AQVN<W36>»", "HEROKU_API_KEY=«<H8>-<H4>-4<H3>-a<H3>-<H12>»",
    "«sbp_<H40>»", "«dapi<H32>»", "VAULT_TOKEN=«hvs.<A90>»", "«<A14>.atlasv1.<A64>»", "«pul-<H40>»",
    "«dp.pt.<A43>»", "«tskey-auth-<A12>-<A32>»",
    # registries
    "//registry.npmjs.org/:_authToken=«npm_<A36>»", "//r.test/:_authToken=«<H8>-<H4>-4<H3>-9<H3>-<H12>»",
    "password = «pypi-AgEIcHlwaS5vcmc<W150>»", "«rubygems_<H48>»", "«oy2<L43>»", "«dckr_pat_<W27>»",
    '{"auths":{"r.test":{"auth":"«<B40>»"}}}',
    # chat
    'slack("«xoxb-<D12>-<D12>-<A24>»")', "«xapp-1-A0<U9>-<D13>-<H64>»",
    "https://«hooks.slack.com/services/T0<U8>/B0<U8>/<A24>»",
    "https://discord.test«/api/webhooks/<D18>/<W68>»", "bot «MTk4<A21>.G<W5>.<W38>»",
    "«<D9>:AAH<W32>»",
    # payment, mail
    "stripe.api_key = '«sk_live_<A24>»'", "«rk_test_<A30>»", "«whsec_<A32>»", "«sq0csp-<W43>»",
    "«shpat_<H32>»", "«SK<H32>»", "«SG.<W22>.<W43>»", "«key-<H32>»", "«<H32>-us12»",
    "«xkeysib-<H64>-<A16>»",
    # models
    "# old: «sk-<A48>»", "OPENAI_API_KEY=«sk-proj-<W60>T3BlbkFJ<W60>»", "«sk-ant-api03-<W90>AA»",
    "key is «sk-<A12>.<A16>.<A20>», rotate it", "«sk-or-v1-<H64>»", "«hf_<A34>»", "«gsk_<A52>»",
    "«r8_<A37>»", "«pplx-<A48>»",
    # tools
    "«glsa_<A32>_<H8>»", "«NRAK-<U27>»", "«sntryu_<H64>»", "«lin_api_<A40>»", "«ntn_<D11><A35>»",
    "«pat<A14>.<H64>»", "«figd_<W40>»", "«PMAK-<H24>-<H34>»", "«squ_<H40>»", "«CCIPAT_<A22>_<H40>»",
    "pk is public, «sk.eyJ<A60>.<W22>» is not",
    # tokens of three parts
    "Cookie: s=«eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx<A30>.<W43>»",
    "«eyJhbGciOiJub25lIn0.eyJzdWIiOiIx<A30>.»",
    # keys as text
    f"«{_PEM}»", f"# deploy key\n«{_PEM.replace(chr(10), chr(10) + '# ')}»\nx = 1",
    '"private_key": "«' + _PEM.replace("\n", "\\n") + '»\\n"',
    "  key: |\n    «" + _PEM.replace("\n", "\n    ") + "»\n  other: 1",
    "+«" + _PEM.replace("\n", "\n+") + "»\n context",
    "«-----BEGIN OPENSSH PRIVATE KEY-----\n<B70>\n<B70>\n<B20>»\n\nThis was cut off.",
    "«-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: X 1\n\n<B64>\n<B64>\n=<A4>\n-----END PGP PRIVATE KEY BLOCK-----»",
    'KEY = (\n    "«-----BEGIN EC PRIVATE KEY-----\\n"\n    "<B64>\\n"\n    "<B64>\\n"\n    "-----END EC PRIVATE KEY-----»"\n)',
    "ssh: «LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVEUgS0VZLS0tLS0K<B160>»",
    "«AGE-SECRET-KEY-1<U58>»",
    # addresses and headers
    "DATABASE_URL=postgres://app:«k9X2mQv7»@db.test:5432/x", "redis://:«Zx81qPw03n»@cache.test/0",
    "mongodb+srv://svc:«p4$$w0rd!»@c.test/?w=1", "amqp://u:«8fj2K-aa1»@[::1]/",
    "pip install --index-url https://build:«9sKQ2mzz»@pypi.test/simple", "https://«<A32>»@git.test/x.git",
    "Authorization: Basic «" + b64encode(b"app:k9X2mQv7zz").decode() + "»",
    "-H 'Authorization: Bearer «<A40>»'", '{"authorization": "token «<H40>»"}',
    "curl -u admin:«k9X2mQv7» https://a.test",
    # given to a name
    'password = "«tr0ub4dor&3»"', "password=«hunter2»", "PASSWORD='«Winter2024!»'", "pwd: «Zx81qPw0»",
    'connect(host="db", password="«k9X2mQv7»")', 'const dbPassword: string = "«k9X2-mQv7»";',
    'var adminPassword string = "«k9X2mQv7»"', "<password>«k9X2mQv7»</password>",
    '<add key="DbPassword" value="«k9X2mQv7»" />', "Server=a;User Id=sa;Password=«k9X2mQv7!»;",
    'api_key = "«<H40>»"', "API_KEY: «<A32>»", "apiKey: '«<A32>»',", 'X_API_TOKEN="«<W40>»"',
    'headers["X-Api-Key"] = "«<A32>»"', 'set_token("«<A40>»")', '("client_secret", "«<A32>»")',
    '{\\"secret\\": \\"«<A32>»\\"}', "app.secret_key = b'«_5#y2LxF4Q8z»'",
    "SECRET_KEY = '«django-insecure-<A50>»'",
    "--password «k9X2mQv7»", "--token=«<A32>»", 'signing_key = "«<B44>»"', "credentials: «<A40>»",
    "secret: «<H64>»", "the api key was «<H40>» for now",
    "# key for the api: «<H40>»", "пароль: «k9X2mQv7»", "password is «k9X2mQv7»",
    'if password == "«k9X2mQv7»":', "ENV DB_PASS=«k9X2mQv7»", "spring.datasource.password=«k9X2mQv7»",
    "kind: Secret\ndata:\n  password: «aHVudGVyMg==»",
    "https://a.test/?access_token=«<A32>»&page=2",
    "git log # Xapi-token: «<L32>»",
    "$2b$ hash: «$2b$12$<A53>»", "root:«$6$<A8>$<A86>»:19000:0:99999:7:::",
)  # fmt: skip


def fill(template: str) -> str:
    """Return a text with random values in its places, the same ones each time."""
    source = random.Random(template)
    return _PLACE.sub(
        lambda place: "".join(source.choices(_ALPHABETS[place[1]], k=int(place[2]))), template
    )


def made(template: str) -> tuple[str, list[str]]:
    """Return the text of a template, and the values that are to be taken out of it."""
    text = fill(template)
    return text.replace("«", "").replace("»", ""), re.findall("«(.*?)»", text, re.DOTALL)
