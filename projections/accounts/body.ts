import { emptyProfile, type Profile } from '#events/accounts.ts';
import { remoteEmojisJson } from '#events/remote-emoji.ts';
import { invalidHandle } from '#mastodon/invalid-handle.ts';
import { roleOf } from '#mastodon/permissions.ts';
import { emojisIn, MEDIA_ORIGIN, members, ORIGIN, urlBelow } from '#mastodon/ready-json.ts';
import { isRemotePlace, remoteMediaUrl } from '#mastodon/remote-media.ts';

/** The constant part of an account. */
export interface Identity {
  id: string;
  username: string;
  domain: string | null;
  uri: string;
  url: string;
  created_at: string;
}

/** The parts of the body besides the profile. */
export interface Shown extends Identity {
  /** Null for a user without a role and for a remote account. */
  role: string | null;
  /** Another account has the handle of this one, whose username is its id. */
  invalid_handle?: boolean;
}

/** The handle as clients see it. */
export const acctOf = ({ username, domain }: Pick<Identity, 'username' | 'domain'>): string =>
  domain === null ? username : `${username}@${domain}`;

/** The handle as queries compare it. */
export const acctKeyOf = (identity: Pick<Identity, 'username' | 'domain'>): string =>
  acctOf(identity).toLowerCase();

/** https://docs.joinmastodon.org/entities/Account/ without counters. */
export function accountBody(identity: Shown, given: Profile): string {
  const profile = { ...emptyProfile, ...given };
  const before = members({
    id: identity.id,
    username: identity.username,
    acct: acctOf(identity.invalid_handle === true ? invalidHandle(identity.id) : identity),
    display_name: profile.display_name,
    locked: profile.locked,
    bot: profile.bot,
    discoverable: profile.discoverable,
    indexable: profile.indexable,
    group: profile.group === true,
    created_at: `${identity.created_at.slice(0, 10)}T00:00:00.000Z`,
    note: profile.note_html,
    url: identity.url,
    uri: identity.uri,
    hide_collections: profile.hide_collections,
    ...(identity.domain === null ? { noindex: profile.noindex } : {}),
    avatar_description: profile.avatar_description,
    header_description: profile.header_description,
    show_media: profile.show_media,
    show_media_replies: profile.show_media_replies,
    show_featured: profile.show_featured,
    ...(profile.memorial === true ? { memorial: true } : {}),
    ...(identity.invalid_handle === true ? { invalid_handle: true } : {}),
    feature_approval: featureApproval(identity, profile),
    ...(identity.domain === null ? { roles: badgesOf(identity.role) } : {}),
    fields: profile.fields.map(({ name, html, verified_at }) => ({ name, value: html, verified_at })),
  });
  const avatar = pictureUrls('avatars', profile.avatar);
  const header = pictureUrls('headers', profile.header);
  return (
    `${before},"emojis":${emojisOf(identity, profile)},` +
    `"avatar":${avatar.original},"avatar_static":${avatar.static},` +
    `"header":${header.original},"header_static":${header.static}`
  );
}

/** The highlighted role of a staff member: https://docs.joinmastodon.org/entities/Account/#AccountRole */
function badgesOf(role: string | null): { id: string; name: string; color: string }[] {
  if (role === null) return [];
  const { id, name } = roleOf(role);
  return [{ id, name, color: '' }];
}

/**
 * The accounts that may feature this account in collections. Local accounts approve by being discoverable,
 * locked ones for their followers only. `current_user` is the most that any viewer may do, because all
 * viewers get the same account. https://docs.joinmastodon.org/client/collections/#consent
 */
function featureApproval({ domain }: Identity, profile: Profile): Record<string, unknown> {
  const { discoverable, locked, feature_policy } = profile;
  const local = { automatic: discoverable === true ? [locked ? 'followers' : 'public'] : [], manual: [] };
  const policy = domain === null ? local : feature_policy;
  if (!policy) return { automatic: [], manual: [], current_user: 'missing' };
  return { ...policy, current_user: approvalIn(policy) };
}

function approvalIn({ automatic, manual }: { automatic: string[]; manual: string[] }): string {
  const isSupported = (who: string): boolean => who !== 'unsupported_policy';
  if (automatic.some(isSupported)) return 'automatic';
  if (manual.some(isSupported)) return 'manual';
  return automatic.length + manual.length > 0 ? 'unknown' : 'denied';
}

/** Emojis in names of remote accounts come with their profile. */
function emojisOf({ domain }: Identity, { display_name, note, fields, emojis }: Profile): string {
  const texts = [display_name, note, ...fields.flatMap(({ name, value }) => [name, value])];
  return (domain === null ? emojisIn(texts) : remoteEmojisJson(emojis)) ?? '[]';
}

function pictureUrls(
  kind: 'avatars' | 'headers',
  picture: Profile['avatar'],
): { original: string; static: string } {
  if (!picture) {
    const missing = urlBelow(ORIGIN, `/${kind}/original/missing.png`);
    return { original: missing, static: missing };
  }
  // A remote account has one picture; this server makes its static version.
  if (isRemotePlace(picture.original)) {
    return {
      original: remoteMediaUrl(kind, picture.original),
      static: remoteMediaUrl(kind, picture.original, 'static'),
    };
  }
  return {
    original: urlBelow(MEDIA_ORIGIN, `/${picture.original}`),
    static: urlBelow(MEDIA_ORIGIN, `/${picture.static}`),
  };
}
