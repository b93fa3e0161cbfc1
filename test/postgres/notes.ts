import { z } from 'zod';
import { defineEvent } from '#kernel/event.ts';
import { on, type Projection } from '#kernel/projection.ts';
import { createCodec } from '#storage/eventlog/codec.ts';
import { createEventLog } from '#storage/eventlog/event-log.ts';
import { deriveId } from '#storage/eventlog/execute.ts';
import type { EventLog } from '#storage/eventlog/port.ts';
import { openPostgresEventStore } from '#storage/eventlog/postgres.ts';

/** An event of the specs of projections. */
export const Noted = defineEvent({
  type: 'Noted',
  version: 1,
  schema: z.object({ n: z.number() }),
  samples: { 1: { n: 1 } },
});

/** Returns a projection of `Noted`, which rejects one number if given. */
export const notes = (version: number, group = 'one', poison?: number): Projection => ({
  name: group === 'one' ? 'notes' : `notes_${group}`,
  version,
  group,
  tables: {
    [group === 'one' ? 'notes' : `notes_${group}`]:
      `n integer primary key${version > 1 ? ', double integer' : ''}`,
  },
  indexes: [],
  handlers: [
    on(Noted, {
      keys: ({ data }) => [String(data.n)],
      apply: async (events, db) => {
        const numbers = events.map(({ data }) => data.n);
        if (poison !== undefined && numbers.includes(poison)) throw new Error('cannot take this one');
        const table = group === 'one' ? 'notes' : `notes_${group}`;
        await db.query(
          `insert into ${table} select n${version > 1 ? ', 2 * n' : ''} from unnest($1::int[]) n`,
          [numbers],
        );
      },
    }),
  ],
});

/** Opens a log of `Noted`, whose followers fail while it is not readable. */
export async function openLogOfNotes(url: string, isReadable = (): boolean => true): Promise<EventLog> {
  const none = { keyFor: () => Promise.reject(new Error()), load: () => Promise.resolve(new Map()) };
  const whole = createEventLog(await openPostgresEventStore(url), createCodec([Noted], none));
  const assertReadable = (): void => {
    if (!isReadable()) throw new Error('The disk is odd');
  };
  return {
    ...whole,
    async readAll(...args) {
      assertReadable();
      return whole.readAll(...args);
    },
    async *subscribeAll(...args) {
      for await (const page of whole.subscribeAll(...args)) {
        assertReadable();
        yield page;
      }
    },
  };
}

/** Appends a `Noted` of this number, in a stream of its own. @returns its position */
export async function appendNote(log: Pick<EventLog, 'append'>, n: number): Promise<bigint> {
  const metadata = { time: '2026-11-21T08:00:00.000Z', command_id: String(n), correlation_id: 'r' };
  const event = { id: deriveId(String(n)), type: 'Noted', data: { n }, metadata };
  return (await log.append(`note-${n}`, -1, [event])).position;
}
