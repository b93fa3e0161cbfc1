import type { Id } from '#kernel/ids.ts';
import { type Db, despite, type Statement, statement } from '#kernel/read.ts';
import { VIEWER, viewerFacts } from '../visibility/pairs.ts';
import { mayRepeat, repeats } from './aggregation.ts';
import { HOME_TIMELINE } from './home.ts';
import { LIST_TIMELINE } from './list.ts';
import { type OpenTimeline, samePlaces, withTagsOf } from './open-timelines.ts';
import { postedHere, PUBLIC_POST, shownInPublic, taggedBesides, withMedia } from './public-rules.ts';
import { inList, LAST_LISTS, mayBeAtHome, wantedAtHome, wantedInList } from './rules.ts';

/** The status of an event. A deleted status is looked up in the timelines that contained it. */
export interface AnnouncedStatus {
  id: Id;
  gone: boolean;
}

type Open<Name extends OpenTimeline['timeline']> = Extract<OpenTimeline, { timeline: Name }>;

/**
 * A status in an open timeline, by the places of both in the request. `statusId` differs when a reblog was
 * deleted with its original.
 */
export interface Appearance {
  timeline: number;
  status: number;
  statusId: Id;
}

interface Row {
  timeline: number;
  status: number;
  id: Id;
  reblog_of_id: Id | null;
  may_repeat: boolean;
}

/** The columns that the rules of timelines use. */
const COLUMNS = `st.id, st.account_id, st.local, st.visibility, st.in_reply_to_id, st.in_reply_to_account_id,
    st.in_reply_to_uri, st.conversation_id, st.reblog_of_id, st.language, st.media, st.deleted and not told.gone as deleted`;

/**
 * The statuses in the form of `PAGE_JOINS`, deleted ones as they were, with the reblogs that were deleted
 * with them.
 */
const STATUSES = `(
    select n, id, gone from unnest((select $1::bigint[]), (select $2::bool[])) with ordinality as asked (id, gone, n)
    union all
    select asked.n, i.reblog_id, true
    from unnest((select $1::bigint[]), (select $2::bool[])) with ordinality as asked (id, gone, n)
    join interactions i on i.status_id = asked.id and i.reblog_id is not null
    where asked.gone
  ) as told
  join lateral (select ${COLUMNS} from statuses st where st.id = told.id) s on true
  join accounts a on a.id = s.account_id
  left join lateral (select ${COLUMNS} from statuses st where st.id = s.reblog_of_id) o on true
  left join accounts oa on oa.id = o.account_id`;

/**
 * Selects the memberships of statuses in timelines of several viewers. `timelines` unnests the values from $3
 * on as `asked`, with the viewer's `id` and the place `n`; `shown` is the condition of the timeline itself.
 */
const audience = (
  name: string,
  timelines: string,
  columns: string,
  shown: string,
  mayBeRepeated = 'false',
): Statement<Row> =>
  despite(
    LAST_LISTS,
    statement(
      `audience_${name}`,
      `select (${VIEWER}.n - 1)::int as timeline, (told.n - 1)::int as status, s.id, s.reblog_of_id,
       not told.gone and ${mayBeRepeated} as may_repeat
     from ${STATUSES}
     cross join (
       select asked.n, asked.id${columns}, facts.* from ${timelines}
       cross join lateral (select ${viewerFacts('asked.id')} offset 0) facts
       offset 0
     ) ${VIEWER}
     where (${shown}) is true`,
    ),
  );

const SELF = `${VIEWER}.id`;
const texts = (column: string): string =>
  `array(select json_array_elements_text(${column}::json)) as ${column.slice('asked.'.length)}`;

const HOME = audience(
  'home',
  'unnest((select $3::bigint[])) with ordinality as asked (id, n)',
  '',
  `${mayBeAtHome(SELF)} and ${wantedAtHome(SELF)}`,
  mayRepeat(SELF),
);
const PUBLIC = audience(
  'public',
  `unnest((select $3::bigint[]), (select $4::bool[]), (select $5::bool[]))
     with ordinality as asked (id, from_here, media, n)`,
  ', asked.from_here, asked.media',
  `${PUBLIC_POST} and ${postedHere(`${VIEWER}.from_here`)} and ${withMedia(`${VIEWER}.media`)}
     and ${shownInPublic(SELF)}`,
);
const TAG = audience(
  'tag',
  `unnest((select $3::bigint[]), (select $4::bool[]), (select $5::text[]), (select $6::text[]), (select $7::text[]))
     with ordinality as asked (id, from_here, tags, all_tags, no_tags, n)`,
  `, asked.from_here, ${['tags', 'all_tags', 'no_tags'].map((column) => texts(`asked.${column}`)).join(', ')}`,
  `exists (select from status_tags t where t.status_id = s.id and t.tag = any(${VIEWER}.tags))
     and ${postedHere(`${VIEWER}.from_here`)} and ${taggedBesides(`${VIEWER}.all_tags`, `${VIEWER}.no_tags`)}
     and ${shownInPublic(SELF)}`,
);
const LIST = audience(
  'list',
  `unnest((select $3::bigint[]), (select $4::bigint[])) with ordinality as asked (id, list_id, n)
     join lists l on l.id = asked.list_id and l.account_id = asked.id`,
  ', asked.list_id, l.replies_policy',
  `${inList(`${VIEWER}.list_id`, 's.account_id')} and ${wantedInList(SELF, `${VIEWER}.list_id`, `${VIEWER}.replies_policy`)}`,
  mayRepeat(SELF),
);

const viewers = (open: readonly OpenTimeline[]): Id[] => open.map(({ viewerId }) => viewerId);
const tagTexts = (lists: readonly (readonly string[])[]): string[] =>
  lists.map((tags) => JSON.stringify(tags));

/** For each kind of timeline, the statement that finds its statuses, and its values from $3 on. */
const KINDS: {
  [Name in OpenTimeline['timeline']]: [Statement<Row>, (open: readonly Open<Name>[]) => unknown[]];
} = {
  home: [HOME, (open) => [viewers(open)]],
  public: [PUBLIC, (open) => [viewers(open), open.map(({ local }) => local), open.map(({ media }) => media)]],
  tag: [
    TAG,
    (open) => [
      viewers(open),
      open.map(({ local }) => local),
      tagTexts(open.map(({ tags }) => tags)),
      tagTexts(open.map(({ all }) => all)),
      tagTexts(open.map(({ none }) => none)),
    ],
  ],
  list: [LIST, (open) => [viewers(open), open.map(({ listId }) => listId)]],
};

/**
 * Returns true if a reblog is left out of an open timeline as a repetition, with one statement for each
 * candidate.
 */
async function isRepeated(
  db: Db,
  { id, reblog_of_id }: Pick<Row, 'id' | 'reblog_of_id'>,
  open: OpenTimeline | undefined,
): Promise<boolean> {
  if (reblog_of_id === null || !open) return false;
  const reader = { db, viewer: { account_id: open.viewerId } };
  if (open.timeline === 'home') return repeats(reader, HOME_TIMELINE, { id, reblog_of_id });
  return open.timeline === 'list' && repeats(reader, LIST_TIMELINE, { id, reblog_of_id }, [open.listId]);
}

/**
 * Returns the memberships of some statuses in some open timelines, by the rules of the timelines themselves,
 * with one statement for each kind of timeline. Equal timelines are looked up once, and those of hashtags
 * only if a status has one of their tags: clients open any number of them. Includes reblogs of a deleted
 * status.
 */
export async function appearances(
  db: Db,
  statuses: readonly AnnouncedStatus[],
  open: readonly OpenTimeline[],
): Promise<Appearance[]> {
  if (statuses.length === 0) return [];
  const ids = statuses.map(({ id }) => id);
  const told = [ids, statuses.map(({ gone }) => gone)];
  const wanted = await withTagsOf(db, ids, open);
  const ofKind = async (name: OpenTimeline['timeline']): Promise<Appearance[]> => {
    const groups = samePlaces(wanted, name);
    if (groups.length === 0) return [];
    const [find, valuesOf] = KINDS[name];
    const rows = await db.query(find, [
      ...told,
      ...valuesOf(groups.map(({ timeline }) => timeline as never)),
    ]);
    const found = await Promise.all(
      rows.map(async ({ timeline, status, id, ...row }) => {
        const group = groups[timeline];
        if (group === undefined) return [];
        if (row.may_repeat && (await isRepeated(db, { id, ...row }, group.timeline))) return [];
        return group.places.map((place) => ({ timeline: place, status, statusId: id }));
      }),
    );
    return found.flat();
  };
  return (await Promise.all((Object.keys(KINDS) as OpenTimeline['timeline'][]).map(ofKind))).flat();
}
