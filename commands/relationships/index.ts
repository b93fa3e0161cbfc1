export { decideBlock, decideBlockAlong, decideUnblock } from './block.ts';
export { decideEndorse, decideUnendorse } from './endorse.ts';
export {
  checkFollowLimit,
  decideAuthorize,
  decideFollow,
  decideFollowAlong,
  decideReject,
  decideRemoveFromFollowers,
  decideSever,
  decideUnfollow,
  followLimit,
} from './follow.ts';
export { decideMute, decideMuteAlong, decideUnmute } from './mute.ts';
export { decideNote, decideNoteAlong, MAX_NOTE } from './note.ts';
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
