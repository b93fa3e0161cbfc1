import type { StrikeAction } from '#events/moderation.ts';
import type { ReportCategory } from '#events/reports.ts';
import { compose, type MailContent } from './compose.ts';
import { reportPage, SIGN_UPS_PAGE, TREND_PAGES } from './console-paths.ts';

/** Notifies staff of a waiting appeal, without its text. `link` leads to the page of the appeal. */
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
    { href: facts.link, label: 'See the appeal, and decide it' },
    `On the command line of the server: rookery appeals approve ${id}, or rookery appeals reject ${id}`,
  ]);
}

/** Asks staff whether hashtags, posts and links may trend; at least one. Each `url` leads to its trend. */
export function trendReviewMail(facts: {
  domain: string;
  origin: string;
  trends: readonly { subject: 'tag' | 'status' | 'link'; name: string; url: string }[];
}): MailContent {
  const { domain, origin, trends } = facts;
  const waiting = new Set(trends.map(({ subject }) => subject));
  return compose('trend-review', `New trends on ${domain} wait for review`, [
    `These hashtags, posts and links trend on ${domain} and are not reviewed yet. Each is shown among the trends once staff allows it.`,
    ...trends.map(({ subject, name, url }) => ({ href: url, label: TREND_LABELS[subject](name) })),
    ...[...waiting].map((subject) => ({
      href: `${origin}${TREND_PAGES[subject]}`,
      label: `Review the ${TREND_NOUNS[subject]}`,
    })),
    'On the command line of the server: rookery trends list shows what waits, rookery trends allow NAME or rookery trends reject NAME decides about one, and rookery trends allow --all allows everything that waits.',
    'To show trends without a review: rookery settings set trendable_by_default true',
  ]);
}

const TREND_NOUNS = { tag: 'hashtags', status: 'posts', link: 'links' } as const;

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
    { href: `${origin}${reportPage(id)}`, label: `See report ${id}, and decide it` },
    `On the command line of the server: rookery reports show ${id}`,
    `To act on the account: rookery accounts warn ${name} (or sensitize, silence, suspend). To remove a post: rookery statuses delete ID. To close the report: rookery reports resolve ${id}`,
    'Until it is resolved, you get no other mail about this account.',
  ]);
}

/** Notifies staff of a sign-up that waits for approval. `link` leads to the page of the account. */
export function pendingSignUpMail(facts: {
  domain: string;
  origin: string;
  username: string;
  link: string;
}): MailContent {
  const { domain, origin, username } = facts;
  return compose('pending-sign-up', `@${username} waits to be let in on ${domain}`, [
    `A new user signed up on ${domain} as @${username}, confirmed the e-mail address, and waits for your decision.`,
    { href: facts.link, label: `See @${username}` },
    { href: `${origin}${SIGN_UPS_PAGE}`, label: 'Approve or reject sign-ups' },
    `On the command line of the server: rookery accounts approve ${username}`,
  ]);
}
