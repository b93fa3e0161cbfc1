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
  wanted: { [Rule in keyof NotificationPolicyRules]?: NotificationPolicyRules[Rule] | null | undefined },
): NotificationPolicyEvent[] {
  const changed = Object.entries(wanted).filter(
    ([rule, verdict]) => verdict != null && state[rule as keyof NotificationPolicyRules] !== verdict,
  );
  if (changed.length === 0) return [];
  return [
    { type: 'NotificationPolicyChanged', data: { account_id: accountId, ...Object.fromEntries(changed) } },
  ];
}

/** The rules of the first version, and those that they stand for. */
const V1_RULES = {
  filter_not_following: 'for_not_following',
  filter_not_followers: 'for_not_followers',
  filter_new_accounts: 'for_new_accounts',
  filter_private_mentions: 'for_private_mentions',
  filter_bots: 'for_bots',
} as const;

/** As apps change it that know of two verdicts: what is dropped stays so until they accept it. Pure. */
export function decideV1Policy(
  state: NotificationPolicyRules,
  accountId: string,
  wanted: { [Rule in keyof typeof V1_RULES]?: boolean | null | undefined },
): NotificationPolicyEvent[] {
  const rules = Object.entries(V1_RULES).flatMap(([name, rule]) => {
    const filter = wanted[name as keyof typeof V1_RULES];
    if (filter == null || filter === (state[rule] !== 'accept')) return [];
    return [[rule, filter ? 'filter' : 'accept'] as const];
  });
  return decidePolicy(state, accountId, Object.fromEntries(rules));
}
