export {
  decideAuthorize,
  decideFollow,
  decideReject,
  decideUnfollow,
  directionOf,
  relationship,
  type Direction,
  type FollowSettings,
  type Pair,
  type RelationshipState,
} from './relationship.ts';
