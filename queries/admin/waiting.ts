import { endpoint } from '#kernel/endpoint.ts';
import { statement } from '#kernel/read.ts';
import { mayDo, type Permission } from '#mastodon/permissions.ts';
import { waitingSchema } from '#mastodon/schemas/index.ts';

/** $1 is the viewer. */
const WAITING = statement<Row>(
  'admin_waiting',
  `select count(*)::int as unresolved, count(*) filter (where r.assigned_account_id is null)::int as unassigned,
     count(*) filter (where r.assigned_account_id = $1::bigint)::int as mine,
     (select count(*)::int from users u where not u.approved) as sign_ups,
     (select count(*)::int from appeals p where p.state = 'pending') as appeals,
     (select count(*)::int from tag_reviews t where t.trendable is null) as tags,
     (select count(*)::int from trend_reviews t where t.trendable is null and t.subject = 'link') as links,
     (select count(*)::int from trend_reviews t where t.trendable is null and t.subject = 'status') as statuses
   from reports r where r.action_taken_at is null`,
);

type Row = Record<
  'unresolved' | 'unassigned' | 'mine' | 'sign_ups' | 'appeals' | 'tags' | 'links' | 'statuses',
  number
>;

/** Counts the things that wait for a decision of staff. Mastodon shows it on its web page only, so the path is Rookery's own. */
export const showWaiting = endpoint({
  method: 'GET',
  path: '/api/v1/admin/waiting',
  summary: 'View how many reports, sign-ups, appeals and trends wait for staff',
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'view_dashboard',
  reply: waitingSchema,
  handler: async ({ db, viewer }) => {
    const [row] = await db.query(WAITING, [viewer.account_id]);
    if (!row) throw new Error('The counts are missing');
    const { unresolved, unassigned, mine, sign_ups, appeals, tags, links, statuses } = row;
    const may = (permission: Permission): boolean => mayDo(viewer.role, permission);
    return {
      json: {
        reports: may('manage_reports') ? { unresolved, unassigned, mine } : null,
        sign_ups: may('manage_users') ? sign_ups : null,
        appeals: may('manage_appeals') ? appeals : null,
        trends: may('manage_taxonomies') ? { tags, links, statuses } : null,
      },
    };
  },
});

export const adminWaitingQueries = [showWaiting];
