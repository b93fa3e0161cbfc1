import { blocks, blocksDomain, mutes, mutesNotifications } from './pairs.ts';
import { visibleTo } from './statuses.ts';

/**
 * Whether a reader wants to be told of what an account does: not when he blocks it or its server, mutes its notifications, or
 * is blocked by it. Of what he did himself he is told where that has a type of its own (the end of his poll).
 */
export const toldBy = (viewer: string, account = 'a'): string => {
  const me = `${viewer}::bigint`;
  return `(${account}.id = ${me} or (not ${account}.suspended
    and not ${blocks(me, `${account}.id`)} and not ${blocks(`${account}.id`, me)}
    and not ${mutesNotifications(me, `${account}.id`)} and not ${blocksDomain(me, `${account}.domain`)}))`;
};

/** The aliases under which a statement has a notification, whom it comes from, and the status with its author. */
const ALIASES = { notification: 'n', from: 'a', status: 's', author: 'sa' };

/** Joins what `notificationShownTo` looks at; the account is joined by the statement itself, as `a`. */
export const NOTIFICATION_STATUS =
  'left join statuses s on s.id = n.status_id left join accounts sa on sa.id = s.account_id';

/**
 * Which notifications a reader finds, as a condition on `notifications n` with `accounts a` and `NOTIFICATION_STATUS`: those of
 * accounts he is told of, about statuses he may see in threads that he did not mute. Staff's are for staff; new posts of
 * somebody whom he mutes do not reach him in any way.
 */
export const notificationShownTo = (viewer: string): string => {
  const { notification: n, from, status: s, author } = ALIASES;
  const me = `${viewer}::bigint`;
  return `(${toldBy(viewer, from)}
    and (${n}.status_id = 0 or (${visibleTo(viewer, { status: s, author })} and not exists (
      select from thread_mutes thm where thm.account_id = ${me} and thm.conversation_id = ${s}.conversation_id)))
    and (${n}.type <> 'status' or not ${mutes(me, `${from}.id`)})
    and (${n}.type not like 'admin.%' or exists (
      select from users usr where usr.account_id = ${me} and usr.role is not null)))`;
};
