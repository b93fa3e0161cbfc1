import {
  DEFAULT_NOTIFICATION_POLICY,
  notificationPolicy,
  type NotificationPolicyEvent,
  type NotificationPolicyRules,
} from '../../src/events/notifications.ts';
import type { Decider } from '../../src/kernel/decider.ts';

/** Stream `notifications-<account>`. */
export const policy: Decider<NotificationPolicyRules, NotificationPolicyEvent> = {
  initialState: DEFAULT_NOTIFICATION_POLICY,
  evolve: (state, { data: { account_id: _, ...changes } }) =>
    notificationPolicy.parse({ ...state, ...changes }),
};

/** Only what becomes another; nothing when all of it is so already. Pure. */
export function decidePolicy(
  state: NotificationPolicyRules,
  accountId: string,
  wanted: { [Rule in keyof NotificationPolicyRules]?: NotificationPolicyRules[Rule] | undefined },
): NotificationPolicyEvent[] {
  const changed = Object.entries(wanted).filter(
    ([rule, verdict]) => verdict !== undefined && state[rule as keyof NotificationPolicyRules] !== verdict,
  );
  if (changed.length === 0) return [];
  return [
    { type: 'NotificationPolicyChanged', data: { account_id: accountId, ...Object.fromEntries(changed) } },
  ];
}
