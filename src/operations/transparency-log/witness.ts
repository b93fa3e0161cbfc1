import { hash, hkdfSync } from 'node:crypto';
import { RookeryError } from '#kernel/errors.ts';
import { keyIdOf, type NamedKey, NOTE_KEY, parseKeyText } from '#kernel/named-key.ts';
import type { Db } from '#kernel/read.ts';
import type {
  LogWitness,
  WitnessedFork,
  WitnessedLog,
  WitnessReply,
} from '#kernel/services/transparency-log.ts';
import { isConsistent } from './check-proof.ts';
import { type NotedCheckpoint, parseCheckpoint } from './checkpoint.ts';
import { type Cosigner, cosigner } from './cosignature.ts';
import { rootOf } from './merkle.ts';
import { type NoteSignature, noteVerifier, signatureLine } from './note.ts';
import {
  advance,
  keepFork,
  type LatestCosigned,
  latestCosigned,
  openForks,
  witnessedForks,
  witnessedLogs,
} from './stored-witnessed.ts';

/** The most hashes of a consistency proof. */
const MAX_HASHES = 63;
/** The most signatures of a checkpoint that are looked at. */
const MAX_SIGNATURES = 32;

export interface LogWitnessDependencies {
  db: Db;
  /** The seed of the key that signs checkpoints of the own log; that of cosignatures derives from it. */
  seed: Buffer;
  /** The domain. */
  origin: string;
  /** The keys of the logs that may ask for cosignatures, as `name+id+key`. */
  logs: readonly string[];
  onFork?: (fork: { origin: string; size: number; known: number }) => void;
}

interface Asked {
  old: number;
  hashes: readonly Buffer[];
  checkpoint: NotedCheckpoint;
}

/** This server as a witness of other logs: https://c2sp.org/tlog-witness */
export class Witness implements LogWitness {
  readonly #dependencies: LogWitnessDependencies;
  readonly #cosigner: Cosigner;
  readonly #logs: readonly NamedKey[];

  constructor(dependencies: LogWitnessDependencies) {
    this.#dependencies = dependencies;
    this.#cosigner = cosigner(witnessSeed(dependencies.seed), `${dependencies.origin}/witness`);
    this.#logs = dependencies.logs.flatMap((key) => parseKeyText(key, NOTE_KEY) ?? []);
  }

  get key(): string {
    return this.#cosigner.key;
  }

  get logs(): readonly string[] {
    return this.#dependencies.logs;
  }

  async addCheckpoint(body: string): Promise<WitnessReply> {
    const asked = askedIn(body);
    if (!asked)
      return refusal(400, 'Send `old SIZE`, the hashes of a consistency proof, an empty line, a checkpoint');
    const { old, checkpoint } = asked;
    const { origin, size } = checkpoint;
    const keys = this.#logs.filter(({ name }) => name === origin);
    if (keys.length === 0) return refusal(404, 'This server does not witness the log');
    const signed = signaturesBy(keys, checkpoint);
    if (!signed) return refusal(403, 'The checkpoint is not signed by a known key of the log');
    if (old > size) return refusal(400, 'The old size is larger than the checkpoint');
    const latest = await latestCosigned(this.#dependencies.db, origin);
    const known = latest?.size ?? 0;
    const isOther = latest?.size === size && !latest.root.equals(checkpoint.root);
    if (latest && isOther) await this.#keepFork(asked, signed, latest);
    if (old !== known) return conflict(known);
    if (!continues(asked, latest)) {
      if (latest && !isOther && size > known) await this.#keepFork(asked, signed, latest);
      return refusal(422, 'The proof does not show that the checkpoint continues the one before');
    }
    return this.#cosign(checkpoint, signed, latest);
  }

  async checkpointOf(originHash: string): Promise<string | undefined> {
    const origin = this.#logs.find(({ name }) => hash('sha256', name) === originHash)?.name;
    return origin === undefined ? undefined : (await latestCosigned(this.#dependencies.db, origin))?.note;
  }

  witnessed(): Promise<WitnessedLog[]> {
    return witnessedLogs(this.#dependencies.db);
  }

  forks(limit: number): Promise<WitnessedFork[]> {
    return witnessedForks(this.#dependencies.db, limit);
  }

  openForks(): Promise<{ origin: string; detail: string }[]> {
    const origins = [...new Set(this.#logs.map(({ name }) => name))];
    return origins.length === 0 ? Promise.resolve([]) : openForks(this.#dependencies.db, origins);
  }

  async #cosign(
    { origin, size, root, note: { text } }: NotedCheckpoint,
    signed: string,
    latest: LatestCosigned | undefined,
  ): Promise<WitnessReply> {
    const { db } = this.#dependencies;
    const line = this.#cosigner.cosign(text, Math.floor(Date.now() / 1_000));
    // Stored before the reply, and only if no other request was first.
    if (await advance(db, origin, { size, root, note: `${signed}${line}` }, latest)) {
      return { status: 200, text: line, contentType: PLAIN };
    }
    return conflict((await latestCosigned(db, origin))?.size ?? 0);
  }

  async #keepFork({ checkpoint }: Asked, signed: string, known: LatestCosigned): Promise<void> {
    const { origin, size, root } = checkpoint;
    const isProven = size === known.size;
    await keepFork(this.#dependencies.db, origin, { size, root, note: signed }, { known, isProven });
    this.#dependencies.onFork?.({ origin, size, known: known.size });
  }
}

/** The key of cosignatures is another one, because one key must not sign two kinds of texts. */
const witnessSeed = (seed: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', seed, '', 'rookery log witness', 32));

/** Returns undefined for a body that is no request. */
function askedIn(body: string): Asked | undefined {
  const end = body.indexOf('\n\n');
  const [first = '', ...lines] = body.slice(0, Math.max(end, 0)).split('\n');
  const [, digits] = /^old (0|[1-9][0-9]{0,14})$/.exec(first) ?? [];
  const hashes = lines.map((line) => Buffer.from(line, 'base64'));
  const areHashes = hashes.every((each, at) => each.length === 32 && each.toString('base64') === lines[at]);
  if (digits === undefined || hashes.length > MAX_HASHES || !areHashes) return undefined;
  try {
    const checkpoint = parseCheckpoint(body.slice(end + 2));
    const { signatures } = checkpoint.note;
    return signatures.length > MAX_SIGNATURES ? undefined : { old: Number(digits), hashes, checkpoint };
  } catch (error) {
    if (error instanceof RookeryError) return undefined;
    throw error;
  }
}

/** Returns the checkpoint with the signatures of known keys alone; undefined if there is none, or a wrong one. */
function signaturesBy(
  keys: readonly NamedKey[],
  { note: { text, signatures } }: NotedCheckpoint,
): string | undefined {
  const known = signatures.flatMap((signature): { signature: NoteSignature; key: NamedKey }[] => {
    const key = keys.find((each) => each.name === signature.name && keyIdOf(each).equals(signature.keyId));
    return key ? [{ signature, key }] : [];
  });
  const areValid = known.every(({ signature, key: { name, publicKey } }) =>
    noteVerifier(name, publicKey).verifies({ text, signatures: [signature] }),
  );
  if (known.length === 0 || !areValid) return undefined;
  return `${text}\n${known.map(({ signature }) => signatureLine(signature)).join('')}`;
}

/** Tells whether a checkpoint continues the latest one; any continues none, and the empty one. */
function continues(
  { old, hashes, checkpoint: { size, root } }: Asked,
  latest: LatestCosigned | undefined,
): boolean {
  if (size === 0 && !root.equals(rootOf([]))) return false;
  if (!latest || old === 0) return hashes.length === 0;
  return isConsistent({ from: old, to: size, hashes }, latest.root, root);
}

const PLAIN = 'text/plain; charset=utf-8';

const refusal = (status: number, text: string): WitnessReply => ({
  status,
  text: `${text}\n`,
  contentType: PLAIN,
});

/** https://c2sp.org/tlog-witness: the size that the next request begins with. */
const conflict = (size: number): WitnessReply => ({
  status: 409,
  text: `${size}\n`,
  contentType: 'text/x.tlog.size',
});
