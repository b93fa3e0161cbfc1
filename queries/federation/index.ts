export { localActor, type LocalActor } from './actors.ts';
export { federationAllowed } from './allowed.ts';
export { listBelow, type ListedUri } from './lists.ts';
export { localPost, outboxBelow, pinnedPosts, type LocalPost, type Signer } from './posts.ts';
export {
  knownActor,
  knownMentions,
  knownParent,
  remotePostUri,
  remoteUriOf,
  unknownPosts,
  type KnownActor,
  type KnownMention,
  type KnownParent,
} from './known.ts';
