import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { RookeryError } from '#kernel/errors.ts';
import type { Notifications } from '#kernel/listening.ts';
import { atMost } from '#kernel/lru.ts';
import type { MasterKey, SealingBox } from '#kernel/master-key.ts';
import { statement } from '#kernel/read.ts';
import { DAMAGED_KEY, type LoadedKeys } from '../eventlog/codec.ts';
import type { Database } from './db.ts';
import { dropErased } from './rebuild/as-of.ts';

/** Announces the subjects whose keys were destroyed. */
export const SUBJECT_KEYS_CHANNEL = 'rookery_subject_keys';
const INSERT = statement(
  'subject_key_insert',
  `insert into durable.subject_keys (subject, wrapped) values ($1, $2) on conflict (subject) do nothing`,
);
const SELECT = statement<{ subject: string; wrapped: Buffer | null }>(
  'subject_keys_select',
  'select subject, wrapped from durable.subject_keys where subject = any($1)',
);
/** Those that a replaced master key encrypts first. A damaged one among them proves nothing. */
const FIRST = statement<{ wrapped: Buffer }>(
  'subject_keys_first',
  'select wrapped from durable.subject_keys where wrapped is not null order by subject limit 10',
);
const DESTROY = statement(
  'subject_key_destroy',
  `with destroyed as (
     insert into durable.subject_keys as k (subject, wrapped, destroyed_at) values ($1, null, now())
     on conflict (subject) do update set wrapped = null, destroyed_at = coalesce(k.destroyed_at, now())
     returning subject
   ), undamaged as (
     delete from durable.damaged_events where subject = $1
   )
   select pg_notify('${SUBJECT_KEYS_CHANNEL}', subject) from destroyed`,
);

const DESTROYED = 'destroyed';

export const WRONG_KEYS =
  'keys.json (or ROOKERY_KEYS) has another master key than this database: use the key file of this server. After ' +
  '"rookery keys rotate-master", every machine needs the new one.';

/**
 * One AES-256 key per data subject, wrapped by the instance's master key, outside the log. A destroyed key
 * leaves an empty row, so that it is never created again.
 */
export class PostgresSubjectKeys {
  readonly #db: Database;
  readonly #box: SealingBox;
  /** `DESTROYED` for ever. */
  readonly #cache = new LRUCache<string, KeyObject | typeof DESTROYED>(atMost(50_000));
  readonly #listeners = new Set<() => void>();
  #changes = 0;

  constructor(db: Database, master: MasterKey) {
    this.#db = db;
    this.#box = master.box('subjectKeys');
  }

  /** Tells whether the master key is that of this database, as far as users have keys. */
  async areReadable(): Promise<boolean> {
    const rows = await this.#db.query(FIRST);
    return rows.length === 0 || rows.some(({ wrapped }) => this.#box.opens(wrapped));
  }

  /** Listens for keys that other processes destroy. */
  async listen(notifications: Notifications): Promise<void> {
    await notifications.subscribe({
      channel: SUBJECT_KEYS_CHANNEL,
      onNotification: (subject) => this.#forget(subject),
      onConnected: () => this.#forget(),
    });
  }

  onDestroyed(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /**
   * Returns the key of a subject; creates it on first use.
   * @throws RookeryError `gone` when it was destroyed, `conflict` when it is damaged
   */
  async keyFor(subject: string): Promise<KeyObject> {
    const cached = this.#cache.get(subject);
    if (cached && cached !== DESTROYED) return cached;
    if (!(await this.load([subject])).has(subject)) {
      await this.#db.query(INSERT, [subject, this.#box.seal(randomBytes(32))]);
    }
    const key = (await this.load([subject])).get(subject);
    if (!key) throw new RookeryError('gone', 'The subject of these personal fields was erased');
    if (key === DAMAGED_KEY) {
      throw new RookeryError('conflict', `The key of ${subject} is damaged: the operator must restore it`);
    }
    return key;
  }

  /** Returns the existing keys of these subjects. @throws Error when the master key is not that of this database */
  async load(subjects: readonly string[]): Promise<LoadedKeys> {
    const keys = new Map<string, KeyObject | typeof DAMAGED_KEY>();
    const missing: string[] = [];
    for (const subject of subjects) {
      const key = this.#cache.get(subject);
      if (key === undefined) missing.push(subject);
      else if (key !== DESTROYED) keys.set(subject, key);
    }
    if (missing.length === 0) return keys;
    const seen = this.#changes;
    const rows = await this.#db.query(SELECT, [missing]);
    for (const { subject, wrapped } of rows) {
      if (!wrapped) {
        this.#cache.set(subject, DESTROYED);
        continue;
      }
      const key = this.#unsealed(wrapped);
      keys.set(subject, key);
      // A damaged key is asked for again, because it may be restored. A key that was read before a change may be
      // destroyed.
      if (key !== DAMAGED_KEY && seen === this.#changes) this.#cache.set(subject, key);
    }
    // With a wrong master key every user would seem erased.
    if ([...keys.values()].includes(DAMAGED_KEY) && !(await this.areReadable())) throw new Error(WRONG_KEYS);
    return keys;
  }

  #unsealed(wrapped: Buffer): KeyObject | typeof DAMAGED_KEY {
    try {
      return createSecretKey(this.#box.unseal(wrapped));
    } catch {
      return DAMAGED_KEY;
    }
  }

  /**
   * Erases the personal fields of a subject for ever: everywhere in the log, and in builds of the past. A
   * subject without a key never gets one.
   */
  async destroy(subject: string): Promise<void> {
    this.#forget(subject);
    await this.#db.query(DESTROY, [subject]);
    // A reader may have loaded it meanwhile.
    this.#forget(subject);
    await dropErased(this.#db);
  }

  /** Forgets one key, or all. */
  #forget(subject?: string): void {
    this.#changes += 1;
    if (subject === undefined) this.#cache.clear();
    else this.#cache.delete(subject);
    for (const listener of this.#listeners) listener();
  }
}
