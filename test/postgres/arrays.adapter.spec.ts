import { expect } from 'chai';
import { encodeArrays } from '#storage/postgres/arrays.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { freshDatabase } from '../support/database.ts';

describe('Array parameters of a statement', () => {
  let db: Database;

  before(async () => {
    db = openDatabase({ url: await freshDatabase(), max: 1, applicationName: 'test', gather: true });
  });
  after(() => db.close());

  const roundTrip = async (type: string, values: readonly unknown[]): Promise<unknown[]> => {
    const text = `select value from unnest($1::${type}[]) as n (value)`;
    const rows = await db.query<{ value: unknown }>(text, encodeArrays(text, [values]));
    return rows.map(({ value }) => value);
  };

  it('reach Postgres unchanged: texts with any characters', async () => {
    const texts = [
      '',
      ' ',
      'null',
      '"quoted" \\ {braced}, and so on',
      'a\nb\tc',
      'naïve 🎉 語',
      '\u0001\u0003',
      null,
    ];
    expect(await roundTrip('text', texts)).to.deep.equal(texts);
    const long = Array.from({ length: 5_000 }, (_, index) => `${index} `.repeat(index % 50));
    expect(await roundTrip('text', long)).to.deep.equal(long);
  });

  it('reach Postgres unchanged: ids, numbers, booleans and times', async () => {
    const ids = ['1', '9223372036854775807', null];
    expect(await roundTrip('bigint', ids)).to.deep.equal(ids);
    expect(await roundTrip('int', [-1, 0, 7, null])).to.deep.equal([-1, 0, 7, null]);
    expect(await roundTrip('bool', [true, false, null])).to.deep.equal([true, false, null]);
    const times = ['2026-11-21T08:00:00.123Z', null];
    expect(await roundTrip('timestamptz', times)).to.deep.equal(times);
  });

  it('may be empty', async () => {
    for (const type of ['text', 'bigint', 'bool']) expect(await roundTrip(type, [])).to.deep.equal([]);
  });

  it('are encoded only where the statement casts to an array type', () => {
    const text = 'select from t where id = any($1) and name = $2 and tag = any($3::text[])';
    const [ids, name, tags] = encodeArrays(text, [['1'], 'a', ['b']]);
    expect({ ids, name }).to.deep.equal({ ids: ['1'], name: 'a' });
    expect(tags).to.be.instanceOf(Buffer);
  });
});
