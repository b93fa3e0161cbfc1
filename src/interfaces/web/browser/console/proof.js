// @ts-check

const NAME_OF_SIGNATURE = '— ';

/** @param {string} text in base64 */
const bytesOf = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/** @param {Uint8Array} bytes */
const base64Of = (bytes) => btoa(String.fromCharCode(...bytes));

/** @param {(Uint8Array | number)[]} parts */
async function sha256(...parts) {
  const bytes = parts.flatMap((part) => (typeof part === 'number' ? [part] : [...part]));
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes)));
}

/**
 * @param {Uint8Array} left
 * @param {Uint8Array} right
 */
const nodeOf = (left, right) => sha256(1, left, right);

/**
 * Takes the hashes of a proof from the leaf to the root, as RFC 9162 says, and calls back at each.
 * @param {number} place
 * @param {number} last
 * @param {readonly Uint8Array[]} hashes
 * @param {(hash: Uint8Array, isLeft: boolean) => Promise<void>} take
 */
async function climb(place, last, hashes, take) {
  for (const hash of hashes) {
    if (last === 0) return false;
    const isLeft = place % 2 === 1 || place === last;
    await take(hash, isLeft);
    while (isLeft && place % 2 === 0 && place > 0) [place, last] = [place / 2, Math.floor(last / 2)];
    [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
  }
  return last === 0;
}

/** @param {string} checkpoint */
function partsOf(checkpoint) {
  const [text = '', signatures = ''] = checkpoint.split('\n\n');
  const [name = '', size = '', root = ''] = text.split('\n');
  return { text: `${text}\n`, name, size: Number(size), root, signatures: signatures.split('\n') };
}

/**
 * @param {string} checkpoint
 * @param {string} key `name+id+key`
 * @returns {Promise<boolean | undefined>} undefined where the browser cannot verify such signatures
 */
async function isSigned(checkpoint, key) {
  const { text, name, signatures } = partsOf(checkpoint);
  // The key is in base64, which may have a plus itself.
  const encoded = key.split('+').slice(2).join('+');
  const start = `${NAME_OF_SIGNATURE}${name} `;
  const lines = signatures.filter((line) => line.startsWith(start));
  try {
    const raw = bytesOf(encoded).slice(1);
    const verifier = await crypto.subtle.importKey('raw', raw, { name: 'Ed25519' }, false, ['verify']);
    for (const line of lines) {
      const signature = bytesOf(line.slice(start.length)).slice(4);
      const data = new TextEncoder().encode(text);
      if (await crypto.subtle.verify({ name: 'Ed25519' }, verifier, signature, data)) return true;
    }
    return false;
  } catch {
    return undefined;
  }
}

/**
 * @typedef {{ good: boolean, text: string }} Found
 * @param {Record<string, any>} proof
 * @returns {Promise<Found[]>}
 */
async function checkEntry(proof) {
  const { checkpoint, tree_size: size, others = [] } = proof;
  const isEvent = JSON.parse(proof.leaf).id === proof.event_id;
  /** @type {Found[]} */
  const found = [];
  for (const each of [proof, ...others]) {
    const { isHash, leads } = await checkEvent(each, { checkpoint, size });
    const isRight = isHash && (each !== proof || isEvent);
    found.push(
      isRight
        ? { good: true, text: `The hash is that of ${each.type}.` }
        : { good: false, text: `The hash is not that of ${each.type}.` },
      leads
        ? {
            good: true,
            text: `${each.hashes.length} hashes lead from ${each.type} to the root of the checkpoint.`,
          }
        : { good: false, text: `The hashes do not lead from ${each.type} to the root of the checkpoint.` },
    );
  }
  return [...found, signatureFound(await isSigned(checkpoint, proof.key))];
}

/**
 * @param {Record<string, any>} proof of one event
 * @param {{ checkpoint: string, size: number }} tree
 */
async function checkEvent(
  { leaf, hashes, position, type, leaf_hash, leaf_index: index },
  { checkpoint, size },
) {
  const parts = partsOf(checkpoint);
  const event = JSON.parse(leaf);
  let root = await sha256(0, new TextEncoder().encode(leaf));
  const isHash = base64Of(root) === leaf_hash && event.position === position && event.type === type;
  const ends = await climb(index, size - 1, hashes.map(bytesOf), async (hash, isLeft) => {
    root = await (isLeft ? nodeOf(hash, root) : nodeOf(root, hash));
  });
  return { isHash, leads: ends && parts.size === size && parts.root === base64Of(root) };
}

/**
 * @param {Record<string, any>} proof
 * @returns {Promise<Found[]>}
 */
async function checkContinuation({ from, to, hashes, checkpoint, newest, key }) {
  const [older, newer] = [partsOf(checkpoint), partsOf(newest)];
  const holds = await continues({ from, to, hashes: hashes.map(bytesOf) }, older.root, newer.root);
  const both = [await isSigned(checkpoint, key), await isSigned(newest, key)];
  return [
    holds && older.size === from && newer.size === to
      ? { good: true, text: `${hashes.length} hashes lead to the roots of both checkpoints.` }
      : { good: false, text: 'The hashes do not lead to the roots of both checkpoints.' },
    signatureFound(both.includes(undefined) ? undefined : both.every((each) => each)),
  ];
}

/**
 * @param {{ from: number, to: number, hashes: Uint8Array[] }} proof
 * @param {string} older
 * @param {string} newer
 */
async function continues({ from, to, hashes }, older, newer) {
  if (from === to || from === 0) return from === 0 || (hashes.length === 0 && older === newer);
  const [first, ...rest] = Number.isInteger(Math.log2(from)) ? [bytesOf(older), ...hashes] : hashes;
  if (!first) return false;
  let [place, last] = [from - 1, to - 1];
  while (place % 2 === 1) [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
  let [before, after] = [first, first];
  const ends = await climb(place, last, rest, async (hash, isLeft) => {
    if (isLeft) before = await nodeOf(hash, before);
    after = await (isLeft ? nodeOf(hash, after) : nodeOf(after, hash));
  });
  return ends && base64Of(before) === older && base64Of(after) === newer;
}

/**
 * @param {boolean | undefined} signed
 * @returns {Found}
 */
function signatureFound(signed) {
  if (signed === undefined) {
    return { good: false, text: 'This browser cannot check the signature: check it elsewhere.' };
  }
  return signed
    ? { good: true, text: 'The signature is that of the key of this server. Compare the key with yours.' }
    : { good: false, text: 'The signature is not that of the key of this server.' };
}

/** Checks the proof of the page, and shows what it finds. */
async function checkProof() {
  const place = document.querySelector('[data-proof]');
  const list = place?.querySelector('[data-proof-findings]');
  if (!(place instanceof HTMLElement) || !list) return;
  const proof = JSON.parse(place.dataset['proof'] ?? '{}');
  /** @type {Found[]} */
  const findings = await (proof.kind === 'entry' ? checkEntry(proof) : checkContinuation(proof)).catch(() => [
    { good: false, text: 'This browser cannot compute the proof: check it elsewhere.' },
  ]);
  place.querySelector('[data-proof-waits]')?.remove();
  for (const { good, text } of findings) {
    const shape = document.querySelector(`template[data-finding=${good ? 'good' : 'bad'}]`);
    if (!(shape instanceof HTMLTemplateElement)) continue;
    const item = shape.content.cloneNode(true);
    if (item instanceof DocumentFragment) item.querySelector('span')?.append(text);
    list.append(item);
  }
}

void checkProof();
