/** A verifier of a case in Python 3, which needs nothing but its standard library. */
export const VERIFY_PY = String.raw`#!/usr/bin/env python3
"""Verifies this folder: python3 verify.py [KEY]. KEY is the key that you kept; key.txt unless given."""
import base64, hashlib, pathlib, sys

P = 2**255 - 19
Q = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def sha256(data):
    return hashlib.sha256(data).digest()


def add(a, b):  # points of Ed25519 in extended coordinates, RFC 8032 section 5.1.4
    m, n = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    o, r = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = n - m, r - o, r + o, n + m
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(scalar, point):
    result = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point, scalar = add(point, point), scalar >> 1
    return result


def point_of(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y % 2**255
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - square) % P or (x == 0 and sign):
        raise ValueError("is no point of the curve")
    x = P - x if x % 2 != sign else x
    return x, y, 1, x * y % P


BASE = point_of((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def is_signed(key, text, signature):
    a, r, s = point_of(key), point_of(signature[:32]), int.from_bytes(signature[32:], "little")
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + text).digest(), "little") % Q
    one, other = times(s, BASE), add(r, times(h, a))
    return s < Q and all((one[i] * other[2] - other[i] * one[2]) % P == 0 for i in (0, 1))


def root_of(leaf, index, size, hashes):  # RFC 9162 section 2.1.3.2
    node, last = sha256(b"\0" + leaf), size - 1
    for each in hashes:
        if last == 0:
            raise ValueError("has too many hashes")
        if index % 2 or index == last:
            node = sha256(b"\1" + each + node)
            while index % 2 == 0 and index:
                index, last = index >> 1, last >> 1
        else:
            node = sha256(b"\1" + node + each)
        index, last = index >> 1, last >> 1
    return node if last == 0 else b""


def check(folder, path, vkey):
    name, key_id, encoded = vkey.split("+", 2)
    key = base64.b64decode(encoded, validate=True)
    if key_id != sha256(name.encode() + b"\n" + key)[:4].hex() or key[:1] != b"\1":
        raise ValueError("the key is damaged")
    proof, note = path.read_text("utf-8").split("\n\n", 1)
    head, *lines = [line for line in proof.split("\n") if not line.startswith("extra ")]
    text, signatures = note.split("\n\n", 1)
    origin, size, root = text.split("\n")[:3]
    prefix = "\u2014 " + name + " "
    signed = [base64.b64decode(s[len(prefix):]) for s in signatures.split("\n") if s.startswith(prefix)]
    mine = [s[4:] for s in signed if s[:4].hex() == key_id and len(s) == 68]
    good = any(is_signed(key[1:], (text + "\n").encode(), each) for each in mine)
    if head != "c2sp.org/tlog-proof@v1" or origin != name or not good:
        raise ValueError("the key did not sign the checkpoint")
    index, leaf = int(lines[0].removeprefix("index ")), path.with_suffix(".json").read_bytes()
    found = root_of(leaf, index, int(size), [base64.b64decode(line, validate=True) for line in lines[1:]])
    if index >= int(size) or found != base64.b64decode(root):
        raise ValueError("the event is not in the log of the checkpoint")
    return f"{path.stem}: event {index + 1} of the {size} events that {name} signed"


folder = pathlib.Path(__file__).resolve().parent
try:
    for line in (folder / "SHA256SUMS").read_text("utf-8").splitlines():
        if hashlib.sha256((folder / line[66:]).read_bytes()).hexdigest() != line[:64]:
            raise ValueError(line[66:] + " is not the file that was packed")
    vkey = sys.argv[1] if len(sys.argv) > 1 else (folder / "key.txt").read_text("utf-8").strip()
    for path in sorted(folder.glob("events/*.tlog-proof")):
        print(check(folder, path, vkey))
    print("All events are proven.")
except (ValueError, OSError, IndexError) as error:
    sys.exit(f"NOT VERIFIED: {error}")
`;
