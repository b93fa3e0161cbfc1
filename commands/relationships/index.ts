export { changeRelationship, pairStream } from './change.ts';
export { decideBlock, decideMoveBlock, decideUnblock } from './block.ts';
export { decideEndorse, decideUnendorse } from './endorse.ts';
export {
  checkFollowLimit,
  decideAuthorize,
  decideFollow,
  decideMoveFollow,
  decideReject,
  decideRemoveFromFollowers,
  decideSever,
  decideUnfollow,
  followLimit,
} from './follow.ts';
export { decideMute, decideMoveMute, decideUnmute } from './mute.ts';
export { decideNote, decideMoveNote, MAX_NOTE } from './note.ts';
export { sever } from './sever.ts';
export {
  decideAnswer,
  decideRemoteFollow,
  decideRemoteUnfollow,
  type RemoteFollow,
} from './remote-follow.ts';
export {
  directionOf,
  relationship,
  type Direction,
  type Follow,
  type FollowSettings,
  type Pair,
  type RelationshipState,
} from './relationship.ts';
