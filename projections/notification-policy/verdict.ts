import { boolean, smallint, text, timestamptz } from '#kernel/table/index.ts';

/** The verdict of a policy: shown, filtered, dropped. The strictest applicable rule is the largest number. */
export const VERDICTS = { accept: 0, filter: 1, drop: 2 } as const;

/** The prefix of the tables of a projection with verdicts. */
export type VerdictPrefix = 'notification' | 'conversation';

/**
 * The columns of an account that a verdict depends on, and the policy of a local account. `rank` is that of
 * its role.
 */
export const POLICY_COLUMNS = {
  created_at: timestamptz,
  domain: text.orNull,
  limited: boolean.defaultsTo('false'),
  limited_by_domain: boolean.defaultsTo('false'),
  bot: boolean,
  rank: smallint.defaultsTo('0'),
  for_not_following: smallint.defaultsTo(`${VERDICTS.accept}`),
  for_not_followers: smallint.defaultsTo(`${VERDICTS.accept}`),
  for_new_accounts: smallint.defaultsTo(`${VERDICTS.accept}`),
  for_private_mentions: smallint.defaultsTo(`${VERDICTS.filter}`),
  for_limited_accounts: smallint.defaultsTo(`${VERDICTS.filter}`),
  for_bots: smallint.defaultsTo(`${VERDICTS.accept}`),
};

/**
 * Returns the SQL of a verdict: https://docs.joinmastodon.org/entities/NotificationPolicy/. `n` is the
 * arrival, `r` the recipient, `f` the sender. Each projection with verdicts has tables of its own, whose
 * names begin with `prefix`. Limits do not apply to accounts that the recipient follows, nor the policy to
 * mentions by staff of higher rank than the recipient.
 */
export function verdictBy(prefix: VerdictPrefix): string {
  const following = `exists (select from ${prefix}_follows fol
  where fol.account_id = n.account_id and fol.target_account_id = n.from_account_id
    and fol.position < n.position)`;
  // The recipient of a new follow has the follower already.
  const followed = `exists (select from ${prefix}_follows fol
  where fol.account_id = n.from_account_id and fol.target_account_id = n.account_id
    and fol.position <= n.position)`;
  // The recipient wrote privately to this account in this thread before.
  const answered = `exists (select from ${prefix}_mentions men
  where men.conversation_id = n.private_thread and men.author_id = n.account_id
    and men.account_id = n.from_account_id and men.position < n.position)`;
  const permitted = `exists (select from ${prefix}_permissions per
  where per.account_id = n.account_id and per.from_account_id = n.from_account_id)`;
  const isMention = prefix === 'notification' ? "n.type = 'mention'" : 'true';
  return `case when ${permitted} or (${isMention} and f.rank > r.rank) then ${VERDICTS.accept} else greatest(
  ${rule('for_not_following', `not ${following}`)},
  ${rule('for_not_followers', `not ${followed}`)},
  ${rule('for_new_accounts', "f.created_at > n.created_at - interval '30 days'")},
  ${rule('for_limited_accounts', `(f.limited or f.limited_by_domain) and not ${following}`)},
  ${rule('for_bots', `f.bot and not ${following}`)},
  ${rule('for_private_mentions', `n.private_thread is not null and not ${following} and not ${answered}`)}
) end`;
}

const rule = (column: string, applies: string): string =>
  `case when r.${column} > ${VERDICTS.accept} and ${applies} then r.${column} else ${VERDICTS.accept} end`;
