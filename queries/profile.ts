import type { Profile as ProfileValue } from '#events/accounts.ts';
import type { Instance } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { type Db, statement } from '#kernel/read.ts';
import { type Profile, profileSchema } from '#mastodon/schemas/index.ts';
import { featuredTagsOf } from './featured-tags/index.ts';

const PROFILE = statement<{ profile: string }>(
  'profile_show',
  'select a.profile from accounts a where a.id = $1',
);

/** An account's profile as its owner edits it. @throws RookeryError `not_found` */
export async function profileOf(db: Db, instance: Instance, accountId: string): Promise<Profile> {
  const [[row], featured_tags] = await Promise.all([
    db.query(PROFILE, [accountId]),
    featuredTagsOf(db, accountId),
  ]);
  if (!row) throw notFound();
  const profile = JSON.parse(row.profile) as ProfileValue;
  const address = (key: string | undefined): string | null =>
    key === undefined ? null : `${instance.mediaOrigin}/${key}`;
  return {
    id: accountId,
    display_name: profile.display_name,
    note: profile.note,
    fields: profile.fields.map(({ name, value, verified_at }) => ({ name, value, verified_at })),
    formatted_note: profile.note_html,
    formatted_fields: profile.fields.map(({ name, html, verified_at }) => ({
      name,
      value: html,
      verified_at,
    })),
    avatar: address(profile.avatar?.original),
    avatar_static: address(profile.avatar?.static),
    avatar_description: profile.avatar_description,
    header: address(profile.header?.original),
    header_static: address(profile.header?.static),
    header_description: profile.header_description,
    locked: profile.locked,
    bot: profile.bot,
    hide_collections: profile.hide_collections,
    discoverable: profile.discoverable,
    indexable: profile.indexable,
    show_media: profile.show_media,
    show_media_replies: profile.show_media_replies,
    show_featured: profile.show_featured,
    attribution_domains: profile.attribution_domains,
    featured_tags,
  };
}

/** https://docs.joinmastodon.org/methods/profile/ */
export const showProfile = endpoint({
  method: 'GET',
  path: '/api/v1/profile',
  summary: 'View your profile as you edit it',
  auth: 'user',
  scopes: ['read:accounts', 'profile'],
  reply: profileSchema,
  handler: async (ctx) => {
    return { json: await profileOf(ctx.db, ctx.instance, ctx.viewer.account_id) };
  },
});

export const profileQueries = [showProfile];
