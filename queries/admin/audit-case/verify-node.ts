/** A verifier of a case for Node.js, which needs nothing but Node.js. */
export const VERIFY_MJS = String.raw`// Verifies this folder: node verify.mjs [KEY]. KEY is the key that you kept; key.txt unless given.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname;
const read = (...names) => readFileSync(join(folder, ...names));
const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest();
const node = (left, right) => sha256(Buffer.of(1), left, right);
const refuse = (text) => {
  console.error('NOT VERIFIED: ' + text);
  process.exit(1);
};

// RFC 9162 section 2.1.3.2
function rootOf(leaf, index, size, hashes) {
  let [found, place, last] = [sha256(Buffer.of(0), leaf), index, size - 1];
  for (const each of hashes) {
    if (last === 0) return undefined;
    if (place % 2 === 1 || place === last) {
      found = node(each, found);
      while (place % 2 === 0 && place > 0) [place, last] = [place / 2, Math.floor(last / 2)];
    } else found = node(found, each);
    [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
  }
  return last === 0 ? found : undefined;
}

function isSigned(text, signatures, vkey) {
  const [name, id, ...encoded] = vkey.split('+');
  const bytes = Buffer.from(encoded.join('+'), 'base64');
  const keyId = sha256(Buffer.from(name + '\n'), bytes).subarray(0, 4);
  if (keyId.toString('hex') !== id || bytes[0] !== 1 || bytes.length !== 33) refuse('the key is damaged');
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes.subarray(1).toString('base64url') };
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const prefix = '\u2014 ' + name + ' ';
  return (
    text.startsWith(name + '\n') &&
    signatures
      .split('\n')
      .filter((line) => line.startsWith(prefix))
      .map((line) => Buffer.from(line.slice(prefix.length), 'base64'))
      .some((each) => each.subarray(0, 4).equals(keyId) && verify(null, Buffer.from(text), key, each.subarray(4)))
  );
}

function check(position, vkey) {
  const [proof, text, signatures] = read('events', position + '.tlog-proof').toString().split('\n\n');
  const [head, index, ...hashes] = proof.split('\n').filter((line) => !line.startsWith('extra '));
  const [, size, root] = (text ?? '').split('\n');
  if (head !== 'c2sp.org/tlog-proof@v1' || !isSigned(text + '\n', signatures ?? '', vkey)) {
    refuse(position + ': the key did not sign the checkpoint');
  }
  const place = Number(index.replace('index ', ''));
  const path = hashes.map((each) => Buffer.from(each, 'base64'));
  const found = rootOf(read('events', position + '.json'), place, Number(size), path);
  if (!(place < Number(size)) || found?.toString('base64') !== root) {
    refuse(position + ': the event is not in the log of the checkpoint');
  }
  console.log(position + ': event ' + (place + 1) + ' of the ' + size + ' signed events');
}

try {
  for (const line of read('SHA256SUMS').toString().trimEnd().split('\n')) {
    const name = line.slice(66);
    if (sha256(read(name)).toString('hex') !== line.slice(0, 64)) refuse(name + ' is not the file that was packed');
  }
  const vkey = process.argv[2] ?? read('key.txt').toString().trim();
  const proofs = readdirSync(join(folder, 'events')).filter((name) => name.endsWith('.tlog-proof'));
  for (const name of proofs.sort()) check(name.slice(0, -'.tlog-proof'.length), vkey);
  console.log('All events are proven.');
} catch (error) {
  refuse(error.message);
}
`;
