import {
  DEFAULT_NOTIFICATION_POLICY,
  notificationPolicy,
  type NotificationPolicyEvent,
  type NotificationPolicyRules,
} from '#events/notifications.ts';
import type { Decider } from '#kernel/decider.ts';

/** Stream `notifications-<account>`. */
export const policy: Decider<NotificationPolicyRules, NotificationPolicyEvent> = {
  initialState: DEFAULT_NOTIFICATION_POLICY,
  evolve: (state, { data: { account_id: _, ...changes } }) =>
    notificationPolicy.parse({ ...state, ...changes }),
};

/** Decides only differences. Pure. */
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

/** The rules of the first version, and the present rules that each covers. */
const V1_RULES = {
  filter_not_following: 'for_not_following',
  filter_not_followers: 'for_not_followers',
  filter_new_accounts: 'for_new_accounts',
  filter_private_mentions: 'for_private_mentions',
  filter_bots: 'for_bots',
} as const;

/**
 * Changes the policy for apps that know only two verdicts: dropped notifications stay dropped until such an
 * app accepts them. Pure.
 */
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
