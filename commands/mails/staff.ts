import type { StrikeAction } from '../../src/events/moderation.ts';
import type { ReportCategory } from '../../src/events/reports.ts';
import { compose, type MailContent } from './compose.ts';

/** Notifies staff of a waiting appeal, without its text. `link` leads to the server. */
export function appealMail(facts: {
  domain: string;
  id: string;
  username: string;
  action: StrikeAction;
  link: string;
}): MailContent {
  const { domain, id, username, action } = facts;
  return compose('appeal', `@${username} appeals on ${domain} (${id})`, [
    `@${username} appeals against a strike on ${domain}. What was done: ${action === 'none' ? 'a warning' : action}.`,
    `It is number ${id} among the appeals. Decide it in an app for moderation, or on the command line: rookery appeals approve ${id}, or rookery appeals reject ${id}`,
    { href: facts.link, label: `Go to ${domain}` },
  ]);
}

/** Asks staff whether hashtags, posts and links may trend; at least one. Each `url` leads to its trend. */
export function trendReviewMail(facts: {
  domain: string;
  trends: readonly { subject: 'tag' | 'status' | 'link'; name: string; url: string }[];
}): MailContent {
  const { domain, trends } = facts;
  return compose('trend-review', `New trends on ${domain} wait for review`, [
    `These hashtags, posts and links trend on ${domain} and are not reviewed yet. Each is shown among the trends once staff allows it.`,
    ...trends.map(({ subject, name, url }) => ({ href: url, label: TREND_LABELS[subject](name) })),
    'Review them in an app for moderation, or on the command line of the server: rookery trends list shows what waits, rookery trends allow NAME or rookery trends reject NAME decides about one, and rookery trends allow --all allows everything that waits.',
    'To show trends without a review: rookery settings set trendable_by_default true',
  ]);
}

const TREND_LABELS = {
  tag: (name: string) => `The hashtag #${name}`,
  status: (name: string) => `A post of ${name}`,
  link: () => 'A link',
} as const;

/**
 * Notifies staff of a report: its ID, its target, and the verbs of the command line. The mail leaves out the
 * reported content. `reporter` is a name in words, `target` the handle of the account without the leading @;
 * absent for a deleted account.
 */
export function reportMail(facts: {
  domain: string;
  origin: string;
  id: string;
  reporter: string;
  target: string | undefined;
  category: ReportCategory;
}): MailContent {
  const { domain, origin, id, reporter, target, category } = facts;
  const name = target ?? 'NAME';
  return compose('report', `New report on ${domain} (${id})`, [
    `${reporter} reported ${target === undefined ? 'an account that is gone' : `@${target}`}. Kind of report: ${category}.`,
    ...(target === undefined ? [] : [{ href: `${origin}/@${target}`, label: `See @${target}` }]),
    `It is report ${id}. An app for moderation shows it, and so does the command line of the server: rookery reports show ${id}`,
    `To act on the account: rookery accounts warn ${name} (or sensitize, silence, suspend). To remove a post: rookery statuses delete ID. To close the report: rookery reports resolve ${id}`,
    'Until it is resolved, you get no other mail about this account.',
  ]);
}

/** Notifies staff of a sign-up that waits for approval. `link` leads to the server. */
export function pendingSignUpMail(facts: { domain: string; username: string; link: string }): MailContent {
  const { domain, username } = facts;
  return compose('pending-sign-up', `@${username} waits to be let in on ${domain}`, [
    `Somebody signed up on ${domain} as @${username}, confirmed the e-mail address, and waits for your decision.`,
    `Let them in or turn them down in an app for moderation, or on the command line: rookery accounts approve ${username}`,
    { href: facts.link, label: `Go to ${domain}` },
  ]);
}
