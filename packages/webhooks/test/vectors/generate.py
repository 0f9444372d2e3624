#!/usr/bin/env python3
"""Writes vectors.json: messages, each with the outcome that a receiver must report.

Python's standard library and openssl each compute every signature. The two must agree.
Neither shares code with the library under test. Run: python3 packages/webhooks/test/vectors/generate.py
"""

import base64
import hashlib
import hmac
import json
import pathlib
import subprocess

NOW = 1_780_000_000
ID = "whd_01JZY6T5R0Q8W3E4R5T6Y7U8I9"
EVENT = (
    '{"id":"evt_01JZY6T5R0Q8W3E4R5T6Y7U8I9","type":"lifecycle.evaluated","created":"2026-05-28T20:26:40.000Z",'
    '"subject":{"id":"wsp_1","type":"workspace","url":"/v1/workspaces/wsp_1"}}'
).encode()

vectors = []


def key_of(size, seed=0):
    """A key of `size` bytes whose base64url text contains both `-` and `_`, if 24 bytes or more."""
    while True:
        key = hashlib.shake_256(f"key {size} {seed}".encode()).digest(size)
        text = base64.urlsafe_b64encode(key)
        if b"-" in text and b"_" in text:
            return key
        seed += 1


def sign(key, message_id, timestamp, body):
    content = f"{message_id}.{timestamp}.".encode() + body
    by_python = base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
    arguments = ["openssl", "dgst", "-sha256", "-mac", "HMAC", "-macopt", f"hexkey:{key.hex()}", "-binary"]
    by_openssl = base64.b64encode(subprocess.run(arguments, input=content, check=True, capture_output=True).stdout)
    assert by_python == by_openssl.decode(), "Python and openssl disagree"
    return by_python


def url(key):
    return "whsec_" + base64.urlsafe_b64encode(key).decode().rstrip("=")


def padded(key):
    return "whsec_" + base64.urlsafe_b64encode(key).decode()


def plain(key):
    return "whsec_" + base64.b64encode(key).decode()


KEY, OTHER = key_of(32), key_of(32, 1000)
GOOD = f"v1,{sign(KEY, ID, NOW, EVENT)}"
WRONG = f"v1,{sign(OTHER, ID, NOW, EVENT)}"


def encode_body(body):
    if len(body) > 100_000:
        assert body == body[:1] * len(body)
        return {"repeat": body[:1].decode(), "count": len(body)}
    return {"base64": base64.b64encode(body).decode()}


def add(name, signature="accepted", content="event", *, secrets=None, now=NOW, message_id=ID, timestamp=NOW,
        header=None, body=EVENT, signed_body=None, key=KEY, secret_index=0, portable=None, headers=None):
    """Adds a vector. `signature` is the outcome of verifySignature, `content` that of verify afterwards."""
    value = header if header is not None else f"v1,{sign(key, message_id, timestamp, body if signed_body is None else signed_body)}"
    vector = {
        "name": name,
        "secrets": secrets or [url(KEY)],
        "nowMs": now * 1000 if isinstance(now, int) else round(now * 1000),
        "headers": headers or {"webhook-id": message_id, "webhook-timestamp": str(timestamp), "webhook-signature": value},
        "body": encode_body(body),
        "signature": signature,
    }
    if signature == "accepted":
        vector |= {"secretIndex": secret_index, "content": content}
    if portable:
        vector["portable"] = portable
    vectors.append(vector)


def secrets():
    for size in range(24, 65):
        key = key_of(size)
        spellings = {url(key): "base64url", padded(key): "base64url, padded", plain(key): "base64", plain(key).rstrip("="): "base64, not padded"}
        for spelling, name in spellings.items():
            add(f"secret of {size} bytes in {name}", secrets=[spelling], key=key)
    add("secret of another endpoint", "no_match", secrets=[url(OTHER)])
    text = url(KEY)
    bad = {
        "empty": ("", "secret_empty"), "bare prefix": ("whsec_", "secret_empty"),
        "with a line feed": (text + "\n", "secret_whitespace"), "with a space before": (" " + text, "secret_whitespace"),
        "without prefix": (text[6:], "secret_prefix"), "public key": ("whpk_" + text[6:], "secret_prefix"),
        "private key": ("whsk_" + text[6:], "secret_prefix"), "quoted": (f'"{text}"', "secret_prefix"),
        "assignment": ("SECRET=" + text, "secret_prefix"), "prefix in upper case": ("WHSEC_" + text[6:], "secret_prefix"),
        "both alphabets": ("whsec_+-" + "A" * 34, "secret_encoding"), "other characters": (text + "*", "secret_encoding"),
        "not ASCII": (text + "\u00e9", "secret_encoding"), "impossible length": ("whsec_" + "A" * 45, "secret_encoding"),
        "stray final bits": ("whsec_" + "A" * 42 + "B", "secret_encoding"), "short padding": ("whsec_" + "A" * 42 + "=", "secret_encoding"),
        "padding inside": ("whsec_AA==" + "A" * 40, "secret_encoding"), "too much padding": (padded(KEY) + "=", "secret_encoding"),
        "23 bytes": (url(key_of(23)), "secret_length"), "65 bytes": (url(key_of(65)), "secret_length"),
        "1 byte": ("whsec_AA", "secret_length"),
    }
    for name, (secret, code) in bad.items():
        add(f"secret: {name}", code, secrets=[secret])
        add(f"secret: {name}, behind a good one", code, secrets=[text, secret])


def bodies():
    add("body: an event")
    add("body: empty", content="body_invalid_json", body=b"")
    add("body: ASCII", content="body_invalid_json", body=b"hello")
    add("body: emoji", content="body_invalid_json", body="\U0001f600 caf\u00e9".encode())
    add("body: an event with emoji", body=EVENT.replace(b"}}", ',"note":"\U0001f600\u00e9"}}'.encode()))
    add("body: escaped lone surrogate", body=EVENT.replace(b"}}", b',"note":"\\ud800"}}'))
    add("body: U+FFFD as such", body=EVENT.replace(b"}}", ',"note":"\ufffd"}}'.encode()))
    invalid = {"lone byte": b"\xff", "lone continuation": b"a\x80", "overlong": b"\xc0\xaf", "surrogate": b"\xed\xa0\x80",
               "cut": b"\xf0\x9f\x98", "beyond U+10FFFF": b"\xf4\x90\x80\x80", "latin-1": "caf\u00e9".encode("latin-1")}
    for name, body in invalid.items():
        add(f"body: not UTF-8, {name}", content="body_not_utf8", body=body, portable="body_not_utf8")
    add("body: UTF-16", content="body_not_utf8", body=EVENT.decode().encode("utf-16"), portable="body_not_utf8")
    add("body: altered so that lossy decoding hides it", "no_match", body=b'"\xff"', signed_body='"\ufffd"'.encode(), portable="body_not_utf8")
    add("body: byte order mark", content="body_invalid_json", body=b"\xef\xbb\xbf" + EVENT)
    add("body: byte order mark dropped", "no_match", body=EVENT, signed_body=b"\xef\xbb\xbf" + EVENT)
    add("body: byte order mark added", "no_match", body=b"\xef\xbb\xbf" + EVENT, signed_body=EVENT)
    add("body: NUL", content="body_invalid_json", body=b"\0")
    add("body: NUL behind an event", content="body_invalid_json", body=EVENT + b"\0")
    add("body: white space around an event", body=b"\r\n\t " + EVENT + b"\n")
    add("body: one MiB", content="body_invalid_json", body=b"a" * 1024 * 1024)
    add("body: one MiB and a byte", "body_too_large", body=b"a" * (1024 * 1024 + 1), header=GOOD)
    for name, body in {"array": b"[]", "number": b"5", "null": b"null", "text": b'"evt"', "empty object": b"{}"}.items():
        add(f"body: {name}", content="envelope_invalid", body=body)
    add("body: __proto__", content="envelope_invalid", body=b'{"__proto__":' + EVENT + b"}")
    add("body: subject null", body=b'{"id":"evt_1","type":"webhook.ping","created":"2026-05-28T20:26:40.000Z","subject":null}')
    add("body: type from the future", body=EVENT.replace(b"evaluated", b"dissolved"))


def signatures():
    junk = sign(OTHER, ID, NOW, b"junk")
    lists = {
        "two, the first good": (f"{GOOD} {WRONG}", "accepted"), "two, the second good": (f"{WRONG} {GOOD}", "accepted"),
        "the same twice": (f"{GOOD} {GOOD}", "accepted"), "unknown versions around": (f"v1a,{junk} {GOOD} v2,x", "accepted"),
        "unknown versions between": (f"{WRONG} v1a,zzz v9,= {GOOD}", "accepted"), "32, the last good": (" ".join([WRONG] * 31 + [GOOD]), "accepted"),
        "33, the last good": (" ".join([WRONG] * 32 + [GOOD]), "too_many_signatures"), "300 of junk": (" ".join([WRONG] * 300), "too_many_signatures"),
        "none good": (f"{WRONG} v1,{junk}", "no_match"), "unknown versions only": (f"v1a,{GOOD[3:]} v2,x", "no_supported_signature"),
        "version in upper case": ("V1," + GOOD[3:], "no_supported_signature"), "no version": (GOOD[3:], "malformed_signature"),
        "no signature": ("v1,", "malformed_signature"), "no comma": ("v1", "malformed_signature"), "empty version": ("," + GOOD[3:], "malformed_signature"),
        "two spaces": (f"{WRONG}  {GOOD}", "accepted"), "many spaces": (f"{GOOD}{'  ' * 500}{WRONG}", "accepted"),
        "a space before": (f" {GOOD}", "malformed_signature"), "a space after": (f"{GOOD} ", "malformed_signature"),
        "tab between": (f"{WRONG}\t{GOOD}", "duplicate_header"),
        "no padding": (GOOD.rstrip("="), "malformed_signature"), "cut": (GOOD[:-5], "malformed_signature"), "longer": (GOOD + "=", "malformed_signature"),
        "base64url": ("v1," + base64.urlsafe_b64encode(b"\xff" * 32).decode(), "malformed_signature"),
        "hex": ("v1," + base64.b64decode(GOOD[3:]).hex(), "malformed_signature"),
        "joined by a comma": (f"{WRONG}, {GOOD}", "duplicate_header"), "joined by a comma alone": (f"{WRONG},{GOOD}", "duplicate_header"),
    }
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    stray = digits[digits.index(GOOD[-2]) + 1]
    lists["stray final bits, same bytes"] = (GOOD[:-2] + stray + "=", "malformed_signature")
    for name, (header, outcome) in lists.items():
        add(f"signatures: {name}", outcome, header=header)
    add("signatures: of both secrets, current first", secrets=[url(OTHER), url(KEY)], header=f"{WRONG} {GOOD}", secret_index=0)
    add("signatures: of the previous secret alone", secrets=[url(OTHER), url(KEY)], header=GOOD, secret_index=1)
    add("signatures: of the next secret, not yet deployed, and the current", secrets=[url(KEY)], header=f"{WRONG} {GOOD}")


def skews():
    for skew in (299, 300, 301):
        outcome = "accepted" if skew <= 300 else None
        add(f"clock: {skew} s behind", outcome or "timestamp_too_old", timestamp=NOW - skew)
        add(f"clock: {skew} s ahead", outcome or "timestamp_too_new", timestamp=NOW + skew)
    add("clock: 300.999 s behind", now=NOW + 300.999)
    add("clock: 301.000 s behind", "timestamp_too_old", now=NOW + 301)
    add("clock: the epoch", now=0, timestamp=0)
    for text in ("00", "01780000000", "+1780000000", "-1", "1780000000.0", "1.78e9", "0x6a18", "1780000000x", "x", "NaN", "Infinity", "1" * 16, "\u0661\u0667"):
        add(f"timestamp: {text}", "malformed_timestamp", timestamp=text)
    add("timestamp: milliseconds", "timestamp_too_new", timestamp=NOW * 1000)
    add("timestamp: 15 digits", "timestamp_too_new", timestamp="9" * 15)
    add("timestamp: joined", "duplicate_header", timestamp=f"{NOW}, {NOW}", header=GOOD)


def tampering():
    add("tampered: last byte of the body", "no_match", body=EVENT[:-1] + b" ", signed_body=EVENT)
    add("tampered: byte appended to the body", "no_match", body=EVENT + b"\n", signed_body=EVENT)
    add("tampered: byte cut from the body", "no_match", body=EVENT[:-1], signed_body=EVENT)
    add("tampered: body re-serialised", "no_match", body=json.dumps(json.loads(EVENT)).encode(), signed_body=EVENT)
    add("tampered: id", "no_match", message_id=ID[:-1] + "X", header=GOOD)
    add("tampered: id in lower case", "no_match", message_id=ID.lower(), header=GOOD)
    add("tampered: timestamp", "no_match", timestamp=NOW + 1, header=GOOD)
    add("tampered: signature", "no_match", header="v1," + ("B" if GOOD[3] == "A" else "A") + GOOD[4:])
    add("tampered: end of the id moved into the timestamp", "malformed_id", message_id="whd_1.2", header=GOOD)
    for name, message_id in {"dot": "a.b", "line feed": "a\nb", "NUL": "a\0", "DEL": "a\x7f", "C1 control": "a\x85", "257 characters": "x" * 257}.items():
        add(f"id: {name}", "malformed_id", message_id=message_id)
    for name, message_id in {"256 characters": "x" * 256, "not ASCII": "\u00e9\U0001f600", "punctuation": "a:b/c-d_e"}.items():
        add(f"id: {name}", message_id=message_id)
    add("id: joined", "duplicate_header", message_id=f"{ID}, {ID}", header=GOOD)
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    whole = {"webhook-id": ID, "webhook-timestamp": str(NOW), "webhook-signature": GOOD}
    for name in names:
        add(f"header: {name} missing", "missing_header", headers={k: v for k, v in whole.items() if k != name})
        add(f"header: {name} empty", "missing_header", headers=whole | {name: ""})
        add(f"header: {name} twice", "duplicate_header", headers=whole | {name: [whole[name]] * 2})
        add(f"header: {name} twice in other letters", "duplicate_header", headers=whole | {name.upper(): whole[name]})
    add("header: upper case", headers={k.upper(): v for k, v in whole.items()})
    add("header: arrays of one", headers={k: [v] for k, v in whole.items()})


for group in (secrets, bodies, signatures, skews, tampering):
    group()
assert len({vector["name"] for vector in vectors}) == len(vectors)
document = {"signedBy": ["Python's hmac and hashlib", "openssl dgst -mac HMAC"], "vectors": vectors}
path = pathlib.Path(__file__).with_name("vectors.json")
path.write_text(json.dumps(document, indent=1, ensure_ascii=True) + "\n")
print(f"{len(vectors)} vectors written to {path.name}")
