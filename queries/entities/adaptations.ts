/** A member that replies have for one application only. */
interface Adaptation {
  /** The exact name that the application registers with. */
  application: string;
  member: 'relationship.blocked_by';
  reason: string;
  /** The document or measurement behind it, and its date. */
  evidence: string;
}

/**
 * Applications whose replies differ from those of all others, and why: docs/decisions/0402-adaptations-by-application.md. A row needs
 * evidence that the application does not work without it.
 */
export const ADAPTATIONS: readonly Adaptation[] = [
  {
    application: 'Mastodon for iOS',
    member: 'relationship.blocked_by',
    reason:
      'Without the key it decodes no relationship: profiles have no button to follow, and follows seem to fail.',
    evidence:
      'Mastodon+Entity+Relationship.swift of mastodon/mastodon-ios at 60ce7e4: `blockedBy: Bool`, no default. Read on 2026-11-24.',
  },
];

/** Returns true if the application of a token needs a member that others do not get. */
export const needsMember = (
  token: { application_name?: string | undefined } | undefined,
  member: Adaptation['member'],
): boolean => ADAPTATIONS.some((row) => row.member === member && row.application === token?.application_name);
