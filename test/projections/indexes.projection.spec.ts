import { expect } from 'chai';
import { catalogue } from '#events/index.ts';
import { StatusCreated, StatusDeleted } from '#events/statuses.ts';
import type { DomainEvent } from '#kernel/event.ts';
import type { Projection } from '#kernel/projection.ts';
import type { Db } from '#kernel/read.ts';
import { projections } from '#projections/index.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { migrate } from '#storage/postgres/migrations/index.ts';
import { applyBatch, createIndexes, createTables, handlersOf } from '#storage/postgres/projector/apply.ts';
import { build } from '#storage/postgres/rebuild/build.ts';
import { freshDatabase } from '../support/database.ts';
import { asRecorded, openScratchDatabase } from '../support/projection.ts';

const SCHEMA = 'index_spec';
/** Event types whose sample does not make a handler run all of its statements. */
const mention = { id: '109500000000000002', username: 'bob', url: 'x', acct: 'bob' };
const quote = { id: '115400000000000000', account_id: '109500000000000002', state: 'accepted' };
const MORE: readonly DomainEvent[] = [
  { type: 'StatusCreated', data: { ...StatusCreated.samples[2], mentions: [mention], quote } },
  { type: 'StatusCreated', data: { ...StatusCreated.samples[2], visibility: 'direct', mentions: [mention] } },
  { type: 'StatusDeleted', data: { ...StatusDeleted.samples[1], visibility: 'direct' } },
];

describe('The indexes of read models', () => {
  describe('for each handler', () => {
    let db: Database;
    before(async function () {
      this.timeout(60_000);
      db = await openScratchDatabase();
    });
    after(() => db.close());

    for (const projection of projections) {
      it(`find as much in ${projection.name} without those that a rebuild creates last`, async () => {
        const statements = await statementsOf(projection);
        const [during, after] = await db.transaction(async (transaction) => {
          await transaction.query(`create schema ${SCHEMA}`);
          await transaction.query(`set local search_path = ${SCHEMA}`);
          // Makes Postgres plan as for a huge table.
          for (const way of ['seqscan', 'hashjoin', 'mergejoin'])
            await transaction.query(`set local enable_${way} = off`);
          await createTables(projection, SCHEMA, transaction);
          const early = await lookups(statements, transaction);
          await createIndexes(projection, transaction);
          const all = await lookups(statements, transaction);
          await transaction.query(`drop schema ${SCHEMA} cascade`);
          return [early, all];
        });
        expect(during).to.deep.equal(after);
      });
    }
  });

  it('let a rebuild look rows up instead of reading tables repeatedly', async function () {
    this.timeout(60_000);
    const url = await freshDatabase();
    await migrate(url);
    const options = { url, max: 4, applicationName: 'test', statementTimeout: 0, gather: true };
    const db = openDatabase(options);
    const events = town().map(asRecorded);
    const log = {
      readAll: (after: bigint, limit: number) =>
        Promise.resolve(events.slice(Number(after), Number(after) + limit)),
      subscribeAll: () => {
        throw new Error('A build reads pages.');
      },
      head: () => Promise.resolve(BigInt(events.length)),
    };
    // Building an index reads every dead row version, and their number varies.
    const withoutLastIndexes = projections.map((projection) => ({ ...projection, indexes: [] }));
    await build(SCHEMA, { projections: withoutLastIndexes, log, db, until: BigInt(events.length) });
    // A session that ends reports its counts.
    await db.close();
    const after = openDatabase(options);
    const tables = await after.query<{ table: string; read: number; rows: number }>(
      `select relname as table, seq_tup_read::int as read, n_tup_ins::int as rows from pg_stat_user_tables
       where schemaname = $1`,
      [SCHEMA],
    );
    await after.close();
    const over = tables.filter(({ read, rows }) => read > 20 * (rows + 100));
    expect(over).to.deep.equal([]);
  });
});

/** The columns by which each statement uses indexes. Other conditions filter the rows that are read. */
async function lookups(statements: ReadonlySet<string>, db: Db): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const text of statements) {
    const parameters = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
    // A generic plan needs no values.
    const values = Array.from({ length: parameters }, () => null);
    const rows = await db.query(`explain (generic_plan, format json) ${text}`, values);
    const conditions = [...JSON.stringify(rows).matchAll(/"Index Cond":"(.*?)"/g)].flatMap(
      ([, condition = '']) => condition.replaceAll(/^\(+|\)+$/g, '').split(') AND ('),
    );
    found[text] = conditions.sort();
  }
  return found;
}

/** The texts of the statements that a projection's handlers use for one event of each type. */
async function statementsOf(projection: Projection): Promise<Set<string>> {
  const texts = new Set<string>();
  const recorder: Db = {
    query: (asked) => {
      texts.add(typeof asked === 'string' ? asked : asked.text);
      return Promise.resolve([]);
    },
  };
  const samples = catalogue.map(({ type, version, samples }) => ({ type, data: samples[version] }));
  for (const event of [...samples, ...MORE])
    await applyBatch(handlersOf(projection), [asRecorded(event, 0)], recorder);
  return texts;
}

const PEOPLE = 40;
const POSTS = 3_000;

/** A log in which users follow each other, post, quote, reply and delete. */
function town(): DomainEvent[] {
  const sample = (type: string, more: object): DomainEvent => {
    const definition = catalogue.find((each) => each.type === type);
    return { type, data: { ...definition?.samples[definition.version], ...more } };
  };
  const person = (n: number): string => String(109_500_000_000_000_000n + BigInt(n % PEOPLE));
  const post = (n: number): string => String(115_500_000_000_000_000n + BigInt(n));
  const events: DomainEvent[] = [];
  for (let n = 0; n < PEOPLE; n += 1) {
    events.push(sample('AccountCreated', { id: person(n), username: `u${n}`, domain: null }));
    events.push(sample('UserActive', { account_id: person(n), date: '2026-11-21' }));
  }
  for (let n = 0; n < PEOPLE * 10; n += 1) {
    const pair = { account_id: person(n), target_account_id: person(n + 1 + Math.floor(n / PEOPLE)) };
    events.push(sample('AccountFollowed', { id: post(n), ...pair }));
  }
  for (let n = 1_000; n < 1_000 + POSTS; n += 1) {
    const author = { account_id: person(n), visibility: 'public' };
    const before = { id: post(n - 7), account_id: person(n - 7) };
    const more = {
      conversation_id: post(n),
      poll: null,
      ...(n % 3 === 0 && { in_reply_to_id: before.id, in_reply_to_account_id: before.account_id }),
      ...(n % 5 === 0 && { quote: { ...before, state: 'accepted' } }),
      ...(n % 4 === 0 && { mentions: [{ ...mention, id: person(n + 1) }] }),
    };
    const mine = { id: post(n), ...author };
    events.push(sample('StatusCreated', { ...mine, ...more }));
    if (n % 10 === 0) events.push(sample('PreviewCardAttached', { id: post(n), account_id: person(n) }));
    if (n % 12 === 0)
      events.push(sample('StatusEdited', { ...mine, ...more, edit_id: String(BigInt(post(n)) + 100_000n) }));
    const act = { account_id: person(n + 3), status_id: post(n), status_account_id: person(n) };
    if (n % 6 === 0)
      events.push(sample('StatusFavourited', { ...act, id: String(BigInt(post(n)) + 200_000n) }));
    if (n % 12 === 0) events.push(sample('StatusUnfavourited', act));
    if (n % 9 === 0)
      events.push(sample('StatusReblogged', { ...act, id: String(BigInt(post(n)) + 300_000n) }));
    if (n % 15 === 0) events.push(sample('StatusDeleted', { ...mine, in_reply_to_id: null }));
  }
  return events;
}
