import { PersonalDataErased } from '#events/erasure.ts';
import { StatusCreated, StatusEdited } from '#events/statuses.ts';
import { isNamed, TagFeatured, TagFollowed, TagSpelled } from '#events/tags.ts';
import { columns, MAIN, on, type Projection } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import { batch, bigint, integer, table, tablesOf, text, textC } from '#kernel/table/index.ts';
import { tagId } from '#mastodon/tag-name.ts';

const TAGS = table(
  'tags',
  {
    tag: textC,
    display_name: text,
    position: bigint,
    /** The id that clients see. */
    id: bigint,
  },
  ['tag'],
);
const SPELLINGS = table(
  'tag_spellings',
  { account_id: bigint, tag: textC, display_name: text, position: bigint },
  ['account_id', 'tag'],
);

/** The earliest spelling of each account, in whatever order they arrive; known ones need no write. */
const REMEMBER = batch(
  'tag_spellings_remember',
  { account_id: bigint, tag: text, name: text, position: bigint, place: integer },
  (rows) => `insert into tag_spellings as t (account_id, tag, display_name, position)
   select distinct on (n.account_id, n.tag) n.account_id, n.tag, n.name, n.position
   from ${rows}
   where not exists (
     select from tag_spellings k
     where k.account_id = n.account_id and k.tag = n.tag and k.position <= n.position
   )
   order by n.account_id, n.tag, n.position, n.place
   on conflict (account_id, tag) do update set display_name = excluded.display_name, position = excluded.position
   where excluded.position < t.position`,
);
const FORGET = statement<{ tag: string }>(
  'tag_spellings_forget',
  'delete from tag_spellings where account_id = any($1::bigint[]) returning tag',
);
/** Hashtags that erased accounts spelled get the earliest spelling of others, unless staff corrected them. */
const SPELL_AGAIN = statement(
  'tags_spell_again',
  `update tags t set display_name = s.display_name, position = s.position
   from (
     select distinct on (tag) tag, display_name, position from tag_spellings where tag = any($1::text[])
     order by tag, position
   ) s
   where t.tag = s.tag and t.position > 0`,
);
const UNUSED = statement(
  'tags_delete_unused',
  `delete from tags t where t.tag = any($1::text[]) and t.position > 0
   and not exists (select from tag_spellings s where s.tag = t.tag)`,
);

/** The earliest spelling wins, in whatever order they arrive; known hashtags need no write. */
const SPELL = batch(
  'tags_spell',
  { tag: text, name: text, position: bigint, id: bigint, place: integer },
  (rows) => `insert into tags as t (tag, display_name, position, id)
   select distinct on (n.tag) n.tag, n.name, n.position, n.id
   from ${rows}
   where not exists (select from tags k where k.tag = n.tag and k.position <= n.position)
   order by n.tag, n.position, n.place
   on conflict (tag) do update set display_name = excluded.display_name, position = excluded.position
   where excluded.position < t.position`,
);

/** The spelling by staff precedes all others, in whatever order they arrive. */
const CORRECT = TAGS.merge('display_name', 'position');

/** Hashtags in their first spelling, or as staff corrected it. */
export const tags: Projection = {
  name: 'tags',
  version: 4,
  group: MAIN,
  tables: tablesOf(TAGS, SPELLINGS),
  handlerIndexes: ['create index tag_spellings_of_tag on tag_spellings (tag, position)'],
  indexes: ['create index tags_id on tags (id)'],
  handlers: [
    on(StatusCreated, { keys: () => [], additive: true, apply: spellWritten }),
    on(StatusEdited, { keys: () => [], additive: true, apply: spellWritten }),
    on(TagFollowed, { keys: () => [], additive: true, apply: spellNamed }),
    on(TagFeatured, { keys: () => [], additive: true, apply: spellNamed }),
    on(TagSpelled, {
      keys: ({ data }) => [data.tag],
      apply: CORRECT.each(({ data: { tag, name } }) => ({
        tag,
        display_name: name,
        position: 0n,
        id: tagId(tag),
      })),
    }),
    on(PersonalDataErased, {
      apply: async (events, db) => {
        const rows = await db.query(FORGET, columns(events, 'account_id'));
        if (rows.length === 0) return;
        const spelled = [rows.map(({ tag }) => tag)];
        await db.query(SPELL_AGAIN, spelled);
        await db.query(UNUSED, spelled);
      },
    }),
  ],
};

interface Spelling {
  account_id: string;
  tag: string;
  name: string;
  position: bigint;
}

async function spellWritten(
  events: readonly {
    position: bigint;
    data: { account_id: string; tags: readonly { name: string; normal: string }[] };
  }[],
  db: Db,
): Promise<void> {
  await spell(
    events.flatMap(({ position, data }) =>
      data.tags.map(({ normal, name }) => ({ account_id: data.account_id, tag: normal, name, position })),
    ),
    db,
  );
}

async function spellNamed(
  events: readonly { position: bigint; data: { account_id: string; tag: string; name: string } }[],
  db: Db,
): Promise<void> {
  await spell(
    events
      .filter(isNamed)
      .map(({ position, data: { account_id, tag, name } }) => ({ account_id, tag, name, position })),
    db,
  );
}

async function spell(spellings: readonly Spelling[], db: Db): Promise<void> {
  const rows = spellings.map((spelling, place) => ({ ...spelling, id: tagId(spelling.tag), place }));
  await Promise.all([REMEMBER.from(rows, db), SPELL.from(rows, db)]);
}
