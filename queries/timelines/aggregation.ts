import type { Id } from '#kernel/ids.ts';
import type { KeysetStatement, PageRequest, Reader } from '#kernel/paging.ts';
import { follows } from './rules.ts';
import { selectByWindows, type TimelineRow, type Windowed } from './windows.ts';

/**
 * A reblog is left out when its post, or another reblog of it, is among this many older entries of the
 * timeline. Mastodon: `FeedManager::REBLOG_FALLOFF`.
 */
const REBLOG_FALLOFF = 40;
/**
 * The maximum number of older reblogs of a post that are compared with the viewer's follows, newest first.
 */
const MAX_COMPARED = 200;
/**
 * The maximum number of extensions of one page: a post that very many followed accounts reblog does not fill
 * a page alone.
 */
const MAX_ROUNDS = 8;

/**
 * SQL: true if a status `s` with `PAGE_JOINS` may be such a reblog for a viewer who has not disabled
 * aggregation. Too many are true rather than too few: the timeline itself decides.
 */
export const mayRepeat = (reader: string): string => `(s.reblog_of_id is not null
  and (o.account_id = ${reader} or ${follows(reader, 'o.account_id')}
    or exists (
      select from (
        select i.account_id from interactions i where i.status_id = s.reblog_of_id and i.reblog_id < s.id
        order by i.reblog_id desc limit ${MAX_COMPARED}
      ) older where older.account_id = ${reader} or ${follows(reader, 'older.account_id')})
    or exists (select from status_tags t join tag_follows tf on tf.tag = t.tag and tf.account_id = ${reader}
      where t.status_id = o.id))
  and (select u.aggregate_reblogs from users u where u.account_id = ${reader}))`;

/** Returns a page of a home or list timeline without repeated posts, in the order of the request. */
export async function selectAggregated(
  reader: Reader,
  keyset: KeysetStatement<Windowed>,
  page: PageRequest,
  values: readonly unknown[] = [],
): Promise<TimelineRow[]> {
  const select = (part: Partial<PageRequest>): Promise<TimelineRow[]> =>
    selectByWindows(reader, keyset, { ...page, ...part }, values);
  const rows = await select({});
  if (!rows.some(({ may_repeat }) => may_repeat)) return rows;
  return page.ascending ? upwards(rows, page, select) : downwards(rows, page, select);
}

/** Returns true if a reblog repeats an older entry of the timeline. */
export async function repeats(
  reader: Reader,
  keyset: KeysetStatement<Windowed>,
  reblog: { id: Id; reblog_of_id: Id },
  values: readonly unknown[] = [],
): Promise<boolean> {
  const page = { before: reblog.id, after: '0', limit: REBLOG_FALLOFF, ascending: false };
  const older = await selectByWindows(reader, keyset, page, values);
  return older.some((row) => postOf(row) === reblog.reblog_of_id);
}

type Select = (part: Partial<PageRequest>) => Promise<TimelineRow[]>;

/** Rows come newest first; `after` bounds the page, not the entries that it is compared with. */
async function downwards(rows: TimelineRow[], page: PageRequest, select: Select): Promise<TimelineRow[]> {
  const entries = [...rows];
  for (let round = 1; ; round += 1) {
    const missing = round === 1 ? 0 : page.limit;
    const limit = REBLOG_FALLOFF + missing;
    const last = entries.at(-1);
    const older = last ? await select({ before: last.id, after: '0', limit }) : [];
    entries.push(...older);
    const isEnd = older.length < limit;
    const kept = withoutRepeats(entries, isEnd ? entries.length : entries.length - REBLOG_FALLOFF).filter(
      ({ id }) => BigInt(id) > BigInt(page.after),
    );
    if (isEnd || kept.length >= page.limit || round === MAX_ROUNDS) return kept.slice(0, page.limit);
  }
}

/** Rows come oldest first. */
async function upwards(rows: TimelineRow[], page: PageRequest, select: Select): Promise<TimelineRow[]> {
  const before = String(BigInt(page.after) + 1n);
  const below = await select({ before, after: '0', limit: REBLOG_FALLOFF, ascending: false });
  const above = [...rows];
  for (let round = 1; ; round += 1) {
    const entries = [...above.toReversed(), ...below];
    const kept = withoutRepeats(entries, above.length).toReversed();
    const last = above.at(-1);
    if (kept.length >= page.limit || above.length < page.limit || !last || round === MAX_ROUNDS)
      return kept.slice(0, page.limit);
    const newer = await select({ after: last.id });
    if (newer.length === 0) return kept;
    above.push(...newer);
  }
}

/**
 * Returns the first `count` entries, newest first, without reblogs of a post that is among the next
 * `REBLOG_FALLOFF`.
 */
function withoutRepeats(entries: readonly TimelineRow[], count: number): TimelineRow[] {
  return entries.slice(0, Math.max(count, 0)).filter((row, place) => {
    if (row.reblog_of_id === null) return true;
    const older = entries.slice(place + 1, place + 1 + REBLOG_FALLOFF);
    return !older.some((each) => postOf(each) === row.reblog_of_id);
  });
}

const postOf = ({ id, reblog_of_id }: TimelineRow): Id => reblog_of_id ?? id;
