/** A program of odd-handlers.process.spec.ts: Mocha ends a process in which a promise is left behind. */
import { on, type Projection } from '#kernel/projection.ts';
import type { Db } from '#kernel/read.ts';
import { reportStrays } from '#kernel/stray-rejections.ts';
import { openDatabase } from '#storage/postgres/db.ts';
import { Checkpoints } from '#storage/postgres/projector/checkpoints.ts';
import { startProjector } from '#storage/postgres/projector/projector.ts';
import { appendNote, Noted, openLogOfNotes } from './notes.ts';

const later = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
const failing = async (error: unknown): Promise<never> => {
  throw error;
};
/** Throws at once, unlike its type. */
const fail = (error: unknown): Promise<never> => {
  throw error;
};
const NOTHING: unknown = Object.create(null);

/** Handlers that reject an event, each in its own way. */
const REJECTING: Record<string, (db: Db) => Promise<unknown>> = {
  at_once: () => fail(new Error('odd')),
  nothing: () => fail(undefined),
  null: () => fail(null),
  an_object_without_text: () => fail(NOTHING),
  a_nul_byte: () => failing(new Error('odd \0 \ud800')),
  beside_one_that_rejects: () => Promise.all([failing(new Error('first')), fail(new Error('second'))]),
  beside_one_that_rejects_later: (db) =>
    Promise.all([
      later(20).then(() => failing(new Error('late'))),
      db.query('odd'),
      fail(new Error('second')),
    ]),
  beside_a_statement: (db) => Promise.all([db.query('select 1'), db.query('odd'), fail(new Error('second'))]),
  a_message_of_an_outage: () => failing(Object.assign(new Error('Connection terminated'), { code: '22P02' })),
};

/** Handlers that take the event and leave something behind. */
const LEAVING: Record<string, (db: Db) => Promise<unknown>> = {
  a_rejection: async () => void later(20).then(() => failing(new Error('left'))),
  a_statement: async (db) => void later(20).then(() => db.query('insert into leaves_a_statement values (7)')),
};

const projection = (name: string, work: (db: Db) => Promise<unknown>): Projection => ({
  name,
  version: 1,
  group: 'one',
  tables: { [name]: 'n integer' },
  indexes: [],
  handlers: [
    on(Noted, {
      keys: ({ data }) => [String(data.n)],
      apply: async (events, db) => {
        if (!events.some(({ data }) => data.n === 2)) return;
        await work(db);
      },
    }),
  ],
});

/** Appends three events, of which the second is odd, and waits until the handlers have met them all. */
async function meetOdd(url: string): Promise<unknown> {
  const db = openDatabase({ url, max: 6, applicationName: 'odd', statementTimeout: 0, gather: true });
  const log = await openLogOfNotes(url);
  const checkpoints = new Checkpoints(db);
  const strays = new Set<string>();
  reportStrays((owner) => strays.add(owner));
  const projector = await startProjector({
    projections: [
      ...Object.entries(REJECTING).map(([name, work]) => projection(name, work)),
      ...Object.entries(LEAVING).map(([name, work]) => projection(`leaves_${name}`, work)),
    ],
    log,
    db,
    checkpoints,
    program: '1',
    onFailure: () => undefined,
    onError: () => undefined,
  });
  let last = 0n;
  for (const n of [1, 2, 3]) last = await appendNote(log, n);
  await checkpoints.reached('one', last, 30_000);
  while (![...LATE].every((name) => strays.has(`projection ${name}`))) await later(10);
  const states = await db.query('select name, position, failure from durable.projections order by name');
  const left = await db.query('select n from leaves_a_statement');
  await projector.stop();
  checkpoints.close();
  await log.close();
  await db.close();
  return { states, left, strays: [...strays].toSorted() };
}

/** These leave a promise behind that rejects when they have ended. */
const LATE = ['beside_one_that_rejects_later', 'leaves_a_rejection', 'leaves_a_statement'];

const [, , url = '', unowned] = process.argv;
process.stdout.write(JSON.stringify(await meetOdd(url)));
if (unowned !== undefined) void failing(new Error('of nobody'));
