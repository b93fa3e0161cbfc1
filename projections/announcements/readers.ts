import {
  AnnouncementDismissed,
  AnnouncementReactionAdded,
  AnnouncementReactionRemoved,
} from '#events/announcements.ts';
import { PersonalDataErased } from '#events/erasure.ts';
import { type BoundHandler, columns, dataOf, deleteRowsOf, on, onAccounts } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { batch, bigint, integer, table, text, textC } from '#kernel/table/index.ts';

export const ANNOUNCEMENT_KEYS = ({ data }: { data: { announcement_id: string } }): string[] => [
  data.announcement_id,
];

const DISMISSALS = table('announcement_dismissals', { announcement_id: bigint, account_id: bigint }, [
  'announcement_id',
  'account_id',
]);
const REACTIONS = table(
  'announcement_reactions',
  { announcement_id: bigint, name: textC, account_id: bigint, id: bigint },
  ['announcement_id', 'name', 'account_id'],
);
const COUNTS = table(
  'announcement_reaction_counts',
  { announcement_id: bigint, name: textC, count: integer, first_id: bigint },
  ['announcement_id', 'name'],
);

/** Events after the deletion of an announcement have no effect. */
const DISMISS = batch(
  'announcement_dismissals_insert',
  DISMISSALS.columns,
  (rows) => `insert into announcement_dismissals (account_id, announcement_id)
   select n.account_id, n.announcement_id from ${rows}
   where exists (select from announcements a where a.id = n.announcement_id) on conflict do nothing`,
);
const ADD = batch(
  'announcement_reactions_add',
  REACTIONS.columns,
  (rows) => `with added as (
     insert into announcement_reactions (announcement_id, name, account_id, id)
     select n.announcement_id, n.name, n.account_id, n.id
     from ${rows}
     where exists (select from announcements a where a.id = n.announcement_id)
     returning announcement_id, name, id
   )
   insert into announcement_reaction_counts as c (announcement_id, name, count, first_id)
   select announcement_id, name, count(*), min(id) from added group by announcement_id, name
   on conflict (announcement_id, name) do update set
     count = c.count + excluded.count, first_id = least(c.first_id, excluded.first_id)`,
);
const REMOVE = batch(
  'announcement_reactions_remove',
  { announcement_id: bigint, name: text, account_id: bigint },
  (rows) => `with gone as (
     delete from announcement_reactions r using ${rows}
     where r.announcement_id = n.announcement_id and r.name = n.name and r.account_id = n.account_id
     returning r.announcement_id, r.name
   )
   update announcement_reaction_counts c set count = c.count - g.count
   from (select announcement_id, name, count(*) as count from gone group by announcement_id, name) as g
   where c.announcement_id = g.announcement_id and c.name = g.name`,
);
const FORGET_UNUSED = statement(
  'announcement_reactions_forget_unused',
  'delete from announcement_reaction_counts where announcement_id = any($1::bigint[]) and count = 0',
);

/** Removes the reactions of erased users. */
const ERASE_REACTIONS = statement(
  'announcement_reactions_erase',
  `with gone as (
     delete from announcement_reactions where account_id = any($1::bigint[]) returning announcement_id, name
   )
   update announcement_reaction_counts c set count = c.count - g.count
   from (select announcement_id, name, count(*) as count from gone group by announcement_id, name) as g
   where c.announcement_id = g.announcement_id and c.name = g.name`,
);
/** Their announcements are unknown by now; there are few. */
const FORGET_ALL_UNUSED = statement(
  'announcement_reactions_forget_all_unused',
  'delete from announcement_reaction_counts where count = 0 and $1::bigint[] is not null',
);

export const READER_TABLES = [DISMISSALS, REACTIONS, COUNTS] as const;

export const readerHandlers: readonly BoundHandler[] = [
  on(AnnouncementDismissed, {
    keys: ANNOUNCEMENT_KEYS,
    additive: true,
    apply: DISMISS.each(({ data }) => data),
  }),
  on(AnnouncementReactionAdded, {
    keys: ANNOUNCEMENT_KEYS,
    additive: true,
    apply: ADD.each(({ data }) => data),
  }),
  on(AnnouncementReactionRemoved, {
    keys: ANNOUNCEMENT_KEYS,
    additive: true,
    apply: async (events, db) => {
      await REMOVE(dataOf(events), db);
      await db.query(FORGET_UNUSED, columns(events, 'announcement_id'));
    },
  }),
  onAccounts(PersonalDataErased, deleteRowsOf(DISMISSALS), ERASE_REACTIONS, FORGET_ALL_UNUSED),
];
