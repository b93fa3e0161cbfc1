export { localActor, type LocalActor } from './actors.ts';
export { federationAllowed, reportsRejected } from './allowed.ts';
export { followeeOf, followsBelow, followUriOf, isFollowedHere, type FollowEitherWay } from './follows.ts';
export { listBelow, type ListedUri } from './lists.ts';
export {
  knownPostSeenBy,
  localAccounts,
  ownIdIn,
  postOfUri,
  postSeenBy,
  postsOfUris,
  remotePostOf,
  remotePostsBelow,
  type NamedPost,
  type RemotePost,
} from './named.ts';
export { localPost, outboxBelow, pinnedPosts, type LocalPost, type Signer } from './posts.ts';
export {
  knownActor,
  knownMentions,
  knownParent,
  remoteUriOf,
  type KnownActor,
  type KnownMention,
  type KnownParent,
} from './known.ts';
