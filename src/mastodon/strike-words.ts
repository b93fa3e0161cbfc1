import type { StrikeGrounds } from './schemas/strike.ts';

/** The words for an action: a short form, and a sentence that begins with "the moderators". */
export const WORDS_OF_STRIKES = {
  none: { subject: 'A warning about your account', what: 'have a warning for you about your account.' },
  delete_statuses: { subject: 'Your posts were removed', what: 'removed some of your posts.' },
  mark_statuses_as_sensitive: {
    subject: 'Your posts were marked as sensitive',
    what: 'marked some of your posts as sensitive: others have to tap media before they see them.',
  },
  disable: {
    subject: 'Your login was disabled',
    what: 'disabled your login. Your profile and your posts are still there, but you cannot use the account.',
  },
  sensitive: {
    subject: 'Your posts are marked as sensitive',
    what: 'marked everything that you post as sensitive: others have to tap media before they see them.',
  },
  silence: {
    subject: 'Your account was limited',
    what: 'limited your account: your posts now reach only the people who follow you, and others only if they look for them.',
  },
  suspend: {
    subject: 'Your account was suspended',
    what: 'suspended your account. You cannot use it, and nobody can see your profile and your posts.',
  },
} as const;

/**
 * Returns what a user reads about the grounds of a strike: the reason, undefined when the report names none, and the
 * rules that it cites.
 */
export function wordsOfGrounds(
  domain: string,
  grounds: StrikeGrounds | null,
): { reason: string | undefined; rules: readonly string[] } {
  const rules = grounds?.rules ?? [];
  switch (grounds?.category) {
    case 'spam':
      return { reason: 'The reason: spam.', rules };
    case 'legal':
      return { reason: 'The reason: content that is against the law.', rules };
    case 'violation':
      return rules.length === 0
        ? { reason: `The reason: a violation of the rules of ${domain}.`, rules }
        : { reason: `The reason: a violation of these rules of ${domain}:`, rules };
    default:
      return { reason: undefined, rules };
  }
}
