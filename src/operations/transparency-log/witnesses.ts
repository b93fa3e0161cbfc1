import { RookeryError } from '#kernel/errors.ts';
import type { Db } from '#kernel/read.ts';
import type { HttpClient } from '#kernel/services/http-client.ts';
import type { WitnessState } from '#kernel/services/transparency-log.ts';
import { parseCheckpoint } from './checkpoint.ts';
import { type Cosignature, cosignatureIn, parseCosignatureKey } from './cosignature.ts';
import { newestCheckpoint } from './stored-checkpoints.ts';
import { storeCosignature } from './stored-cosignatures.ts';
import {
  forgetFormerWitnesses,
  storedWitnesses,
  storeWitness,
  type WitnessOutcome,
} from './stored-witnesses.ts';

/** Milliseconds between two checkpoints for one witness. */
const EVERY = 10 * 60_000;
const DEADLINE = 10_000;
/** Bytes of a reply. */
const MAX_REPLY = 16_384;
/** Rounds with a witness that has another size than expected. */
const ROUNDS = 2;
/** The end of addresses that speak the witness protocol. */
const ADD_CHECKPOINT = '/add-checkpoint';

/** An address that gets checkpoints. */
export interface Witness {
  url: string;
  /** The key of its cosignatures, as `name+id+key`. */
  key: string | undefined;
}

export interface WitnessDependencies {
  db: Db;
  /** Reaches the hosts that the operator names, also private ones. */
  http: Pick<HttpClient, 'fetch'>;
  /** Those of the settings. */
  witnesses: readonly Witness[];
  log: {
    proveConsistency(from: number, to?: number): Promise<{ hashes: string[] }>;
    /** Puts new cosignatures beside the newest checkpoint, where it is kept. */
    publishCosignatures(): Promise<void>;
  };
  onContradiction?: (outcome: WitnessOutcome) => void;
}

/**
 * Posts checkpoints to servers of the operator's choice. Addresses that end with `/add-checkpoint` are
 * witnesses (https://c2sp.org/tlog-witness), which verify that the log only grew and sign that; their cosignatures
 * are stored only if their keys verify them. Others get each checkpoint as text. The checkpoint of a witness cannot be cut off together with the end of the log.
 */
export class Witnesses {
  readonly #dependencies: WitnessDependencies;

  constructor(dependencies: WitnessDependencies) {
    this.#dependencies = dependencies;
  }

  /** Posts the newest checkpoint to each configured address that lacks it, at most once in ten minutes. */
  async postWhenDue(): Promise<void> {
    const { witnesses, db } = this.#dependencies;
    await forgetFormerWitnesses(
      db,
      witnesses.map(({ url }) => url),
    );
    if (witnesses.length === 0) return;
    const { size } = parseCheckpoint(await this.#newest());
    const known = new Map((await storedWitnesses(db)).map((each) => [each.url, each]));
    const now = Date.now();
    const due = witnesses.filter(({ url }) => {
      const witness = known.get(url);
      if (!witness) return true;
      const isBehind = witness.size !== size || witness.error !== undefined;
      return isBehind && now - Date.parse(witness.triedAt) >= EVERY;
    });
    await this.post(due);
  }

  /**
   * Posts the newest checkpoint to addresses, and stores the outcomes; to the configured ones by default.
   * @throws RookeryError `not_found` before the first checkpoint
   */
  async post(witnesses: readonly Witness[] = this.#dependencies.witnesses): Promise<WitnessOutcome[]> {
    const { db, log, onContradiction } = this.#dependencies;
    const checkpoint = await this.#newest();
    const known = new Map((await storedWitnesses(db)).map((each) => [each.url, each.size]));
    const outcomes = await Promise.all(
      witnesses.map(async (witness) => {
        const outcome = await this.#exchange(witness, checkpoint, known.get(witness.url) ?? 0);
        if (outcome.cosignature) await storeCosignature(db, checkpoint, outcome.cosignature);
        await storeWitness(db, outcome);
        if (outcome.contradicts === true) onContradiction?.(outcome);
        return outcome;
      }),
    );
    if (outcomes.some(({ cosignature }) => cosignature)) await log.publishCosignatures();
    return outcomes;
  }

  /** Returns the state of each configured address. */
  async states(): Promise<WitnessState[]> {
    const { witnesses, db } = this.#dependencies;
    const known = new Map((await storedWitnesses(db)).map((each) => [each.url, each]));
    return witnesses.map(({ url, key = null }) => {
      const { size = 0, triedAt, postedAt, error, contradicts = false } = known.get(url) ?? {};
      return {
        url,
        key,
        size,
        triedAt: triedAt ?? null,
        postedAt: postedAt ?? null,
        error: error ?? null,
        contradicts,
      };
    });
  }

  async #newest(): Promise<string> {
    const newest = await newestCheckpoint(this.#dependencies.db);
    if (!newest) throw new RookeryError('not_found', 'There is no checkpoint yet');
    return newest.note;
  }

  async #exchange(witness: Witness, checkpoint: string, known: number): Promise<WitnessOutcome> {
    const { url } = witness;
    try {
      return url.endsWith(ADD_CHECKPOINT)
        ? await this.#addCheckpoint(witness, checkpoint, known)
        : await this.#send(url, checkpoint, known);
    } catch (error) {
      return { url, size: known, error: error instanceof Error ? error.message : String(error) };
    }
  }

  async #send(url: string, checkpoint: string, known: number): Promise<WitnessOutcome> {
    const { status } = await this.#post(url, checkpoint);
    if (status >= 200 && status < 300) return { url, size: parseCheckpoint(checkpoint).size };
    return { url, size: known, error: `The reply has the status ${status}` };
  }

  /** https://c2sp.org/tlog-witness#add-checkpoint */
  async #addCheckpoint({ url, key }: Witness, checkpoint: string, known: number): Promise<WitnessOutcome> {
    if (key === undefined) {
      const error = 'The settings name no key, without which its cosignatures prove nothing';
      return { url, size: known, error };
    }
    const { size } = parseCheckpoint(checkpoint);
    let old = Math.min(known, size);
    for (let round = 1; ; round += 1) {
      const hashes = old === 0 || old === size ? [] : await this.#proof(old, size);
      const body = [`old ${old}`, ...hashes, '', checkpoint].join('\n');
      const { status, body: reply } = await this.#post(url, body);
      const text = reply.toString('utf8');
      if (status === 200) return { url, size, cosignature: verified(text, checkpoint, key) };
      const theirs = status === 409 ? sizeIn(text) : undefined;
      if (theirs !== undefined && theirs > size) {
        const error = `It has a checkpoint of ${theirs} events, and this log has ${size}`;
        return { url, size: known, error, contradicts: true };
      }
      if (theirs === undefined || theirs === old || round === ROUNDS) {
        const error = `The reply has the status ${status}: ${text.trim().slice(0, 200)}`;
        // The proof is right by the hashes that are stored here, so the witness has seen another log.
        return {
          url,
          size: known,
          error,
          contradicts: status === 422 || (status === 409 && theirs === size),
        };
      }
      old = theirs;
    }
  }

  async #proof(from: number, to: number): Promise<string[]> {
    return (await this.#dependencies.log.proveConsistency(from, to)).hashes;
  }

  #post(url: string, body: string): ReturnType<HttpClient['fetch']> {
    return this.#dependencies.http.fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain; charset=utf-8' },
      body,
      deadline: DEADLINE,
      maxBytes: MAX_REPLY,
      truncate: true,
      maxRedirects: 0,
    });
  }
}

/** @throws RookeryError `invalid` for a reply without a valid cosignature by the key */
const verified = (reply: string, checkpoint: string, key: string): Cosignature =>
  cosignatureIn(reply, {
    text: parseCheckpoint(checkpoint).note.text,
    verifier: parseCosignatureKey(key),
    now: Math.floor(Date.now() / 1_000),
  });

/** Returns the size in a reply of 409. */
const sizeIn = (text: string): number | undefined => (/^\d{1,15}\n?$/.test(text) ? Number(text) : undefined);
