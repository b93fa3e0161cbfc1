export { actOfUri, type NamedAct } from './activities.ts';
export { knownLocalActor, localActor, localActorById, type LocalActor } from './actors.ts';
export { federationAllowed, federationAllowedWith, reportsRejected } from './allowed.ts';
export { authorizedInteraction, type AuthorizedInteraction } from './authorizations.ts';
export {
  knownPostSeenBy,
  localAccounts,
  ownIdIn,
  postOfUri,
  postSeenBy,
  postsOfUris,
  remotePostOf,
  type PostOfUri,
  type RemotePost,
} from './by-uri.ts';
export {
  deliveriesByHost,
  deliveryState,
  LATE,
  type DeliveryState,
  deliveryFigures,
  type HostDeliveries,
} from './deliveries.ts';
export {
  followeeOf,
  followsOfOurs,
  tiesFromHere,
  followerHere,
  followUriOf,
  isAwaitedHere,
  isFollowedHere,
  isFollowing,
} from './follows.ts';
export {
  countLocalCollections,
  featureAuthorization,
  localCollection,
  localCollectionItem,
  localCollections,
  type LocalCollection,
  type LocalCollectionItem,
} from './featured-collections.ts';
export { interactionsApprovedBy, type Approved, type ApprovedInteraction } from './approved-interactions.ts';
export {
  approvalBy,
  approvalOf,
  approverOf,
  type Approval,
  type PolicyFacts,
} from './interaction-policies.ts';
export { interactionRequest, requestedPost, type InteractionRequest } from './interaction-requests.ts';
export { accountsWithKeys } from './keys.ts';
export { listBelow, publicThread, type ListedUri } from './lists.ts';
export { namedAccounts, namedPosts, pollOptions, type NamedAccount, type NamedPost } from './named.ts';
export {
  localPost,
  outboxAbove,
  outboxBelow,
  ownPostsAbove,
  pinnedPosts,
  postToSend,
  type LocalPost,
  type Signer,
} from './posts.ts';
export {
  accountsOfDomain,
  localAccountsBelow,
  localUsersBelow,
  remoteAccountsBelow,
  remoteDomains,
  unreferencedAccounts,
  unreferencedPosts,
  type RemoteName,
} from './removable.ts';
export { askedRelays, enabledRelays, relayOfActor, type KnownRelay } from './relays.ts';
export { pinsOf, remoteProfile, type RemoteProfile } from './profiles.ts';
export {
  mayQuote,
  ownQuote,
  pendingQuoteAuthorization,
  quotesByAuthorization,
  authorizedQuote,
  type KnownQuote,
} from './quotes.ts';
export { recipientsOf, type Audience, type Recipients } from './recipients.ts';
export {
  filesShownBy,
  knownKeys,
  mayFetchFrom,
  shownFile,
  undescribedAttachments,
  unshownFiles,
} from './remote-media.ts';
export { awaitedAbove, awaitedBy, isBelow, repliesAwaiting, threadMuters } from './threads.ts';
export {
  collectionItem,
  collectionOfUri,
  countRemoteCollections,
  itemsByAuthorization,
  itemsOfCollection,
  mayFeature,
  namedCollection,
  type NamedItem,
} from './remote-collections.ts';
export {
  followersUriOf,
  knownActor,
  knownMentions,
  mentionOf,
  knownParent,
  remotePostUri,
  remoteUriOf,
  unknownAccounts,
  unknownPosts,
  type KnownActor,
  type KnownMention,
  type KnownParent,
} from './known.ts';
export {
  EMPTY_DIGEST,
  followersAt,
  followersDigestHere,
  followersDigests,
  listedStrangers,
  MAX_LISTED,
  unlistedFollowers,
} from './followers-digests.ts';
