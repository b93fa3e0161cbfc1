import { z } from 'zod';

const shown = z.object({ visibility: z.enum(['public', 'unlisted']) });
const isShown = (data: unknown): boolean => shown.safeParse(data).success;
const always = (): boolean => true;

/**
 * Events whose type and time the public may know: the public sees the fact anyway, or it is a decision of staff or operator, of
 * which a published figure counts the type. Every other event is blinded, also those of later versions. See decision 1201.
 */
const PUBLIC = new Map<string, (data: unknown) => boolean>([
  ['StatusCreated', isShown],
  ['StatusReblogged', isShown],
  ...[
    ...['AccountSuspended', 'AccountUnsuspended', 'AccountSilenced', 'AccountUnsilenced'],
    ...['AccountSensitized', 'AccountUnsensitized', 'AccountWarned', 'UserDisabled', 'UserEnabled'],
    ...['StatusRemoved', 'StatusSensitized', 'StatusUnsensitized', 'AppealApproved', 'AppealRejected'],
    ...['RuleAdded', 'RuleEdited', 'RuleRemoved', 'RulesReordered', 'RuleTranslationRemoved'],
    ...['TermsOfServicePublished', 'AnnouncementPublished', 'AnnouncementUnpublished'],
    ...['CustomEmojiCreated', 'CustomEmojiUpdated', 'CustomEmojiDeleted'],
    ...['BackupRestored', 'LogDivergenceAccepted', 'LogLossAccepted'],
  ].map((type): [string, () => boolean] => [type, always]),
]);

/** Tells whether the public may know type and time of an event. `data` reads its stored data, which is done for few events. */
export const isPublicEvent = (type: string, data: () => unknown): boolean => {
  const rule = PUBLIC.get(type);
  return rule !== undefined && (rule === always || rule(data()));
};

/** For the spec that compares the list with the catalogue. */
export const publicTypes = (): readonly string[] => [...PUBLIC.keys()];
