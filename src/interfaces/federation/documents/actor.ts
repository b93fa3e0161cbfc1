import { extractHashtags } from '#commands/text/extract.ts';
import { emptyProfile, type Profile } from '#events/accounts.ts';
import type { Instance } from '#kernel/context.ts';
import type { PublicKeys } from '#kernel/services/federation.ts';
import { normalizeTag } from '#mastodon/normalize-tag.ts';
import { emojisIn } from '#mastodon/ready-json.ts';
import { fillOrigins } from '#queries/entities/ready-json.ts';
import type { LocalActor } from '#queries/federation/index.ts';
import { ACTOR_CONTEXT, type Document, PUBLIC } from './contexts.ts';
import { featuredCollectionsUri } from './featured-collections.ts';
import { assertionKeyUri, mainKeyUri } from './key-uris.ts';
import { emojiTags, image } from './pictures.ts';

/** Returns the addresses of an actor's collections and inbox. */
export const placesOf = (uri: string) => ({
  inbox: `${uri}/inbox`,
  outbox: `${uri}/outbox`,
  followers: `${uri}/followers`,
  following: `${uri}/following`,
  featured: `${uri}/collections/featured`,
  featuredTags: `${uri}/collections/tags`,
});

/** Returns the address of an actor's followers on one server, for that server (FEP-8fcf). */
export const synchronizationOf = (uri: string): string => `${uri}/followers_synchronization`;

/** Returns the public key of an actor, with which others verify signatures. */
export const publicKeyOf = (uri: string, publicKeyPem: string): Document => ({
  id: mainKeyUri(uri),
  owner: uri,
  publicKeyPem,
});

/** Returns the key with which others verify proofs of an actor (FEP-521a). */
const assertionMethodOf = (uri: string, publicKeyMultibase: string): Document => ({
  id: assertionKeyUri(uri),
  type: 'Multikey',
  controller: uri,
  publicKeyMultibase,
});

/**
 * Returns the document of a local account: https://docs.joinmastodon.org/spec/activitypub/#profile. A
 * suspended account only identifies itself, so that others hide it and can restore it:
 * https://docs.joinmastodon.org/spec/activitypub/#suspended
 */
export function actorDocument(
  actor: LocalActor,
  { publicKeyPem, assertionKey }: PublicKeys,
  instance: Instance,
): Document {
  const { uri } = actor;
  const profile = actor.suspended ? emptyProfile : actor.profile;
  const emojis = emojisIn([
    ...[profile.display_name, profile.note],
    ...profile.fields.flatMap(({ name, value }) => [name, value]),
  ]);
  return {
    '@context': ACTOR_CONTEXT,
    id: uri,
    webfinger: `${actor.username}@${instance.domain}`,
    type: actor.profile.bot ? 'Service' : 'Person',
    ...placesOf(uri),
    preferredUsername: actor.username,
    // Some servers show nothing for an empty name.
    name: profile.display_name || actor.username,
    summary: profile.note_html,
    url: actor.url,
    manuallyApprovesFollowers: profile.locked,
    discoverable: profile.discoverable === true,
    indexable: profile.indexable,
    ...(actor.suspended ? { suspended: true } : {}),
    published: actor.created_at,
    memorial: actor.profile.memorial === true,
    ...(actor.suspended ? {} : otherAccounts(actor)),
    showFeatured: profile.show_featured,
    showMedia: profile.show_media,
    showRepliesInMedia: profile.show_media_replies,
    interactionPolicy: { canFeature: { automaticApproval: [featurersOf(uri, profile)] } },
    featuredCollections: featuredCollectionsUri(actor.id, instance),
    ...(profile.attribution_domains.length === 0 ? {} : { attributionDomains: profile.attribution_domains }),
    publicKey: publicKeyOf(uri, publicKeyPem),
    assertionMethod: [assertionMethodOf(uri, assertionKey)],
    tag: [
      ...(emojis === null ? [] : emojiTags(fillOrigins(emojis, instance), instance)),
      ...hashtagsOf(profile, instance),
    ],
    attachment: profile.fields.map(({ name, html }) => ({ type: 'PropertyValue', name, value: html })),
    endpoints: { sharedInbox: `${instance.origin}/inbox` },
    ...(profile.avatar && { icon: image(profile.avatar.original, profile.avatar_description, instance) }),
    ...(profile.header && { image: image(profile.header.original, profile.header_description, instance) }),
  };
}

/** The hashtags of the biography, as in Mastodon. */
const hashtagsOf = ({ note }: Profile, { origin }: Instance): Document[] =>
  extractHashtags(note).map((name) => {
    const tag = normalizeTag(name);
    return { type: 'Hashtag', href: `${origin}/tags/${encodeURIComponent(tag)}`, name: `#${tag}` };
  });

/**
 * Returns the URI of the accounts that may feature this account in collections: itself, if it is not
 * discoverable.
 */
function featurersOf(uri: string, { discoverable, locked }: Profile): string {
  if (discoverable !== true) return uri;
  return locked ? placesOf(uri).followers : PUBLIC;
}

/** https://docs.joinmastodon.org/spec/activitypub/#Move */
const otherAccounts = ({ moved_to, also_known_as }: LocalActor): Document => ({
  ...(moved_to === null ? {} : { movedTo: moved_to }),
  ...(also_known_as.length === 0 ? {} : { alsoKnownAs: also_known_as }),
});

/**
 * Returns the actor of the server itself, in whose name it fetches:
 * https://docs.joinmastodon.org/spec/activitypub/#secure-mode
 */
export function instanceActorDocument(publicKeyPem: string, { origin, domain }: Instance): Document {
  const uri = `${origin}/actor`;
  return {
    '@context': ACTOR_CONTEXT,
    id: uri,
    type: 'Application',
    inbox: `${uri}/inbox`,
    outbox: `${uri}/outbox`,
    preferredUsername: domain,
    url: `${origin}/`,
    manuallyApprovesFollowers: true,
    publicKey: publicKeyOf(uri, publicKeyPem),
    endpoints: { sharedInbox: `${origin}/inbox` },
  };
}
