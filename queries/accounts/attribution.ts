import type { Profile } from '#events/accounts.ts';
import { type Db, statement } from '#kernel/read.ts';
import { hostOfLink, withParents } from '#mastodon/domain-name.ts';

const PROFILE = statement<{ profile: string }>(
  'accounts_attribution',
  'select a.profile from accounts a where a.id = $1 and not a.suspended',
);

/** Returns whether a page may name an account as its author: the account allows the host of the page, or a parent domain of it. */
export async function mayBeCredited(db: Db, accountId: string, page: string): Promise<boolean> {
  const [row] = await db.query(PROFILE, [accountId]);
  const { attribution_domains: allowed = [] } = row ? (JSON.parse(row.profile) as Partial<Profile>) : {};
  return withParents(hostOfLink(page)).some((host) => host !== '' && allowed.includes(host));
}
