import type { InteractionKind, InteractionPolicy, InteractionRules } from '#events/statuses.ts';
import { type Db, statement } from '#kernel/read.ts';

/*
 * GoToSocial's interaction policies: https://docs.gotosocial.org/en/latest/federation/interaction_policy/
 */

const EVERYONE = 'https://www.w3.org/ns/activitystreams#Public';

const FACTS = statement<PolicyFacts & { policy: string }>(
  'federation_interaction_policy',
  `select ip.policy, coalesce(me.uri, '') as uri, s.account_id = $2 as is_author, a.uri as author_uri, r.followers_uri,
     exists (select from follows f where f.account_id = $2 and f.target_account_id = a.id) as follows,
     exists (select from follows f where f.account_id = a.id and f.target_account_id = $2) as followed,
     s.in_reply_to_account_id = $2 or exists (
       select from status_mentions m where m.status_id = s.id and m.account_id = $2) as addressed
   from interaction_policies ip join statuses s on s.id = ip.status_id join accounts a on a.id = s.account_id
   left join accounts me on me.id = $2 left join remote_inboxes r on r.account_id = a.id where ip.status_id = $1`,
);

/** The relationship of an account to a post and its author. */
export interface PolicyFacts {
  uri: string;
  is_author: boolean;
  author_uri: string;
  followers_uri: string | null;
  follows: boolean;
  followed: boolean;
  /** The post mentions the account, or replies to it. */
  addressed: boolean;
}

/**
 * `required`: the author decides, or their server must confirm that the account is in one of its collections.
 */
export type Approval = 'automatic' | 'required' | 'forbidden';

/**
 * Returns the rule for one account. The author may do everything, and an addressed account may reply. Pure.
 */
export function approvalBy(rules: InteractionRules, kind: InteractionKind, facts: PolicyFacts): Approval {
  const { uri, is_author, author_uri, followers_uri, follows, followed, addressed } = facts;
  if (is_author || (kind === 'reply' && addressed) || rules.automatic.includes(uri)) return 'automatic';
  if (rules.manual.includes(uri)) return 'required';
  const collections = [
    ...(follows ? [followers_uri ?? `${author_uri}/followers`] : []),
    // Actor documents are not fetched for this URI; GoToSocial has no other form.
    ...(followed ? [`${author_uri}/following`] : []),
  ];
  const isMember = (named: string): boolean => collections.includes(named);
  if (rules.automatic.includes(EVERYONE)) return 'automatic';
  if (rules.automatic.some(isMember)) return 'required';
  return rules.manual.includes(EVERYONE) || rules.manual.some(isMember) ? 'required' : 'forbidden';
}

/** Returns the approval that a post's policy requires for an account of any server. */
export async function approvalOf(
  db: Db,
  kind: InteractionKind,
  statusId: string,
  accountId: string,
): Promise<{ approval: Approval; polite: boolean }> {
  const asked = await rulesFor(db, kind, statusId, accountId);
  if (!asked) return { approval: 'automatic', polite: false };
  return { approval: approvalBy(asked.rules, kind, asked.facts), polite: asked.rules.polite };
}

/**
 * Returns the URI of the author who must approve an interaction of a remote account; null when the policy
 * allows it. A post that is not `policied` needs no statement.
 */
export async function approverOf(
  db: Db,
  kind: InteractionKind,
  { id, policied }: { id: string; policied: boolean },
  accountId: string,
): Promise<string | null> {
  const asked = policied ? await rulesFor(db, kind, id, accountId) : undefined;
  if (!asked || approvalBy(asked.rules, kind, asked.facts) === 'automatic') return null;
  return asked.facts.author_uri;
}

/** Returns the rules of a post for one kind of interaction; undefined when it is open. */
async function rulesFor(
  db: Db,
  kind: InteractionKind,
  statusId: string,
  accountId: string,
): Promise<{ rules: InteractionRules; facts: PolicyFacts } | undefined> {
  const [row] = await db.query(FACTS, [statusId, accountId]);
  const rules = row && (JSON.parse(row.policy) as InteractionPolicy)[kind];
  return rules && { rules, facts: row };
}
