/** https://www.w3.org/TR/activitystreams-vocabulary/ */
export const ACTIVITY_STREAMS = 'https://www.w3.org/ns/activitystreams';
/** Everybody: https://www.w3.org/TR/activitypub/#public-addressing */
export const PUBLIC = `${ACTIVITY_STREAMS}#Public`;

export type Document = Record<string, unknown>;

/** Of actors: https://docs.joinmastodon.org/spec/activitypub/#contexts */
export const ACTOR_CONTEXT = [
  ACTIVITY_STREAMS,
  'https://w3id.org/security/v1',
  {
    manuallyApprovesFollowers: 'as:manuallyApprovesFollowers',
    toot: 'http://joinmastodon.org/ns#',
    featured: { '@id': 'toot:featured', '@type': '@id' },
    featuredTags: { '@id': 'toot:featuredTags', '@type': '@id' },
    movedTo: { '@id': 'as:movedTo', '@type': '@id' },
    alsoKnownAs: { '@id': 'as:alsoKnownAs', '@type': '@id' },
    suspended: 'toot:suspended',
    schema: 'http://schema.org#',
    PropertyValue: 'schema:PropertyValue',
    value: 'schema:value',
    discoverable: 'toot:discoverable',
    indexable: 'toot:indexable',
    Emoji: 'toot:Emoji',
    attributionDomains: { '@id': 'toot:attributionDomains', '@type': '@id' },
    showFeatured: 'toot:showFeatured',
    showMedia: 'toot:showMedia',
    showRepliesInMedia: 'toot:showRepliesInMedia',
  },
];

/** Of posts and what holds them. The policy of quotes is that of FEP-044f. */
export const POST_CONTEXT = [
  ACTIVITY_STREAMS,
  {
    ostatus: 'http://ostatus.org#',
    conversation: 'ostatus:conversation',
    sensitive: 'as:sensitive',
    Hashtag: 'as:Hashtag',
    toot: 'http://joinmastodon.org/ns#',
    Emoji: 'toot:Emoji',
    votersCount: 'toot:votersCount',
    blurhash: 'toot:blurhash',
    focalPoint: { '@container': '@list', '@id': 'toot:focalPoint' },
    quote: { '@id': 'https://w3id.org/fep/044f#quote', '@type': '@id' },
    quoteUri: 'http://fedibird.com/ns#quoteUri',
    gts: 'https://gotosocial.org/ns#',
    interactionPolicy: { '@id': 'gts:interactionPolicy', '@type': '@id' },
    canQuote: { '@id': 'gts:canQuote', '@type': '@id' },
    automaticApproval: { '@id': 'gts:automaticApproval', '@type': '@id' },
  },
];
