import { blocks, blocksDomain, mutes, mutesNotifications } from './pairs.ts';
import { visibleTo } from './statuses.ts';

/**
 * SQL: true if a viewer is notified of an account's interactions: not when they block it or its server, mute
 * its notifications, or are blocked by it. Their own events notify them if there is a type for it (the end of
 * a poll).
 */
export const toldBy = (viewer: string, account = 'a'): string => {
  const me = `${viewer}::bigint`;
  return `(${account}.id = ${me} or (not ${account}.suspended
    and not ${blocks(me, `${account}.id`)} and not ${blocks(`${account}.id`, me)}
    and not ${mutesNotifications(me, `${account}.id`)} and not ${blocksDomain(me, `${account}.domain`)}))`;
};

/**
 * The same for statements about many accounts (those of groups): the accounts that the viewer hides are
 * looked up once and hashed. `id` is an expression for an account id.
 */
export const manyToldBy = (viewer: string, id: string): string => {
  const me = `${viewer}::bigint`;
  return `(${id} = ${me} or ${id} not in (
      select blk.target_account_id from blocks blk where blk.account_id = ${me}
      union all select blk.account_id from blocks blk where blk.target_account_id = ${me}
      union all select mut.target_account_id from mutes mut where mut.account_id = ${me} and mut.notifications
        and (mut.expires_at is null or mut.expires_at > now()))
    and (select not acc.suspended and not ${blocksDomain(me, 'acc.domain')} from accounts acc where acc.id = ${id}))`;
};

/**
 * The notifications of a viewer, as a condition on `notifications n`: from accounts that may notify them,
 * about statuses that they may see in threads that they did not mute. Notifications for staff require a role;
 * a muted account's new posts never notify. A scalar subquery makes Postgres read a page along its index,
 * newest first, instead of joining everything.
 */
export const notificationShownTo = (viewer: string): string => {
  const me = `${viewer}::bigint`;
  return `(select ${toldBy(viewer, 'fro')}
      and (n.status_id = 0 or (${visibleTo(viewer, { status: 'sta', author: 'aut' })} and not exists (
        select from thread_mutes thm where thm.account_id = ${me} and thm.conversation_id = sta.conversation_id)))
      and (n.type <> 'status' or not ${mutes(me, 'fro.id')})
      and (n.type not like 'admin.%' or exists (
        select from users usr where usr.account_id = ${me} and usr.role is not null))
    from accounts fro left join statuses sta on sta.id = n.status_id left join accounts aut on aut.id = sta.account_id
    where fro.id = n.from_account_id)`;
};
