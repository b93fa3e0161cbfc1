// Checked by `npm run types`, never run: each `@ts-expect-error` is a mistake that the compiler must find.
import { ListCreated, ListUpdated } from '#events/lists.ts';
import { on } from '#kernel/projection.ts';
import type { Db } from '#kernel/read.ts';
import {
  batch,
  bigint,
  bigints,
  boolean,
  jsonText,
  type RowOf,
  table,
  text,
  textOf,
  timestamptz,
} from '#kernel/table/index.ts';

const POSTS = table(
  'posts',
  {
    id: bigint,
    account_id: bigint,
    title: text,
    state: textOf<'open' | 'closed'>(),
    note: text.orNull,
    members: bigints,
    options: jsonText<readonly string[]>(),
    pinned: boolean.defaultsTo('false'),
    closed_at: timestamptz.nullAtFirst,
  },
  ['id'],
);
declare const db: Db;
const post = { id: '1', account_id: '2', title: 'A title', state: 'open' as const, note: null };
const whole = { ...post, members: ['3'], options: ['a'] };

export const written: Promise<void>[] = [
  POSTS.insert()([whole], db),
  POSTS.insert().from([{ ...whole, position: 1n }], db),
  POSTS.put('title', 'pinned')([{ id: '1', title: 'Another title', pinned: true }], db),
  POSTS.set('closed_at')([{ id: '1', closed_at: null }], db),
  POSTS.patch('title', 'note')([{ id: '1', title: undefined, note: null }], db),
  POSTS.remove()([{ id: '1' }], db),
  POSTS.remove('account_id')([{ account_id: '1' }], db),

  // @ts-expect-error: the row lacks columns without a default.
  POSTS.insert()([post], db),
  // @ts-expect-error: an id is a decimal string.
  POSTS.insert()([{ ...whole, id: 1 }], db),
  // @ts-expect-error: the column has no null.
  POSTS.insert()([{ ...whole, title: null }], db),
  // @ts-expect-error: the column has texts of one kind.
  POSTS.insert()([{ ...whole, state: 'ajar' }], db),
  // @ts-expect-error: the list is of ids.
  POSTS.insert()([{ ...whole, members: [3] }], db),
  // @ts-expect-error: the JSON is a list.
  POSTS.insert()([{ ...whole, options: 'a' }], db),
  // @ts-expect-error: the table has no such column.
  POSTS.insert('id', 'titel')([{ id: '1', titel: 'A title' }], db),
  // @ts-expect-error: the table has no such column.
  POSTS.put('titel'),
  // @ts-expect-error: the row lacks the key.
  POSTS.put('title')([{ title: 'A title' }], db),
  // @ts-expect-error: the table has no such column.
  POSTS.set('titel'),
  // @ts-expect-error: the row has the column under another name.
  POSTS.set('closed_at')([{ id: '1', closedAt: null }], db),
  // @ts-expect-error: the table has no such column.
  POSTS.patch('titel'),
  // @ts-expect-error: the row has no title under this name, not even an absent one.
  POSTS.patch('title')([{ id: '1', titel: 'A title' }], db),
  // @ts-expect-error: a patch leaves a title as it is by undefined.
  POSTS.patch('title')([{ id: '1', title: null }], db),
  // @ts-expect-error: the table has no such column.
  POSTS.remove('owner_id'),
  // @ts-expect-error: the row has the key under another name.
  POSTS.remove()([{ post_id: '1' }], db),
  // @ts-expect-error: the table has no such column, neither one with null.
  POSTS.insert()([{ ...whole, closedAt: null }], db),
  // @ts-expect-error: an insert of the usual columns does not write one that is null at first.
  POSTS.insert()([{ ...whole, closed_at: '2026-11-30T12:00:00.000Z' }], db),
  // @ts-expect-error: the table has no such column, neither one with a default.
  POSTS.add()([{ ...whole, pined: true }], db),
  // @ts-expect-error: the statement does not write the column.
  POSTS.put('title')([{ id: '1', title: 'A title', closedAt: null }], db),
  // @ts-expect-error: the table has no such column.
  POSTS.merge('note')([{ ...whole, closedAt: null }], db),
  // @ts-expect-error: the statement does not write the column.
  POSTS.patch('title')([{ id: '1', title: 'A title', note: null }], db),
  // @ts-expect-error: one of the rows has a column that the table has not.
  POSTS.insert()([whole, { ...whole, closedAt: null }], db),
  // @ts-expect-error: shared rows lack a column.
  POSTS.insert().from([post], db),
];

const CLOSE = batch(
  'posts_close',
  { id: bigint, at: timestamptz.orNull },
  (rows) => `update posts set closed_at = n.at from ${rows}`,
);
export const closed: Promise<void>[] = [
  CLOSE([{ id: '1', at: null }], db),
  // @ts-expect-error: the statement has the column under another name.
  CLOSE([{ id: '1', closed_at: null }], db),
];

// @ts-expect-error: the key is not a column.
table('pins', { id: bigint }, ['post_id']);

const PUT = table('titles', { list_id: bigint, title: text }, ['list_id']).put();
const PUT_BY_ID = table('titles', { id: bigint, title: text }, ['id']).put();
const SET = table('titles', { list_id: bigint, title: text }, ['list_id']).set('title');
const NOTED = table('noted', { list_id: bigint, note: text.nullAtFirst }, ['list_id']);
const PATCH = table('titles', { list_id: bigint, title: text }, ['list_id']).patch('title');

export const handlers = [
  on(ListCreated, { apply: PUT.each(({ data }) => data) }),
  // @ts-expect-error: the event has no such member.
  on(ListCreated, { apply: PUT_BY_ID.each(({ data }) => data) }),
  // @ts-expect-error: the event has no such member.
  on(ListCreated, { apply: PUT.each(({ data }) => ({ list_id: data.list_id, title: data.titel })) }),
  on(ListUpdated, { apply: PATCH.each(({ data }) => data) }),
  // @ts-expect-error: the title of a change may be absent.
  on(ListUpdated, { apply: SET.each(({ data }) => data) }),
  // @ts-expect-error: the row has the column under another name.
  on(ListUpdated, { apply: PATCH.each(({ data }) => ({ list_id: data.list_id, titel: data.title })) }),
  on(ListUpdated, { apply: PATCH.each(({ data }) => ({ ...data, title: undefined })) }),
  // @ts-expect-error: neither the statement nor the event has such a member.
  on(ListUpdated, { apply: PATCH.each(({ data }) => ({ ...data, titel: 'A title' })) }),
  // @ts-expect-error: the insert does not write a column that is null at first.
  on(ListCreated, { apply: NOTED.insert().each(({ data }) => ({ ...data, note: 'A note' })) }),
  on(ListCreated, {
    apply: NOTED.insert('list_id', 'note').each(({ data }) => ({ ...data, note: 'A note' })),
  }),
  // @ts-expect-error: each of the rows has the column under another name.
  on(ListUpdated, { apply: PATCH.each(({ data }) => [{ list_id: data.list_id, titel: data.title }]) }),
];

type Row = RowOf<typeof POSTS>;
export const read: Pick<Row, 'id' | 'note' | 'members' | 'options'> = {
  id: '1',
  note: null,
  members: ['3'],
  options: '["a"]',
};
// @ts-expect-error: the table has no such column.
export type Unknown = Pick<Row, 'titel'>;
// @ts-expect-error: an id is read as a decimal string.
export const id: Row['id'] = 1;
// @ts-expect-error: a list may be null only in a column with null.
export const members: Row['members'] = null;
