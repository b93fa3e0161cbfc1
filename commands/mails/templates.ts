import type { StrikeAction } from '../../src/events/moderation.ts';
import type { ReportCategory } from '../../src/events/reports.ts';
import { escapeHtml } from '../../src/mastodon/html.ts';
import type { Mail } from '../../src/kernel/services/mailer.ts';
import { WORDS_OF_STRIKES } from './strikes.ts';
import { writtenLines } from './written-lines.ts';

/** A mail that lacks only its addressee. */
export type MailContent = Omit<Mail, 'to'>;

/** Asks the owner of an address to confirm it. `link` holds the confirmation token. */
export function confirmationMail(facts: { domain: string; username: string; link: string }): MailContent {
  const { domain, username } = facts;
  return compose('confirmation', `Confirm your account on ${domain}`, [
    `Hello ${username},`,
    `an account with the name @${username} was created on ${domain} with this e-mail address. To start using it, please open this link:`,
    { href: facts.link, label: 'Confirm my e-mail address' },
    'If it was not you, please ignore this mail: without the link, the account stays closed.',
  ]);
}

/** Leads to a form for a new password. `link` holds the token. */
export function passwordResetMail(facts: { domain: string; username: string; link: string }): MailContent {
  const { domain, username } = facts;
  const mail = compose('password-reset', `Set a new password on ${domain}`, [
    `Hello ${username},`,
    `somebody, hopefully you, asked for a new password for the account @${username} on ${domain}. To set one, please open this link within six hours:`,
    { href: facts.link, label: 'Set a new password' },
    'If it was not you, please ignore this mail: your password stays as it is.',
  ]);
  return { ...mail, secret: true };
}

/** Tells the owner of an account that it has a new password. `link` leads to where one is asked for. */
export function passwordChangedMail(facts: { domain: string; username: string; link: string }): MailContent {
  const { domain, username } = facts;
  return compose('password-changed', `Your password on ${domain} was changed`, [
    `Hello ${username},`,
    `the account @${username} on ${domain} has a new password. All apps and browsers have to sign in again.`,
    'If it was not you, please set another one here, and ask whoever runs the server for help:',
    { href: facts.link, label: 'Set a new password' },
  ]);
}

/** What the owner of an account is told of two-factor sign-in. */
export type TwoFactorNews = keyof typeof TWO_FACTOR;

const TWO_FACTOR = {
  enabled: {
    subject: 'Two-factor sign-in is on',
    what: 'from now on, signing in takes a code of your authenticator app besides the password.',
  },
  disabled: {
    subject: 'Two-factor sign-in is off',
    what: 'from now on, the password alone suffices to sign in.',
  },
  recovery_codes: {
    subject: 'You have new recovery codes',
    what: 'there are new recovery codes for two-factor sign-in. The ones from before work no more.',
  },
  recovery_code_used: {
    subject: 'A recovery code was used',
    what: 'somebody, hopefully you, knew the password and signed in with a recovery code, which works no more.',
  },
  wrong_code: {
    subject: 'Somebody gave a wrong code when signing in',
    what: 'somebody, hopefully you, knew the password, but gave a wrong code of the authenticator app. Nobody was signed in by that.',
  },
} as const;

/** Tells the owner of an account what became of two-factor sign-in. `left` is how many recovery codes there are; `link` leads to the settings. */
export function twoFactorMail(facts: {
  domain: string;
  username: string;
  news: TwoFactorNews;
  left: number;
  link: string;
}): MailContent {
  const { domain, username, news, left } = facts;
  const { subject, what } = TWO_FACTOR[news];
  // Counted by itself: whoever guesses codes must not fill a mailbox.
  return compose(news === 'wrong_code' ? 'wrong-code' : 'two-factor', `${subject} on ${domain}`, [
    `Hello ${username},`,
    `about the account @${username} on ${domain}: ${what}`,
    ...(news === 'recovery_code_used' ? [`Recovery codes that are left: ${left}.`] : []),
    'If it was not you, please set a new password at once, and ask whoever runs the server for help:',
    { href: facts.link, label: 'Security settings' },
  ]);
}

/** Tells the owner of the address that an account has that it is about to have another one. `link` leads to the settings. */
export function addressLeavesMail(facts: {
  domain: string;
  username: string;
  email: string;
  link: string;
}): MailContent {
  const { domain, username, email } = facts;
  return compose('address-leaves', `Your e-mail address on ${domain} is about to change`, [
    `Hello ${username},`,
    `somebody, hopefully you, asked that the account @${username} on ${domain} use the e-mail address ${email} from now on. It does so once a link that we sent there is opened.`,
    'If it was not you, please set a new password at once. That also makes the link void:',
    { href: facts.link, label: 'Security settings' },
  ]);
}

/** Asks the owner of a new address to confirm that an account may move to it. */
export function addressChangeMail(facts: { domain: string; username: string; link: string }): MailContent {
  const { domain, username } = facts;
  const mail = compose('address-change', `Confirm your new e-mail address on ${domain}`, [
    `Hello ${username},`,
    `the account @${username} on ${domain} is about to use this e-mail address. To agree, please open this link:`,
    { href: facts.link, label: 'Confirm my new e-mail address' },
    'If it was not you, please ignore this mail: the account keeps the address that it has.',
  ]);
  return { ...mail, secret: true };
}

/** Tells the owner of an account that the archive is ready that was asked for. `until`: the last day on which it is there. */
export function archiveReadyMail(facts: {
  domain: string;
  username: string;
  until: string;
  link: string;
}): MailContent {
  const { domain, username, until } = facts;
  return compose('archive-ready', `Your archive from ${domain} is ready`, [
    `Hello ${username},`,
    `the archive of your account @${username} on ${domain} is ready. You can download it here until ${until}:`,
    { href: facts.link, label: 'Download my archive' },
    'If it was not you who asked for it, please set a new password: somebody else is signed in with your account.',
  ]);
}

/** Tells someone who waited for it that the staff let them in. `link` leads to the sign-in page. */
export function approvedMail(facts: { domain: string; username: string; link: string }): MailContent {
  const { domain, username } = facts;
  return compose('approved', `Your account on ${domain} was approved`, [
    `Hello ${username},`,
    `your account @${username} on ${domain} was approved. You can sign in now:`,
    { href: facts.link, label: `Go to ${domain}` },
  ]);
}

/**
 * Tells somebody what the staff did to the account, and why, in the staff's own words (`text`, may be empty). `link` leads to the
 * page about it, where one can appeal.
 */
export function warningMail(facts: {
  domain: string;
  username: string;
  action: StrikeAction;
  text: string;
  link: string;
}): MailContent {
  const { domain, username, action, text } = facts;
  const { subject, what } = WORDS_OF_STRIKES[action];
  return compose('warning', `${subject} on ${domain}`, [
    `Hello ${username},`,
    `the moderators of ${domain} ${what}`,
    ...writtenLines(text),
    'If you think that this is a mistake, you can appeal within 20 days:',
    { href: facts.link, label: 'See why, and appeal' },
  ]);
}

/** Tells who appealed how the staff decided, and what they answer (`note`, may be empty). `link` leads to the page about the strike. */
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

/** Tells staff of an appeal that waits for them; what it says stands there alone. `link` leads to the server. */
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

/** Asks staff whether hashtags, posts and links may be among the trends; one at least. Each `url` leads to its trend. */
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
 * Tells staff of a report: its ID, whom it is about, and the verbs of the command line. The report itself holds what was reported.
 * `reporter` is a name in words, `target` the handle of the account without the leading @; absent where it is gone.
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

/** Tells staff of somebody who waits to be let in. `link` leads to the server. */
export function pendingSignUpMail(facts: { domain: string; username: string; link: string }): MailContent {
  const { domain, username } = facts;
  return compose('pending-sign-up', `@${username} waits to be let in on ${domain}`, [
    `Somebody signed up on ${domain} as @${username}, confirmed the e-mail address, and waits for your decision.`,
    `Let them in or turn them down in an app for moderation, or on the command line: rookery accounts approve ${username}`,
    { href: facts.link, label: `Go to ${domain}` },
  ]);
}

type Part = string | { href: string; label: string };

/** The same paragraphs as plain text and as simple HTML. Everything that comes in is escaped. */
function compose(kind: string, subject: string, parts: Part[]): MailContent {
  const text = parts.map((part) => (typeof part === 'string' ? oneLine(part) : webLink(part.href)));
  const html = parts.map(
    (part) => `<p>${typeof part === 'string' ? escapeHtml(oneLine(part)) : anchor(part)}</p>`,
  );
  return {
    kind,
    subject: oneLine(subject),
    text: `${text.join('\n\n')}\n`,
    html:
      `<!DOCTYPE html><html><head><meta charset="utf-8"><title>${escapeHtml(oneLine(subject))}</title></head>` +
      `<body style="font-family: sans-serif; line-height: 1.5">\n${html.join('\n')}\n</body></html>\n`,
  };
}

const anchor = ({ href, label }: { href: string; label: string }): string => {
  const target = escapeHtml(webLink(href));
  return `<a href="${target}">${escapeHtml(oneLine(label))}</a><br>${target}`;
};

/** A link that no mail program reads in another way: http or https, without spaces, quotes or line ends. */
function webLink(link: string): string {
  const url = new URL(link);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new TypeError('Links in mails lead to web pages');
  return url.href.replace(/['"<>\s]/g, encodeURIComponent);
}

const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
