import { notificationShownTo } from '../visibility/notifications.ts';

/** The maximum count of notifications of one account. */
const MAX_COUNT = 100;

/**
 * SQL: a lateral subquery that summarises the filtered notifications of one request `q` that the viewer may
 * see: `notifications_count`, `updated_at`, `last_status_id` ('0' or null for none).
 */
export const filteredOf = (q: string, viewer: string): string => `(
  select count(*)::int as notifications_count, max(f.created_at) as updated_at,
    (array_agg(f.status_id order by f.id desc) filter (where f.status_id <> 0))[1] as last_status_id
  from (
    select n.id, n.status_id, n.created_at from notifications n
    where n.account_id = ${q}.account_id and n.from_account_id = ${q}.from_account_id and n.filtered
      and ${notificationShownTo(viewer)}
    order by n.id desc limit ${MAX_COUNT}
  ) f
)`;
