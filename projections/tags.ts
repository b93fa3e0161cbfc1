import { StatusCreated, StatusEdited } from '../src/events/statuses.ts';
import { TagFeatured, TagFollowed, TagSpelled } from '../src/events/tags.ts';
import { columns, MAIN, on, type Projection } from '../src/kernel/projection.ts';
import { statement, type Db } from '../src/kernel/read.ts';
import { tagId } from '../src/mastodon/tag-name.ts';

/** The earliest spelling wins, in whatever order they arrive; known hashtags need no write. */
const SPELL = statement(
  'tags_spell',
  `insert into tags as t (tag, display_name, position, id)
   select distinct on (n.tag) n.tag, n.name, n.position, n.id
   from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) with ordinality as n (tag, name, position, id, place)
   where not exists (select from tags k where k.tag = n.tag and k.position <= n.position)
   order by n.tag, n.position, n.place
   on conflict (tag) do update set display_name = excluded.display_name, position = excluded.position
   where excluded.position < t.position`,
);

/** The spelling by staff precedes all others, in whatever order they arrive. */
const CORRECT = statement(
  'tags_correct',
  `insert into tags (tag, display_name, position, id)
   select n.tag, n.name, 0, n.id from unnest($1::text[], $2::text[], $3::bigint[]) as n (tag, name, id)
   on conflict (tag) do update set display_name = excluded.display_name, position = 0`,
);

/** Hashtags in their first spelling, or as staff corrected it. */
export const tags: Projection = {
  name: 'tags',
  version: 3,
  group: MAIN,
  tables: {
    /** `id` is the one that clients see. */
    tags: `
      tag text collate "C" primary key,
      display_name text not null,
      position bigint not null,
      id bigint not null`,
  },
  indexes: ['create index tags_id on tags (id)'],
  handlers: [
    on(StatusCreated, { keys: () => [], additive: true, apply: spellWritten }),
    on(StatusEdited, { keys: () => [], additive: true, apply: spellWritten }),
    on(TagFollowed, { keys: () => [], additive: true, apply: spellNamed }),
    on(TagFeatured, { keys: () => [], additive: true, apply: spellNamed }),
    on(TagSpelled, {
      keys: ({ data }) => [data.tag],
      apply: async (events, db) => {
        await db.query(CORRECT, [
          ...columns(events, 'tag', 'name'),
          events.map(({ data }) => tagId(data.tag)),
        ]);
      },
    }),
  ],
};

interface Spelling {
  tag: string;
  name: string;
  position: bigint;
}

async function spellWritten(
  events: readonly { position: bigint; data: { tags: readonly { name: string; normal: string }[] } }[],
  db: Db,
): Promise<void> {
  await spell(
    events.flatMap(({ position, data }) =>
      data.tags.map(({ normal, name }) => ({ tag: normal, name, position })),
    ),
    db,
  );
}

async function spellNamed(
  events: readonly { position: bigint; data: { tag: string; name: string } }[],
  db: Db,
): Promise<void> {
  await spell(
    events.map(({ position, data: { tag, name } }) => ({ tag, name, position })),
    db,
  );
}

async function spell(spellings: readonly Spelling[], db: Db): Promise<void> {
  if (spellings.length === 0) return;
  await db.query(SPELL, [
    spellings.map(({ tag }) => tag),
    spellings.map(({ name }) => name),
    spellings.map(({ position }) => position.toString()),
    spellings.map(({ tag }) => tagId(tag)),
  ]);
}
