export { localActor, type LocalActor } from './actors.ts';
export { listBelow, type ListedUri } from './lists.ts';
export { localPost, outboxBelow, pinnedPosts, type LocalPost, type Signer } from './posts.ts';
export {
  findKnown,
  knownActor,
  knownMentions,
  knownParent,
  remoteUriOf,
  type KnownActor,
  type KnownMention,
  type KnownParent,
} from './known.ts';
