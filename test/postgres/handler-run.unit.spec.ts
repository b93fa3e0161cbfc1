import { expect } from 'chai';
import type { RecordedEvent } from '#kernel/event.ts';
import type { Handler } from '#kernel/projection.ts';
import type { Db } from '#kernel/read.ts';
import { applyBatch } from '#storage/postgres/projector/apply.ts';

const metadata = { time: '2026-11-21T08:00:00.000Z', command_id: 'c', correlation_id: 'r' };
const event: RecordedEvent = {
  position: 1n,
  stream: 'note-1',
  revision: 0,
  id: 'x',
  type: 'Noted',
  data: {},
  metadata,
};

/** Applies one event with a bound of 20 milliseconds. @returns the message of the failure */
const outcome = (apply: Handler['apply'], db: Db): Promise<string | undefined> =>
  applyBatch(new Map([['Noted', { apply }]]), [event], db, { idle: 20 }).then(
    () => undefined,
    (error: Error) => error.message,
  );
const never = new Promise<never>(() => undefined);

describe('A handler', () => {
  it('is refused when it neither ends nor runs a statement', async () => {
    const none: Db = { query: () => never };
    expect(await outcome(() => never, none)).to.equal(
      'The handler neither ends nor runs a statement for 20 ms',
    );
  });

  it('may wait for a long statement', async () => {
    const answered = Promise.withResolvers<never[]>();
    const slow: Db = { query: () => answered.promise };
    const waiting: Handler['apply'] = async (_events, db) => {
      await db.query('select 1');
    };
    setTimeout(() => answered.resolve([]), 100);
    expect(await outcome(waiting, slow)).to.equal(undefined);
  });

  it('is not called for an event that cannot be decoded', async () => {
    const unreadable = { ...event, type: 'Odd', unreadable: 'It is damaged' };
    const none: Db = { query: () => never };
    const error: unknown = await applyBatch(new Map(), [unreadable], none).catch((reason: unknown) => reason);
    expect(error).to.include({ message: 'It is damaged' });
  });
});
