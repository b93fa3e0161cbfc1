import { MOST_NOTED, MOST_OF_SUBJECT } from '#kernel/services/damaged-events.ts';
import type { DamagedEvent, StoredEvent } from '#storage/eventlog/port.ts';
import { subjectOf } from './missing-keys.ts';

/** Returns the events whose encrypted fields the stored keys do not decrypt. */
export type DamagedAmong = (events: readonly StoredEvent[]) => Promise<DamagedEvent[]>;

/** A damaged event, and the number of events before it. */
export type PlacedDamage = DamagedEvent & { index: number };

/** The result for a whole log. */
export interface DamageFindings {
  /** A fault of a key, for the operator. */
  problem: string | undefined;
  /** Some of the damaged events of each subject. */
  damaged: PlacedDamage[];
}

/** The damaged events of one subject. */
interface OfSubject {
  subject: string | undefined;
  count: number;
  events: PlacedDamage[];
  /** The stored key itself is damaged. */
  isKeyDamaged: boolean;
  /** Other fields of the subject were decrypted, before all of these or among them. */
  isKeyRight: boolean;
  readableSince: boolean;
}

/** Subjects remembered between pages. */
const MAX_READABLE = 100_000;

/**
 * Finds events whose fields cannot be decrypted. A subject of whom only later fields can be decrypted, or none, has another
 * key than before; otherwise it is the fields that are damaged.
 */
export class DamagedFields {
  readonly #damagedAmong: DamagedAmong;
  readonly #readable = new Set<string>();
  readonly #found = new Map<string | undefined, OfSubject>();

  constructor(damagedAmong: DamagedAmong = () => Promise.resolve([])) {
    this.#damagedAmong = damagedAmong;
  }

  /** Takes the next events; `index` is the number of events before them. */
  async take(events: readonly StoredEvent[], index: number): Promise<void> {
    const damaged = new Map((await this.#damagedAmong(events)).map((each) => [each.position, each]));
    if (this.#readable.size > MAX_READABLE) this.#readable.clear();
    for (const [offset, event] of events.entries()) {
      const damage = damaged.get(event.position);
      if (damage) this.#note({ ...damage, index: index + offset });
      else this.#takeReadable(event);
    }
  }

  /** `isErased` names subjects whose keys were destroyed meanwhile. */
  end(isErased: (subject: string) => boolean): DamageFindings {
    const found = [...this.#found.values()].filter(({ subject = '' }) => !isErased(subject));
    const wrong = found.filter(isKeyWrong);
    const [first] = wrong;
    const others = wrong.length > 1 ? `; so it is with the keys of ${wrong.length - 1} others` : '';
    return {
      problem: first && `${keyText(first)}${others}`,
      damaged: found
        .flatMap((each) => (isKeyWrong(each) ? each.events.map(withKeyToBlame) : each.events))
        .toSorted((one, other) => one.index - other.index)
        .slice(0, MOST_NOTED),
    };
  }

  #takeReadable({ data }: StoredEvent): void {
    const subject = subjectOf(data);
    if (subject === undefined) return;
    const found = this.#found.get(subject);
    if (found) found.readableSince = true;
    else this.#readable.add(subject);
  }

  #note(damage: PlacedDamage): void {
    const { subject, cause } = damage;
    const found = this.#found.get(subject);
    if (found) {
      found.count += 1;
      if (found.events.length < MOST_OF_SUBJECT) found.events.push(damage);
      if (found.readableSince) found.isKeyRight = true;
    } else if (this.#found.size < MOST_NOTED) {
      this.#found.set(subject, {
        subject,
        count: 1,
        events: [damage],
        isKeyDamaged: cause === 'key',
        isKeyRight: subject === undefined || this.#readable.has(subject),
        readableSince: false,
      });
    }
  }
}

const isKeyWrong = ({ isKeyDamaged, isKeyRight, count }: OfSubject): boolean =>
  isKeyDamaged || (!isKeyRight && count > 1);

const withKeyToBlame = (damage: PlacedDamage): PlacedDamage => ({ ...damage, cause: 'key' });

function keyText({ subject = '', isKeyDamaged, count, events }: OfSubject): string {
  const fault = isKeyDamaged ? 'is damaged' : 'was changed';
  return (
    `The key of ${subject} ${fault}: the personal fields of ${count} event${count === 1 ? '' : 's'} ` +
    `cannot be decrypted, from position ${events[0]?.position} on`
  );
}

/** Describes events whose fields are damaged; undefined for none. */
export function describeDamage(damaged: readonly DamagedEvent[]): string | undefined {
  const [first] = damaged;
  if (!first) return undefined;
  const others =
    damaged.length === 1
      ? ''
      : `, and those of ${damaged.length - 1} other events, up to ${damaged.at(-1)?.position}`;
  return (
    `The personal fields of the event at position ${first.position} (${first.type}) ` +
    `cannot be decrypted${others}: they are read as erased`
  );
}
