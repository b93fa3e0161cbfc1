import type { StrikeAction } from '#events/moderation.ts';
import { AccountWarned } from '#events/moderation.ts';
import type { RecordedOf } from '#kernel/event.ts';
import { type BoundHandler, on } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { AuditAction } from '#mastodon/audit-log.ts';
import { type Change, change } from './changes.ts';
import { type AuditDetails, keepStates, writeEntries } from './entries.ts';

type Strike = RecordedOf<typeof AccountWarned>;

/**
 * Selects the actions of the same command that precede their strike: those against the account, and in logs
 * from before 2026-11-26 those against its posts.
 */
const JOIN = statement<{ position: string; strike_id: string }>(
  'audit_strikes_join',
  `update audit_entries e set strike_id = n.strike_id, report_id = n.report_id
   from unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[]) as n (account_id, command_id, strike_id, report_id)
   where e.account_id = n.account_id and e.command_id = n.command_id and e.target_type in ('account', 'status')
     and e.strike_id is null
   returning e.position, e.strike_id`,
);
const STATUSES = statement(
  'audit_statuses_insert',
  `insert into audit_statuses (status_id, position) select * from unnest($1::bigint[], $2::bigint[])
   on conflict do nothing`,
);

/**
 * Entries of actions against posts: the strike precedes the events of the posts, which then have no entry.
 */
const OF_POSTS: Partial<Record<StrikeAction, { action: AuditAction; changes: Change[] }>> = {
  delete_statuses: { action: 'status.deleted', changes: [change('deleted', false, true)] },
  mark_statuses_as_sensitive: {
    action: 'status.sensitized',
    changes: [change('marked_by_staff', false, true)],
  },
};

/** The key of the state that the entry of a strike covers its posts. */
export const strikeKey = (strikeId: string): string => `strike/${strikeId}`;

/**
 * A strike gives the reason for an action, so it joins the entry of an action against the account; otherwise
 * it is an entry itself. The audit reads its text, which is personal, from the read model of strikes.
 */
export const strikes = (
  key: (data: Strike['data']) => string,
  about: (data: Strike['data']) => Pick<AuditDetails, 'target' | 'account_id'>,
): BoundHandler =>
  on(AccountWarned, {
    keys: ({ data }) => [key(data)],
    apply: async (events, db) => {
      const joined = await join(events, db);
      const alone = events.filter(({ data }) => !joined.has(data.id));
      await writeEntries(
        alone.map((event) => {
          const ofPosts = OF_POSTS[event.data.action];
          const details = {
            ...about(event.data),
            ...targetOf(event),
            ...reportOf(event),
            strike_id: event.data.id,
          };
          return {
            event,
            action: ofPosts?.action ?? 'account.warned',
            details: { ...details, changes: ofPosts?.changes ?? [] },
          };
        }),
        db,
      );
      await keepStates(
        alone.filter(({ data }) => OF_POSTS[data.action]).map(({ data }) => [strikeKey(data.id), {}]),
        db,
      );
      const statuses = events.flatMap(({ data, position }) =>
        data.status_ids.map((id) => ({ id, position: joined.get(data.id) ?? String(position) })),
      );
      if (statuses.length === 0) return;
      await db.query(STATUSES, [statuses.map(({ id }) => id), statuses.map(({ position }) => position)]);
    },
  });

/** The first post; `audit_statuses` has all of them. */
const targetOf = ({ data: { action, status_ids } }: Strike): Partial<Pick<AuditDetails, 'target'>> => {
  const [id = null] = status_ids;
  return OF_POSTS[action] ? { target: { type: 'status', id, name: null } } : {};
};

const reportOf = ({ data }: Strike): { report_id?: string } =>
  data.report_id === null ? {} : { report_id: data.report_id };

/** Returns the positions of the entries that strikes joined, by the ids of the strikes. */
async function join(events: readonly Strike[], db: Db): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query(JOIN, [
    events.map(({ data }) => data.account_id),
    events.map(({ metadata }) => metadata.command_id),
    events.map(({ data }) => data.id),
    events.map(({ data }) => data.report_id),
  ]);
  return new Map(rows.map(({ position, strike_id }) => [strike_id, position]));
}
