import { expect } from 'chai';
import { statement, type Db } from '../../src/kernel/read.ts';
import { openDatabase, type Database } from '../../src/storage/postgres/db.ts';
import { freshDatabase } from '../support/database.ts';
import { failureOf } from '../support/failure.ts';

const NUMBER = statement('gathered_number', 'select $1::int as n');
const QUOTIENT = statement('gathered_quotient', 'select 10 / $1::int as n');

const numberOf = async (db: Db, value: unknown): Promise<number | undefined> => {
  const [row] = await db.query<{ n: number }>(NUMBER, [value]);
  return row?.n;
};

describe('Statements of a transaction that go out together', () => {
  let db: Database;

  before(async () => {
    const url = await freshDatabase();
    db = openDatabase({ url, max: 1, applicationName: 'test', gather: true });
    await db.query('create table marks (n int)');
  });
  after(() => db.close());

  it('each get their own rows, whatever stands before them', async () => {
    const answers = await db.transaction((transaction) =>
      Promise.all([
        numberOf(transaction, 1),
        transaction.query('select n from marks where false'),
        transaction.query<{ at: string }>(`select timestamptz '2026-11-21 08:00+00' as at`),
        transaction.query('insert into marks values ($1)', [7]),
        transaction.query('select n from marks'),
        transaction.query(''),
        numberOf(transaction, 2),
      ]),
    );
    expect(answers).to.deep.equal([1, [], [{ at: '2026-11-21T08:00:00.000Z' }], [], [{ n: 7 }], [], 2]);
  });

  it('fail together from the first that fails, and nothing of the transaction stays', async () => {
    const failures: unknown[] = [];
    const whole = db.transaction(async (transaction) => {
      const works = [
        transaction.query('insert into marks values ($1)', [8]),
        transaction.query(QUOTIENT, [0]),
        numberOf(transaction, 3),
      ];
      failures.push(...(await Promise.all(works.map(failureOf))));
      await Promise.all(works);
    });
    expect(await failureOf(whole)).to.equal('22012');
    expect(failures).to.deep.equal(['no failure', '22012', '22012']);
    expect(await db.query('select n from marks where n = 8')).to.deep.equal([]);
  });

  it('leave the connection knowing what is prepared on it', async () => {
    const late = statement('gathered_late', 'select $1::int + 1 as n');
    // The first use of one name fails after it was prepared, that of the other before it could be.
    const failed = db.transaction((transaction) =>
      Promise.all([transaction.query(QUOTIENT, [0]), transaction.query(late, [1])]),
    );
    expect(await failureOf(failed)).to.equal('22012');
    const rows = await db.transaction((transaction) =>
      Promise.all([
        transaction.query(QUOTIENT, [5]),
        transaction.query(late, [1]),
        transaction.query(late, [2]),
      ]),
    );
    expect(rows).to.deep.equal([[{ n: 2 }], [{ n: 2 }], [{ n: 3 }]]);
    expect(await db.query(late, [4])).to.deep.equal([{ n: 5 }]);
  });

  it('keep their answers where one of them has values that cannot be sent', async () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const answers = await db.transaction((transaction) =>
      Promise.all([
        failureOf(transaction.query(statement('gathered_json', 'select $1::json'), [circle])),
        numberOf(transaction, 4),
        numberOf(transaction, 5),
      ]),
    );
    expect(answers[0]).to.match(/circular/);
    expect(answers.slice(1)).to.deep.equal([4, 5]);
  });

  it('are refused after the transaction has failed', async () => {
    let left: Db | undefined;
    const failed = db.transaction(async (transaction) => {
      left = transaction;
      await transaction.query(QUOTIENT, [0]);
    });
    expect(await failureOf(failed)).to.equal('22012');
    expect(await failureOf(left?.query('insert into marks values (9)') ?? Promise.resolve())).to.equal(
      '22012',
    );
    expect(await db.query('select n from marks where n = 9')).to.deep.equal([]);
  });

  it('fail with the connection, and the next transaction has another', async () => {
    const cut = db.transaction((transaction) =>
      Promise.all([
        transaction.query('select pg_terminate_backend(pg_backend_pid())'),
        numberOf(transaction, 1),
      ]),
    );
    expect(await failureOf(cut))
      .to.be.a('string')
      .that.is.not.equal('no failure');
    expect(await db.transaction((transaction) => numberOf(transaction, 6))).to.equal(6);
  });

  it('cannot share a name', async () => {
    await db.query(statement('gathered_shared', 'select 1 as n'));
    expect(await failureOf(db.query(statement('gathered_shared', 'select 2 as n')))).to.match(
      /gathered_shared/,
    );
  });
});

describe('A transaction that goes out in one write', () => {
  const MARK = statement('pipeline_mark', 'insert into marks values ($1)');
  const DIVIDE = statement('pipeline_divide', 'update marks set n = 10 / $1::int');
  const MARKS = statement('pipeline_marks', 'select n from marks order by n');
  let db: Database;

  before(async () => {
    db = openDatabase({ url: await freshDatabase(), max: 1, applicationName: 'test' });
    await db.query('create table marks (n int)');
  });
  after(() => db.close());

  it('commits what is asked for one after another, and gives rows to who waits for them', async () => {
    const read = await db.pipeline(async (transaction) => {
      await transaction.query(MARK, [1]);
      await transaction.query(MARK, [2]);
      const rows = await transaction.query(MARKS);
      await transaction.query(MARK, [3]);
      return rows;
    });
    expect(read).to.deep.equal([{ n: 1 }, { n: 2 }]);
    expect(await db.query(MARKS)).to.deep.equal([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it('fails with what failed first, whoever was told that it was done, and leaves nothing', async () => {
    const whole = db.pipeline(async (transaction) => {
      await transaction.query(MARK, [4]);
      await transaction.query(DIVIDE, [0]);
      await transaction.query(MARK, [5]);
    });
    expect(await failureOf(whole)).to.equal('22012');
    const early = db.pipeline(async (transaction) => {
      await transaction.query(DIVIDE, [0]);
      await failureOf(transaction.query(MARKS));
      await transaction.query(MARK, [6]);
    });
    expect(await failureOf(early)).to.equal('22012');
    expect(await db.query(MARKS)).to.deep.equal([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it('rolls back when the work throws', async () => {
    const whole = db.pipeline(async (transaction) => {
      await transaction.query(MARK, [7]);
      throw new Error('not this time');
    });
    expect(await failureOf(whole)).to.equal('not this time');
    expect(await db.query(MARKS)).to.deep.equal([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });
});
