import { expect } from 'chai';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { freshDatabase } from '../support/database.ts';

describe('Parameters of statements', () => {
  let db: Database;

  before(async () => {
    db = openDatabase({ url: await freshDatabase(), max: 1, applicationName: 'test' });
  });
  after(() => db.close());

  const roundTrip = async (type: string, value: unknown): Promise<unknown> => {
    const [row] = await db.query<{ value: unknown }>(`select $1::${type} as value`, [value]);
    return row?.value;
  };

  it('arrive unchanged', async () => {
    expect(await roundTrip('text', 'a "b" \\ {c}')).to.equal('a "b" \\ {c}');
    expect(await roundTrip('text', null)).to.equal(null);
    expect(await roundTrip('text', undefined)).to.equal(null);
    expect(await roundTrip('int', 7)).to.equal(7);
    expect(await roundTrip('bigint', 7n)).to.equal('7');
    expect(await roundTrip('bool', false)).to.equal(false);
    expect(await roundTrip('bytea', Buffer.from([0, 255]))).to.deep.equal(Buffer.from([0, 255]));
    expect(await roundTrip('json', { a: [1, 'x'] })).to.deep.equal({ a: [1, 'x'] });
    expect(await roundTrip('timestamptz', new Date(0))).to.equal('1970-01-01T00:00:00.000Z');
  });

  it('arrive unchanged in arrays', async () => {
    const texts = ['', 'NULL', null, 'a,b', '"', '\\', '{}', 'ü 🎉', '\n'];
    expect(await roundTrip('text[]', texts)).to.deep.equal(texts);
    expect(await roundTrip('text[]', [])).to.deep.equal([]);
    expect(await roundTrip('int[]', [1, null, -2])).to.deep.equal([1, null, -2]);
    expect(await roundTrip('bool[]', [true, false, null])).to.deep.equal([true, false, null]);
    expect(await roundTrip('int[][]', [[1], [2]])).to.deep.equal([[1], [2]]);
    expect(await roundTrip('bytea[]', [Buffer.from([0, 255])])).to.deep.equal([Buffer.from([0, 255])]);
    expect(await roundTrip('jsonb[]', [{ a: '"' }])).to.deep.equal([{ a: '"' }]);
  });
});
