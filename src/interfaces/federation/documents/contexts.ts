/** https://www.w3.org/TR/activitystreams-vocabulary/ */
export const ACTIVITY_STREAMS = 'https://www.w3.org/ns/activitystreams';
/** The public: https://www.w3.org/TR/activitypub/#public-addressing */
export const PUBLIC = `${ACTIVITY_STREAMS}#Public`;

/** The terms of integrity proofs: https://www.w3.org/TR/vc-data-integrity/ */
export const DATA_INTEGRITY = 'https://w3id.org/security/data-integrity/v1';

export type Document = Record<string, unknown>;

/**
 * The terms of https://www.w3.org/TR/cid-1.0/#Multikey. They stand here because servers that apply contexts may
 * not have the one that defines them.
 */
const MULTIKEY = {
  sec: 'https://w3id.org/security#',
  Multikey: 'sec:Multikey',
  assertionMethod: { '@id': 'sec:assertionMethod', '@type': '@id', '@container': '@set' },
  controller: { '@id': 'sec:controller', '@type': '@id' },
  publicKeyMultibase: { '@id': 'sec:publicKeyMultibase', '@type': 'sec:multibase' },
};

/** The context of actors: https://docs.joinmastodon.org/spec/activitypub/#contexts */
export const ACTOR_CONTEXT = [
  ACTIVITY_STREAMS,
  'https://w3id.org/security/v1',
  'https://purl.archive.org/socialweb/webfinger',
  {
    manuallyApprovesFollowers: 'as:manuallyApprovesFollowers',
    toot: 'http://joinmastodon.org/ns#',
    featured: { '@id': 'toot:featured', '@type': '@id' },
    featuredTags: { '@id': 'toot:featuredTags', '@type': '@id' },
    movedTo: { '@id': 'as:movedTo', '@type': '@id' },
    alsoKnownAs: { '@id': 'as:alsoKnownAs', '@type': '@id' },
    suspended: 'toot:suspended',
    memorial: 'toot:memorial',
    Hashtag: 'as:Hashtag',
    schema: 'http://schema.org#',
    PropertyValue: 'schema:PropertyValue',
    value: 'schema:value',
    discoverable: 'toot:discoverable',
    indexable: 'toot:indexable',
    Emoji: 'toot:Emoji',
    attributionDomains: { '@id': 'toot:attributionDomains', '@container': '@set' },
    showFeatured: 'toot:showFeatured',
    showMedia: 'toot:showMedia',
    showRepliesInMedia: 'toot:showRepliesInMedia',
    gts: 'https://gotosocial.org/ns#',
    interactionPolicy: { '@id': 'gts:interactionPolicy', '@type': '@id' },
    canFeature: { '@id': 'https://w3id.org/fep/7aa9#canFeature', '@type': '@id' },
    automaticApproval: { '@id': 'gts:automaticApproval', '@type': '@id' },
    manualApproval: { '@id': 'gts:manualApproval', '@type': '@id' },
    ...MULTIKEY,
  },
];

/** https://docs.joinmastodon.org/spec/activitypub/#Emoji */
export const EMOJI_CONTEXT = [ACTIVITY_STREAMS, { toot: 'http://joinmastodon.org/ns#', Emoji: 'toot:Emoji' }];

/** The context of posts and their collections. Quotes follow FEP-044f. */
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
    _misskey_quote: 'https://misskey-hub.net/ns/#_misskey_quote',
    quoteAuthorization: { '@id': 'https://w3id.org/fep/044f#quoteAuthorization', '@type': '@id' },
    gts: 'https://gotosocial.org/ns#',
    interactionPolicy: { '@id': 'gts:interactionPolicy', '@type': '@id' },
    canQuote: { '@id': 'gts:canQuote', '@type': '@id' },
    canReply: { '@id': 'gts:canReply', '@type': '@id' },
    canLike: { '@id': 'gts:canLike', '@type': '@id' },
    canAnnounce: { '@id': 'gts:canAnnounce', '@type': '@id' },
    automaticApproval: { '@id': 'gts:automaticApproval', '@type': '@id' },
    always: { '@id': 'gts:always', '@type': '@id' },
    approvedBy: { '@id': 'gts:approvedBy', '@type': '@id' },
    replyAuthorization: { '@id': 'gts:replyAuthorization', '@type': '@id' },
    likeAuthorization: { '@id': 'gts:likeAuthorization', '@type': '@id' },
    announceAuthorization: { '@id': 'gts:announceAuthorization', '@type': '@id' },
  },
];

/** The two ends of an authorized interaction. */
const AUTHORIZED = {
  interactingObject: { '@id': 'gts:interactingObject', '@type': '@id' },
  interactionTarget: { '@id': 'gts:interactionTarget', '@type': '@id' },
};

/** The authorization of a quote: https://w3id.org/fep/044f */
export const QUOTE_AUTHORIZATION_CONTEXT = [
  ACTIVITY_STREAMS,
  {
    QuoteAuthorization: 'https://w3id.org/fep/044f#QuoteAuthorization',
    gts: 'https://gotosocial.org/ns#',
    ...AUTHORIZED,
  },
];

const FEP_7AA9 = 'https://w3id.org/fep/7aa9#';

/**
 * Collections of accounts and their items:
 * https://codeberg.org/fediverse/fep/src/branch/main/fep/7aa9/fep-7aa9.md
 */
export const FEATURED_COLLECTION_CONTEXT = [
  ACTIVITY_STREAMS,
  {
    toot: 'http://joinmastodon.org/ns#',
    discoverable: 'toot:discoverable',
    sensitive: 'as:sensitive',
    Hashtag: 'as:Hashtag',
    FeaturedCollection: `${FEP_7AA9}FeaturedCollection`,
    FeaturedItem: `${FEP_7AA9}FeaturedItem`,
    FeatureRequest: `${FEP_7AA9}FeatureRequest`,
    FeatureAuthorization: `${FEP_7AA9}FeatureAuthorization`,
    topic: { '@id': `${FEP_7AA9}topic`, '@type': '@id' },
    featuredObject: { '@id': `${FEP_7AA9}featuredObject`, '@type': '@id' },
    featureAuthorization: { '@id': `${FEP_7AA9}featureAuthorization`, '@type': '@id' },
  },
];

/** The request to feature an account in a collection, and the answer. */
export const FEATURE_REQUEST_CONTEXT = [ACTIVITY_STREAMS, { FeatureRequest: `${FEP_7AA9}FeatureRequest` }];

/** The authorization by an account that a collection features it. */
export const FEATURE_AUTHORIZATION_CONTEXT = [
  ACTIVITY_STREAMS,
  {
    FeatureAuthorization: `${FEP_7AA9}FeatureAuthorization`,
    gts: 'https://gotosocial.org/ns#',
    ...AUTHORIZED,
  },
];

/** The context of quote requests and their answers. */
export const QUOTE_REQUEST_CONTEXT = [
  ...POST_CONTEXT,
  { QuoteRequest: 'https://w3id.org/fep/044f#QuoteRequest' },
];

/** The authorization of a reply, like or announce: https://docs.gotosocial.org/en/latest/federation/interaction_policy/ */
export const AUTHORIZATION_CONTEXT = [
  ACTIVITY_STREAMS,
  {
    gts: 'https://gotosocial.org/ns#',
    ReplyAuthorization: 'gts:ReplyAuthorization',
    LikeAuthorization: 'gts:LikeAuthorization',
    AnnounceAuthorization: 'gts:AnnounceAuthorization',
    ...AUTHORIZED,
  },
];

/** A request to reply to, like or announce a post, and the answer to it. */
export const INTERACTION_REQUEST_CONTEXT = [
  ...POST_CONTEXT,
  {
    ReplyRequest: 'gts:ReplyRequest',
    LikeRequest: 'gts:LikeRequest',
    AnnounceRequest: 'gts:AnnounceRequest',
  },
];
