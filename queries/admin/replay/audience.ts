import { withParents } from '#mastodon/domain-name.ts';
import type { Audience, ReplayDomain } from '#mastodon/schemas/index.ts';
import type { AccountFacts, PostFacts, World } from './world.ts';

/** Returns the severity that holds for a server: of its own block, or of the nearest parent's. */
export function severityFor(world: World, domain: string | null): ReplayDomain['severity'] {
  if (domain === null) return null;
  for (const each of withParents(domain)) {
    const severity = world.domains.get(each)?.severity ?? null;
    if (severity !== null) return severity;
  }
  return null;
}

/** Returns the people who could see an account, by the rules of `queries/visibility/`. */
export function audienceOf(account: AccountFacts, world: World): Audience {
  if (account.state !== 'active') return 'nobody';
  const severity = severityFor(world, account.domain);
  if (account.suspended || account.suspended_by_own_server || severity === 'suspend') return 'staff';
  if (account.confirmed === false || account.approved === false) return 'staff';
  return account.silenced || severity === 'silence' ? 'limited' : 'everyone';
}

const BY_VISIBILITY = { private: 'followers', direct: 'mentioned' } as const;

/** Returns the people who could see a post. Staff still see reported posts that were deleted. */
export function audienceOfPost(post: PostFacts, world: World): Audience {
  if (post.state === 'deleted') return post.evidence ? 'staff' : 'nobody';
  const author = world.accounts.get(post.account_id);
  const ofAuthor = author ? audienceOf(author, world) : 'everyone';
  if (ofAuthor === 'nobody' || ofAuthor === 'staff') return ofAuthor;
  if (post.state === 'requested') return 'author';
  const { visibility } = post;
  return visibility === 'private' || visibility === 'direct' ? BY_VISIBILITY[visibility] : ofAuthor;
}
