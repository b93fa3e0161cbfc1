/** The section of a scope on the consent page. */
export type ScopeGroup = 'read' | 'write' | 'push' | 'admin';

export interface Scope {
  name: string;
  group: ScopeGroup;
  /** The description of the scope for the user who is asked to grant it. */
  description: string;
  /** The scope grants power over other accounts or the server; the consent page marks it. */
  dangerous: boolean;
  /** The narrower scopes that it includes. */
  holds: readonly string[];
}

const READ: Record<string, string> = {
  accounts: 'See account details',
  blocks: 'See whom you block',
  bookmarks: 'See your bookmarks',
  collections: 'See your collections',
  favourites: 'See your favourites',
  filters: 'See your filters',
  follows: 'See whom you follow and who follows you',
  lists: 'See your lists',
  mutes: 'See whom you mute',
  notifications: 'See your notifications',
  search: 'Search on your behalf',
  statuses: 'See all posts that you can see, private ones too',
};

const WRITE: Record<string, string> = {
  accounts: 'Change your profile and preferences',
  blocks: 'Block accounts and domains',
  bookmarks: 'Bookmark posts',
  collections: 'Change your collections',
  conversations: 'Mark conversations as read and remove them',
  favourites: 'Favourite posts',
  filters: 'Change your filters',
  follows: 'Follow and unfollow accounts',
  lists: 'Change your lists',
  media: 'Upload media files',
  mutes: 'Mute accounts and conversations',
  notifications: 'Clear your notifications',
  reports: 'Report accounts and posts to moderators',
  statuses: 'Publish, edit and delete posts',
};

const ADMIN: Record<string, string> = {
  accounts: 'private data of accounts',
  canonical_email_blocks: 'blocked e-mail addresses',
  domain_allows: 'allowed domains',
  domain_blocks: 'blocked domains',
  email_domain_blocks: 'blocked e-mail domains',
  ip_blocks: 'blocked IP addresses',
  reports: 'reports and what they are about',
};

/** All scopes: https://docs.joinmastodon.org/api/oauth-scopes/ */
export const scopes: ReadonlyMap<string, Scope> = new Map(allScopes().map((scope) => [scope.name, scope]));

/** The names of all scopes, broad ones before the narrower ones. */
export const scopeNames: readonly string[] = [...scopes.keys()];

/** The scopes of an app that requests none. */
export const DEFAULT_SCOPES: readonly string[] = ['read'];

/**
 * Tells whether granted scopes include the required one: `write` includes `write:media`. Runs on every
 * request and caches its work per array, so callers pass the same array (`AccessToken.scopes`).
 */
export function holds(granted: readonly string[], required: string): boolean {
  let held = heldBy.get(granted);
  if (!held) {
    held = new Set(granted.flatMap((name) => [name, ...(scopes.get(name)?.holds ?? [])]));
    heldBy.set(granted, held);
  }
  return held.has(required);
}

const heldBy = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Returns the distinct names in a text, separated by white space. */
export const splitScopes = (text: string): string[] => [...new Set(text.split(/\s+/).filter(Boolean))];

export interface ScopeSection {
  title: string;
  dangerous: boolean;
  descriptions: string[];
}

/** Returns scopes for the consent page: in sections, without those that a broader one among them includes. */
export function describeScopes(names: readonly string[]): ScopeSection[] {
  const asked = names.flatMap((name) => scopes.get(name) ?? []);
  const broadest = asked.filter((scope) => !asked.some((other) => other.holds.includes(scope.name)));
  return (Object.keys(TITLES) as ScopeGroup[]).flatMap((group) => {
    const members = broadest.filter((scope) => scope.group === group);
    if (members.length === 0) return [];
    const descriptions = members.map(({ description }) => description);
    return [{ title: TITLES[group], dangerous: members.some(({ dangerous }) => dangerous), descriptions }];
  });
}

const TITLES: Record<ScopeGroup, string> = {
  read: 'Read',
  write: 'Act for you',
  push: 'Notify you',
  admin: 'Moderate this server',
};

function allScopes(): Scope[] {
  const plain = (name: string, group: ScopeGroup, description: string): Scope => ({
    name,
    group,
    description,
    dangerous: group === 'admin',
    holds: [],
  });
  const family = (top: Scope, parts: Record<string, string>): Scope[] => {
    const members = Object.entries(parts).map(([part, text]) =>
      plain(`${top.name}:${part}`, top.group, text),
    );
    return [{ ...top, holds: members.map(({ name }) => name) }, ...members];
  };
  const administer = (verb: string): Record<string, string> =>
    Object.fromEntries(Object.entries(ADMIN).map(([part, text]) => [part, `${verb} ${text}`]));
  return [
    ...family(plain('read', 'read', 'See everything in your account, private posts too'), READ),
    ...family(plain('write', 'write', 'Publish posts and change everything in your account'), WRITE),
    // Deprecated: endpoints name it beside the newer scope; it includes none of the newer ones.
    plain('follow', 'write', 'Follow, mute and block accounts, and see whom you do'),
    // Mastodon 3.2 to 4.2 had it.
    plain('crypto', 'write', 'Send and receive end-to-end encrypted messages'),
    plain('push', 'push', 'Send you push notifications'),
    plain('profile', 'read', 'See your name, profile and picture only'),
    ...family(plain('admin:read', 'admin', 'See all moderation data of this server'), administer('See')),
    ...family(plain('admin:write', 'admin', 'Moderate accounts and change all blocks'), administer('Change')),
  ];
}
