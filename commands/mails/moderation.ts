import type { StrikeAction } from '#events/moderation.ts';
import type { StrikeGrounds } from '#mastodon/schemas/index.ts';
import { wordsOfGrounds } from '#mastodon/strike-words.ts';
import { writtenLines } from '#mastodon/written-lines.ts';
import { compose, type MailContent } from './compose.ts';
import { WORDS_OF_STRIKES } from './strikes.ts';

/**
 * Notifies a user of an action against their account, with the reason in the staff's words (`text`, may be
 * empty) and the grounds of the report. `link` leads to its page, where the user can appeal.
 */
export function warningMail(facts: {
  domain: string;
  username: string;
  action: StrikeAction;
  text: string;
  grounds: StrikeGrounds | null;
  link: string;
}): MailContent {
  const { domain, username, action, text } = facts;
  const { reason, rules } = wordsOfGrounds(domain, facts.grounds);
  const { subject, what } = WORDS_OF_STRIKES[action];
  return compose('warning', `${subject} on ${domain}`, [
    `Hello ${username},`,
    `the moderators of ${domain} ${what}`,
    ...(reason === undefined ? [] : [reason]),
    ...rules.map((rule) => `– ${rule}`),
    ...writtenLines(text),
    'If you think that this is a mistake, you can appeal within 20 days:',
    { href: facts.link, label: 'See why, and appeal' },
  ]);
}

/**
 * Notifies the author of an appeal of the decision and the staff's answer (`note`, may be empty). `link`
 * leads to the page of the strike.
 */
export function judgementMail(facts: {
  domain: string;
  username: string;
  verdict: 'approved' | 'rejected';
  note: string;
  link: string;
}): MailContent {
  const { domain, username, verdict, note } = facts;
  const what =
    verdict === 'approved'
      ? 'The strike counts no more, and what it did is undone as far as that can be.'
      : 'The strike stays as it is.';
  return compose('appeal-decision', `Your appeal on ${domain} was ${verdict}`, [
    `Hello ${username},`,
    `the moderators of ${domain} ${verdict} the appeal of your account @${username}. ${what}`,
    ...writtenLines(note),
    { href: facts.link, label: 'See the decision' },
  ]);
}
