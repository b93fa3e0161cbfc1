import { expect } from 'chai';
import { type Db, statement } from '#kernel/read.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { freshDatabase } from '../support/database.ts';
import { failureOf } from '../support/failure.ts';

const NUMBER = statement('gathered_number', 'select $1::int as n');
const QUOTIENT = statement('gathered_quotient', 'select 10 / $1::int as n');

const numberOf = async (db: Db, value: unknown): Promise<number | undefined> => {
  const [row] = await db.query<{ n: number }>(NUMBER, [value]);
  return row?.n;
};

describe('Statements of a transaction that are sent together', () => {
  let db: Database;

  before(async () => {
    const url = await freshDatabase();
    db = openDatabase({ url, max: 1, applicationName: 'test', gather: true });
    await db.query('create table marks (n int)');
  });
  after(() => db.close());

  it('each get their own rows, whatever statements precede them', async () => {
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

  it('fail together at the first failure and roll the transaction back', async () => {
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

  it('leave the connection with a correct record of its prepared statements', async () => {
    const late = statement('gathered_late', 'select $1::int + 1 as n');
    // The failure comes after one statement was prepared and before the other could be.
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

  it('keep their results when one of them has unencodable values', async () => {
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

  it('fail when the connection ends, and the next transaction gets another connection', async () => {
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

describe('A transaction that is sent in one write', () => {
  const MARK = statement('pipeline_mark', 'insert into marks values ($1)');
  const DIVIDE = statement('pipeline_divide', 'update marks set n = 10 / $1::int');
  const MARKS = statement('pipeline_marks', 'select n from marks order by n');
  let db: Database;

  before(async () => {
    db = openDatabase({ url: await freshDatabase(), max: 1, applicationName: 'test' });
    await db.query('create table marks (n int)');
  });
  after(() => db.close());

  it('commits its statements in order and returns rows to the callers that await them', async () => {
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

  it('fails with the first error and rolls back, although later statements seemed to succeed', async () => {
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

  it('rolls back when its function throws', async () => {
    const whole = db.pipeline(async (transaction) => {
      await transaction.query(MARK, [7]);
      throw new Error('not this time');
    });
    expect(await failureOf(whole)).to.equal('not this time');
    expect(await db.query(MARKS)).to.deep.equal([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });
});
