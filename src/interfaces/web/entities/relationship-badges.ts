import type { Relationship } from '#mastodon/schemas/index.ts';
import { momentText } from './texts.ts';

/** Returns the marks of a user's relationship to an account. */
export function relationshipBadges(relationship: Relationship): string[] {
  const { muting, muting_expires_at: until } = relationship;
  return [
    relationship.followed_by && 'Follows you',
    relationship.requested_by && 'Asked to follow you',
    relationship.requested && 'Requested',
    relationship.blocking && 'Blocked',
    relationship.domain_blocking && 'Domain blocked',
    muting && (until ? `Muted until ${momentText(until)}` : 'Muted'),
    relationship.endorsed && 'Featured on your profile',
    relationship.following && relationship.notifying && 'Notifies you about posts',
    relationship.following && !relationship.showing_reblogs && 'Boosts hidden',
  ].filter((each) => each !== false);
}
