import { type Db, statement } from '#kernel/read.ts';
import type { StoredEvent } from '#storage/eventlog/port.ts';

const WITHOUT_KEY = statement<{ subject: string }>(
  'log_subjects_without_key',
  `select s.subject from unnest($1::text[]) as s (subject)
   where not exists (
     select from durable.subject_keys k where k.subject = s.subject and k.wrapped is not null
   )`,
);

/**
 * Returns the subject whose key is destroyed because of an event; undefined for any other event. `data` reads
 * the stored data of the event.
 */
export type ErasedSubject = (type: string, data: () => unknown) => string | undefined;

const SUBJECT = '"$subject":"';

/**
 * Compares the subjects of encrypted fields with the keys that are stored: a key is missing only where the log
 * says that its subject was erased. Otherwise it was destroyed beside the log.
 */
export class MissingKeys {
  readonly #db: Db;
  readonly #erasedSubject: ErasedSubject;
  readonly #present = new Set<string>();
  /** The position of the first event whose fields cannot be read. */
  readonly #missing = new Map<string, bigint>();
  readonly #erased = new Set<string>();

  constructor(db: Db, erasedSubject: ErasedSubject = () => undefined) {
    this.#db = db;
    this.#erasedSubject = erasedSubject;
  }

  async take(events: readonly StoredEvent[]): Promise<void> {
    const found = new Map<string, bigint>();
    for (const event of events) {
      this.takeErasure(event);
      const subject = subjectOf(event.data);
      if (subject === undefined || this.#present.has(subject) || this.#missing.has(subject)) continue;
      if (!found.has(subject)) found.set(subject, event.position);
    }
    if (found.size === 0) return;
    const rows = await this.#db.query(WITHOUT_KEY, [[...found.keys()]]);
    const missing = new Set(rows.map(({ subject }) => subject));
    if (this.#present.size > MAX_PRESENT) this.#present.clear();
    for (const [subject, position] of found) {
      if (missing.has(subject)) this.#missing.set(subject, position);
      else this.#present.add(subject);
    }
  }

  /** Takes an event that may say that a subject was erased, also after the part of the log that is verified. */
  takeErasure({ type, data }: StoredEvent): void {
    const subject = this.#erasedSubject(type, () => JSON.parse(data) as unknown);
    if (subject !== undefined) this.#erased.add(subject);
  }

  isErased(subject: string): boolean {
    return this.#erased.has(subject);
  }

  /** Returns a fault for the operator, or undefined. */
  problem(): string | undefined {
    const lost = [...this.#missing].filter(([subject]) => !this.#erased.has(subject));
    const [first] = lost;
    if (!first) return undefined;
    const [subject, position] = first;
    const others = lost.length === 1 ? '' : `, and those of ${lost.length - 1} others`;
    return (
      `The key of ${subject} is missing${others}, but the log has no erasure: ` +
      `personal fields cannot be read from position ${position} on`
    );
  }
}

/** Subjects remembered between pages. */
const MAX_PRESENT = 100_000;

/** Returns the subject of encrypted fields. The codec writes it as the last member; in a damaged event it may be anywhere. */
export function subjectOf(data: string): string | undefined {
  const at = data.lastIndexOf(SUBJECT);
  if (at < 0) return undefined;
  const start = at + SUBJECT.length;
  return data.slice(start, data.indexOf('"', start));
}
