import type { EventStore, StoredEvent } from '#storage/eventlog/port.ts';

/** A generator with the same numbers each time (mulberry32), from 0 up to an exclusive bound. */
export function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * sides);
  };
}

/** Returns the n-th event of a log, counted from 0. */
export const eventAt = (n: number): StoredEvent => ({
  position: BigInt(n + 1),
  stream: `thing-${n % 7}`,
  revision: Math.floor(n / 7),
  id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  type: 'SomethingHappened',
  data: JSON.stringify({ n, text: 'line\u2028"break"', $secret: 'c2VjcmV0', $subject: '1' }),
  metadata: JSON.stringify({ time: '2026-11-22T16:00:00.000Z', command_id: `c${n}` }),
});
export const eventsUpTo = (count: number): StoredEvent[] =>
  Array.from({ length: count }, (_, n) => eventAt(n));

/** An in-memory log whose past can be changed. */
export class ChangeableLog implements Pick<EventStore, 'readAll' | 'head'> {
  events: StoredEvent[];
  /** The number of events read so far. */
  read = 0;

  constructor(events: StoredEvent[]) {
    this.events = events;
  }

  head(): Promise<bigint> {
    return Promise.resolve(this.events.at(-1)?.position ?? 0n);
  }

  readAll(after: bigint, limit: number): Promise<StoredEvent[]> {
    const start = this.events.findIndex(({ position }) => position > after);
    const events = start < 0 ? [] : this.events.slice(start, start + limit);
    this.read += events.length;
    return Promise.resolve(events);
  }
}

type Roll = ReturnType<typeof dice>;
type Change = (events: StoredEvent[], roll: Roll) => StoredEvent[];

/** Ways to change one member of an event. */
const EDITS: ((event: StoredEvent) => Partial<StoredEvent>)[] = [
  ({ data }) => ({ data: data.replace('line', 'lime') }),
  ({ data }) => ({ data: data.replace('{', '{ ') }),
  ({ data }) => ({ data: data.replace('c2VjcmV0', 'c2VjcmVU') }),
  ({ metadata }) => ({ metadata: metadata.replace('16:00', '16:01') }),
  ({ data, metadata }) => ({ data: metadata, metadata: data }),
  ({ type }) => ({ type: `${type}2` }),
  ({ stream }) => ({ stream: `${stream}0` }),
  ({ revision }) => ({ revision: revision + 1 }),
  ({ id }) => ({ id: id.replace('4000', '4001') }),
];

const renumbered = (events: StoredEvent[]): StoredEvent[] =>
  events.map((event, n) => ({ ...event, position: BigInt(n + 1) }));

/** Ways to change the past of a log. */
export const CHANGES: Record<string, Change> = {
  edit: (events, roll) => {
    const at = roll(events.length);
    const edit = EDITS[roll(EDITS.length)]!;
    return events.map((event, n) => (n === at ? { ...event, ...edit(event) } : event));
  },
  delete: (events, roll) => events.toSpliced(roll(events.length), 1),
  'delete and close the gap': (events, roll) => renumbered(events.toSpliced(roll(events.length), 1)),
  insert: (events, roll) => renumbered(events.toSpliced(roll(events.length), 0, eventAt(100_000))),
  'repeat one': (events, roll) => {
    const at = roll(events.length - 1);
    return renumbered(events.toSpliced(at, 0, events[at]!));
  },
  swap: (events, roll) => {
    const one = roll(events.length);
    const other = (one + 1 + roll(events.length - 1)) % events.length;
    return renumbered(events.with(one, events[other]!).with(other, events[one]!));
  },
  'swap with positions': (events, roll) => {
    const one = roll(events.length - 1);
    return events.with(one, events[one + 1]!).with(one + 1, events[one]!);
  },
  truncate: (events, roll) => events.slice(0, roll(events.length)),
};
