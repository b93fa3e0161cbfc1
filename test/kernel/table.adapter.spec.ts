import { expect } from 'chai';
import type { Db } from '#kernel/read.ts';
import {
  batch,
  bigint,
  bigints,
  boolean,
  cidr,
  date,
  integers,
  jsonb,
  jsonText,
  table,
  tablesOf,
  text,
  textC,
  texts,
  timestamptz,
  together,
} from '#kernel/table/index.ts';
import { encodeArrays } from '#storage/postgres/arrays.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { freshDatabase } from '../support/database.ts';

const POSTS = table(
  'posts',
  {
    id: bigint,
    title: text,
    note: text.orNull,
    closed_at: timestamptz.nullAtFirst,
    pinned: boolean.defaultsTo('false'),
  },
  ['id'],
);
const VALUES = table(
  'kinds',
  {
    id: bigint,
    place: textC,
    ids: bigints,
    numbers: integers.orNull,
    names: texts.orNull,
    settings: jsonb<object>(),
    options: jsonText<readonly string[]>(),
    range: cidr,
    day: date,
  },
  ['id', 'place'],
  ['day', 'range'],
);
const first = { id: '1', title: 'First', note: 'A note' };
const second = { id: '2', title: 'Second', note: null };

describe('A table of a read model', () => {
  let db: Database;
  /** The database as handlers get it. */
  let writer: Db;

  before(async () => {
    db = openDatabase({ url: await freshDatabase(), max: 1, applicationName: 'test' });
    writer = { query: (asked, values) => db.query(asked, values && encodeArrays(asked, values)) };
    for (const [name, columns] of Object.entries(tablesOf(POSTS, VALUES)))
      await db.query(`create table ${name} (${columns})`);
  });
  beforeEach(() => db.query('truncate posts, kinds'));
  after(() => db.close());

  const posts = (): Promise<unknown[]> => db.query('select * from posts order by id');
  const row = (members: object): object => ({ closed_at: null, pinned: false, ...members });

  it('keeps a row of key columns alone when it is put again', async () => {
    const MARKS = table('marks', { a: bigint, b: bigint }, ['a', 'b']);
    await db.query(`create temporary table marks (${MARKS.ddl})`);
    await MARKS.put()([{ a: '1', b: '2' }], writer);
    await MARKS.put()([{ a: '1', b: '2' }], writer);
    expect(await db.query('select * from marks')).to.deep.equal([{ a: '1', b: '2' }]);
  });

  it('has its columns in order, with nulls, defaults and key', () => {
    expect(POSTS.ddl.split(',\n')).to.deep.equal([
      'id bigint primary key',
      'title text not null',
      'note text',
      'closed_at timestamptz',
      'pinned boolean not null default false',
    ]);
    expect(VALUES.ddl.split(',\n').slice(-2)).to.deep.equal([
      'primary key (id, place)',
      'unique (day, range)',
    ]);
  });

  it('inserts a batch, and leaves columns with a default to Postgres', async () => {
    await POSTS.insert()([first, { id: '2', title: 'Second', note: undefined }], writer);
    expect(await posts()).to.deep.equal([row(first), row(second)]);
  });

  it('refuses to insert a row whose key exists', async () => {
    await POSTS.insert()([first], writer);
    const failure = await POSTS.insert()([first], writer).catch((error: unknown) => error);
    expect(String(failure)).to.match(/duplicate key/);
  });

  it('adds rows without changing those whose key exists', async () => {
    await POSTS.insert()([first], writer);
    await POSTS.add()([{ ...first, title: 'Another' }, second], writer);
    expect(await posts()).to.deep.equal([row(first), row(second)]);
  });

  it('puts rows in the place of those whose key exists', async () => {
    await POSTS.insert('id', 'title', 'note', 'pinned')([{ ...first, pinned: true }], writer);
    await POSTS.put()([{ ...first, title: 'Another', note: null }, second], writer);
    expect(await posts()).to.deep.equal([
      row({ ...first, title: 'Another', note: null, pinned: true }),
      row(second),
    ]);
  });

  it('puts some columns, and merges rows by some columns', async () => {
    await POSTS.insert()([first], writer);
    await POSTS.put('title')([{ id: '1', title: 'Another' }], writer);
    await POSTS.merge('note')([{ id: '1', title: 'Ignored', note: 'Merged' }, second], writer);
    expect(await posts()).to.deep.equal([row({ ...first, title: 'Another', note: 'Merged' }), row(second)]);
  });

  it('sets columns, where undefined is null', async () => {
    await POSTS.insert()([first, second], writer);
    await POSTS.set('title', 'note')([{ id: '1', title: 'Another', note: undefined }], writer);
    expect(await posts()).to.deep.equal([row({ ...first, title: 'Another', note: null }), row(second)]);
  });

  it('patches columns, where undefined leaves a value and null is a value', async () => {
    await POSTS.insert()([first, { ...second, note: 'Another note' }], writer);
    await POSTS.patch('title', 'note')(
      [
        { id: '1', title: 'Another', note: undefined },
        { id: '2', title: undefined, note: null },
      ],
      writer,
    );
    expect(await posts()).to.deep.equal([row({ ...first, title: 'Another' }), row(second)]);
  });

  it('removes rows by key or by other columns', async () => {
    await POSTS.insert()([first, second, { ...second, id: '3' }], writer);
    await POSTS.remove()([{ id: '1' }], writer);
    expect(await posts()).to.have.length(2);
    await POSTS.remove('title', 'id')([{ title: 'Second', id: '3' }], writer);
    expect(await posts()).to.deep.equal([row(second)]);
    await POSTS.remove('title')([{ title: 'Second' }], writer);
    expect(await posts()).to.deep.equal([]);
  });

  it('stores lists of different lengths, JSON, ranges and dates unchanged', async () => {
    const given = { ids: ['9223372036854775807', '1'], numbers: [2, 1], names: ['', '"a", {b}', 'ü 🎉'] };
    const rest = { settings: { a: ['"'] }, range: '10.0.0.0/8', day: '2026-11-30' };
    const options = ['a', 'b'];
    await VALUES.insert()(
      [
        { id: 1n, place: 'a', ...given, ...rest, options },
        {
          id: '2',
          place: 'b',
          ids: [],
          numbers: null,
          names: undefined,
          ...rest,
          day: '2026-12-01',
          options: [],
        },
      ],
      writer,
    );
    expect(await db.query('select *, day::text as day from kinds order by id')).to.deep.equal([
      { id: '1', place: 'a', ...given, ...rest, options: '["a","b"]' },
      { id: '2', place: 'b', ids: [], numbers: null, names: null, ...rest, day: '2026-12-01', options: '[]' },
    ]);
    await VALUES.set('ids', 'settings')([{ id: '2', place: 'b', ids: ['3'], settings: {} }], writer);
    expect(await db.query('select ids, settings from kinds where id = 2')).to.deep.equal([
      { ids: ['3'], settings: {} },
    ]);
  });

  it('lets a statement of its own read a batch, with lists as arrays', async () => {
    const add = batch(
      'posts_titles',
      { id: bigint, names: texts },
      (rows) => `insert into posts (id, title) select n.id, array_to_string(n.names, '+') from ${rows}`,
    );
    await add([{ id: '1', names: ['a', 'b'] }], writer);
    expect(await posts()).to.deep.equal([row({ id: '1', title: 'a+b', note: null })]);
  });

  it('takes the rows of events in few statements, and asks nothing without rows', async () => {
    const asked: string[] = [];
    const counting: Db = {
      query: (statement, values) => {
        asked.push(typeof statement === 'string' ? statement : statement.name);
        return writer.query(statement, values);
      },
    };
    const step = together(
      POSTS.insert().each(({ titles }: { titles: readonly string[] }) =>
        titles.map((title) => ({ id: title.length.toString(), title, note: null })),
      ),
      POSTS.set('pinned').each(({ titles }) => ({ id: String(titles[0]?.length), pinned: true })),
    );
    await step([{ titles: ['a', 'ab'] }, { titles: ['abc'] }], counting);
    await POSTS.insert()([], counting);
    expect(asked).to.deep.equal(['posts_insert', 'posts_set_pinned']);
    expect(await posts()).to.deep.equal([
      row({ id: '1', title: 'a', note: null, pinned: true }),
      row({ id: '2', title: 'ab', note: null }),
      row({ id: '3', title: 'abc', note: null, pinned: true }),
    ]);
  });

  it('names a statement by its table, verb and columns, in at most 63 bytes', () => {
    expect(POSTS.put().statement.name).to.equal('posts_put');
    expect(POSTS.put('title').statement.name).to.equal('posts_put_id_title');
    expect(POSTS.remove('title').statement.name).to.equal('posts_delete_title');
    const long = table('a_table_with_a_long_name_that_takes_space', POSTS.columns, ['id']);
    const names = [
      long.set('title', 'note', 'closed_at', 'pinned').statement.name,
      long.set('title', 'note', 'pinned', 'closed_at').statement.name,
    ];
    expect(names.map(({ length }) => length <= 63)).to.deep.equal([true, true]);
    expect(new Set(names).size).to.equal(2);
  });
});
