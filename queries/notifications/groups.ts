import { GROUPED_TYPES } from '#events/notifications.ts';
import type { UserContext } from '#kernel/context.ts';
import { formStringArray } from '#kernel/input.ts';
import { type PageRequest, pageRequest, selectPage } from '#kernel/paging.ts';
import { statement } from '#kernel/read.ts';
import { NOTIFICATION_TYPES } from '#mastodon/notification-types.ts';
import { manyToldBy, notificationShownTo } from '../visibility/notifications.ts';
import { groupBegin, groupEnd, groupKey, type GroupRange, isGrouped, parseGroupKey } from './group-key.ts';
import { select, type Selection, selectionStatements } from './selection.ts';

/** The maximum number of a group's accounts in the reply. */
const SAMPLES = 8;

/** The types that the client can show as groups; the default is all. */
export const groupedTypesParameter = {
  grouped_types: formStringArray(50, 60, { words: NOTIFICATION_TYPES })
    .optional()
    .describe('Types of notifications that may be grouped; all that can be by default.'),
};
export const groupedTypes = ({
  grouped_types,
}: {
  grouped_types?: string[] | undefined;
}): readonly string[] => grouped_types ?? GROUPED_TYPES;

/** Other rows of a group: the status is the same, so only their accounts can hide them. */
const MEMBER_TOLD = manyToldBy('$1', 'm.from_account_id');

/** A group has the place of its newest notification ($8: the types that are grouped). */
export const NEWEST_OF_GROUP = (
  ofGroup: string,
): string => `(not ${isGrouped('n', '$8::text[]')} or not exists (
  select from notifications m
  where m.account_id = n.account_id and m.type = n.type and m.status_id = n.status_id
    and m.id > n.id and m.id < ${groupEnd('n')} and m.span = n.span and ${ofGroup} and ${MEMBER_TOLD}))`;

/** Aggregates a group from its rows `m`, of which `p` is the newest; `$3` is the end of the page. */
const membersOf = (ofGroup: string): string => `cross join lateral (
  select count(*)::int as notifications_count, min(m.id) filter (where m.id > $3) as page_min_id,
    (array_agg(m.from_account_id::text order by m.id desc))[1:${SAMPLES}] as sample_account_ids
  from notifications m
  where m.account_id = $1 and m.type = p.type and m.status_id = p.status_id and m.id <= p.id
    and m.id >= case when p.grouped then ${groupBegin('p')} else p.id end and (not p.grouped or m.span = p.span) and ${ofGroup} and ${MEMBER_TOLD}
) g`;

export interface GroupRow {
  /** The id of the newest notification. */
  id: string;
  type: string;
  /** '0' for none. */
  status_id: string;
  created_at: string;
  group_key: string;
  notifications_count: number;
  page_min_id: string;
  /** Newest first. */
  sample_account_ids: string[];
}

const PAGE = selectionStatements<GroupRow>(
  'notification_groups_page',
  (order, selected, ofGroup) => `
    with page as materialized (
      select n.id, n.type, n.status_id, n.created_at, n.span, ${groupKey('n', '$8::text[]')} as group_key,
        ${isGrouped('n', '$8::text[]')} as grouped
      from notifications n
      where ${selected} and ${NEWEST_OF_GROUP(ofGroup)} order by n.id ${order} limit $4
    )
    select p.id, p.type, p.status_id, p.created_at, p.group_key, g.*
    from page p ${membersOf(ofGroup)} order by p.id ${order}`,
);

/**
 * Returns a page of groups, by the newest notification of each: a group is on one page, also when it began
 * before it.
 */
export function groupPage(
  ctx: UserContext,
  page: PageRequest,
  selection: Selection & { grouped_types?: string[] | undefined },
): Promise<GroupRow[]> {
  const { keyset, values } = select(PAGE, selection);
  return selectPage(ctx, keyset, page, [...values, groupedTypes(selection)]);
}

const SINGLE = { types: [], exclude_types: [], include_filtered: true };

/** Returns the group of a key, including filtered notifications; undefined when all of it is gone. */
export async function groupByKey(ctx: UserContext, key: string): Promise<GroupRow | undefined> {
  const range = parseGroupKey(key);
  const newest = range && (await newestOf(ctx, range));
  if (!range || newest === undefined) return undefined;
  // The newest notification of a group represents it, so a page with only that one is the group.
  const { keyset, values } = select(PAGE, SINGLE);
  const before = String(BigInt(newest) + 1n);
  const page = pageRequest({ max_id: before, limit: 1 });
  const types = range.id === undefined ? GROUPED_TYPES : [];
  const [row] = await selectPage(ctx, keyset, page, [...values, types]);
  return row;
}

const NEWEST = statement<{ id: string }>(
  'notification_group_newest',
  `select n.id from notifications n
   where n.account_id = $1 and n.type = $2 and n.status_id = $3 and n.id between $4 and $5 and n.span = $6
     and ${notificationShownTo('$1')}
   order by n.id desc limit 1`,
);
const BY_ID = statement<{ id: string }>(
  'notification_group_single',
  `select n.id from notifications n
   where n.account_id = $1 and n.id = $2 and ${notificationShownTo('$1')}`,
);

/** Returns the newest id in a range that the viewer may see; undefined for none. */
export async function newestOf(ctx: UserContext, range: GroupRange): Promise<string | undefined> {
  const me = ctx.viewer.account_id;
  const [row] =
    range.id === undefined
      ? await ctx.db.query(NEWEST, [...[me, range.type, range.statusId, range.first, range.last, range.span]])
      : await ctx.db.query(BY_ID, [me, range.id]);
  return row?.id;
}
