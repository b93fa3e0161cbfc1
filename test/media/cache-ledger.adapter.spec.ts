import { expect } from 'chai';
import { CacheLedger, type NewFile } from '#adapters/media/cache/ledger.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { lendDatabase, type LentDatabase } from '../support/lent-database.ts';

/** In bytes. One host may use a quarter of it. */
const BUDGET = 1_000;

describe('The budget of the cache of remote files', function () {
  this.timeout(60_000);
  let lent: LentDatabase;
  let db: Database;
  let removed: string[] = [];
  let ledger: CacheLedger;
  before(async () => {
    lent = await lendDatabase();
    db = openDatabase({ url: lent.url, max: 8, applicationName: 'cache ledger specs' });
  });
  beforeEach(async () => {
    await db.query('delete from durable.media_cache');
    await db.query('delete from durable.media_cache_totals');
    removed = [];
    ledger = ledgerWith(BUDGET);
  });
  after(async () => {
    await db.close();
    await lent.giveBack();
  });

  const ledgerWith = (budget: number): CacheLedger =>
    new CacheLedger({ db, budget, remove: (key) => Promise.resolve(void removed.push(key)) });
  const file = (name: string, bytes: number, host = `${name}.example`): NewFile => ({
    kind: 'attachments',
    digest: name,
    variant: 'original',
    class: 'attachments',
    host,
    key: name,
    bytes,
    still: false,
  });
  const keep = async (each: NewFile): Promise<boolean> =>
    (await ledger.reserve(each)) && (await ledger.keep(each));
  /** Sets the last request of a file to this many hours ago. */
  const seen = (name: string, hours: number) =>
    db.query(
      `update durable.media_cache set seen_at = now() - make_interval(hours => $2) where digest = $1`,
      [name, hours],
    );
  const names = async (): Promise<string[]> =>
    (await db.query<{ digest: string }>('select digest from durable.media_cache order by digest')).map(
      ({ digest }) => digest,
    );

  it('evicts the least recently viewed file first, and no more than needed', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await keep(file(name, 240));
    for (const [index, name] of ['c', 'a', 'd', 'b'].entries()) await seen(name, 10 - index);
    expect(await keep(file('e', 240))).equal(true);
    expect(removed).deep.equal(['c']);
    await ledger.seen({ kind: 'attachments', digest: 'a', variant: 'original' }, 'a');
    expect(await keep(file('f', 240))).equal(true);
    expect(removed).deep.equal(['c', 'd']);
    expect((await ledger.usage()).bytes).equal(960);
  });

  it('gives a host no more than its share', async () => {
    await keep(file('other', 240));
    await seen('other', 99);
    for (const name of ['a', 'b', 'c']) expect(await keep(file(name, 100, 'one.example'))).equal(true);
    expect(removed).deep.equal(['a']);
    expect(await ledger.reserve(file('large', 251, 'two.example'))).equal(false);
    expect(await names()).deep.equal(['b', 'c', 'other']);
  });

  it('counts a file until it is removed', async () => {
    const failing = new CacheLedger({ db, budget: BUDGET, remove: () => Promise.reject(new Error('stuck')) });
    await keep(file('a', 200));
    const failure = await failing
      .forget([{ kind: 'attachments', digest: 'a' }])
      .catch((error: unknown) => error);
    expect(failure).to.have.property('message', 'stuck');
    expect((await ledger.usage()).bytes).equal(200);
  });

  it('recovers the reservations of a dead process after a while', async () => {
    await ledger.reserve(file('dead', 240));
    await ledger.tidy();
    expect(await names()).deep.equal(['dead']);
    await db.query(`update durable.media_cache set changed_at = now() - interval '3 hours'`);
    await ledger.tidy();
    expect([await names(), removed, (await ledger.usage()).bytes]).deep.equal([[], ['dead'], 0]);
  });

  it('shrinks with the setting, down to nothing', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await keep(file(name, 240));
    await seen('b', 5);
    await ledgerWith(800).tidy();
    expect(await names()).deep.equal(['a', 'c', 'd']);
    await ledgerWith(0).tidy();
    expect([await names(), (await ledger.usage()).files]).deep.equal([[], 0]);
  });

  it('limits the reservations of many processes together, and stores each file once', async () => {
    const others = [ledger, ledgerWith(BUDGET), ledgerWith(BUDGET)];
    const bytes = (index: number): number => 20 + ((index * 37) % 180);
    const reserved = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const each = file(`f${index % 40}`, bytes(index % 40));
        const own = others[index % others.length] as CacheLedger;
        return (await own.reserve(each)) && (await own.keep(each));
      }),
    );
    expect(reserved.filter(Boolean).length).greaterThan(0);
    const [row] = await db.query<{ bytes: string; files: string }>(
      'select coalesce(sum(bytes), 0) as bytes, count(*) as files from durable.media_cache',
    );
    const usage = await ledger.usage();
    expect({ bytes: String(usage.bytes), files: String(usage.files) }).deep.equal(row);
    expect(usage.bytes).lessThanOrEqual(BUDGET);
  });
});
