import { compose, type MailContent } from './compose.ts';

/** Asks the owner of an address to confirm it. `link` contains the confirmation token. */
export function confirmationMail(facts: { domain: string; username: string; link: string }): MailContent {
  const { domain, username } = facts;
  return compose('confirmation', `Confirm your account on ${domain}`, [
    `Hello ${username},`,
    `an account with the name @${username} was created on ${domain} with this e-mail address. To start using it, please open this link:`,
    { href: facts.link, label: 'Confirm my e-mail address' },
    'If it was not you, please ignore this mail: without the link, the account stays closed.',
  ]);
}

/** Links to a form for a new password. `link` contains the token. */
export function passwordResetMail(facts: { domain: string; username: string; link: string }): MailContent {
  const { domain, username } = facts;
  return compose('password-reset', `Set a new password on ${domain}`, [
    `Hello ${username},`,
    `somebody, hopefully you, asked for a new password for the account @${username} on ${domain}. To set one, please open this link within six hours:`,
    { href: facts.link, label: 'Set a new password' },
    'If it was not you, please ignore this mail: your password stays as it is.',
  ]);
}

/**
 * Notifies the owner of an account of its new password. `link` leads to the form for requesting another one.
 */
export function passwordChangedMail(facts: { domain: string; username: string; link: string }): MailContent {
  const { domain, username } = facts;
  return compose('password-changed', `Your password on ${domain} was changed`, [
    `Hello ${username},`,
    `the account @${username} on ${domain} has a new password. All apps and browsers have to sign in again.`,
    'If it was not you, please set another one here, and ask the operator of the server for help:',
    { href: facts.link, label: 'Set a new password' },
  ]);
}

/** Events of two-factor sign-in that the owner of an account is notified of. */
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

/**
 * Notifies the owner of an account of a change to two-factor sign-in. `left` is the number of recovery codes;
 * `link` leads to the settings.
 */
export function twoFactorMail(facts: {
  domain: string;
  username: string;
  news: TwoFactorNews;
  left: number;
  link: string;
}): MailContent {
  const { domain, username, news, left } = facts;
  const { subject, what } = TWO_FACTOR[news];
  // Counted separately: guessing codes must not fill a mailbox.
  return compose(news === 'wrong_code' ? 'wrong-code' : 'two-factor', `${subject} on ${domain}`, [
    `Hello ${username},`,
    `about the account @${username} on ${domain}: ${what}`,
    ...(news === 'recovery_code_used' ? [`Recovery codes that are left: ${left}.`] : []),
    'If it was not you, please set a new password at once, and ask the operator of the server for help:',
    { href: facts.link, label: 'Security settings' },
  ]);
}

/**
 * Notifies the present address of an account that another one is about to replace it. `link` leads to the
 * settings.
 */
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
  return compose('address-change', `Confirm your new e-mail address on ${domain}`, [
    `Hello ${username},`,
    `the account @${username} on ${domain} is about to use this e-mail address. To agree, please open this link:`,
    { href: facts.link, label: 'Confirm my new e-mail address' },
    'If it was not you, please ignore this mail: the account keeps the address that it has.',
  ]);
}

/**
 * Notifies the owner of an account that their archive is ready. `until` is the last day of its availability.
 */
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

/** Notifies a user that staff approved their sign-up. `link` leads to the sign-in page. */
export function approvedMail(facts: { domain: string; username: string; link: string }): MailContent {
  const { domain, username } = facts;
  return compose('approved', `Your account on ${domain} was approved`, [
    `Hello ${username},`,
    `your account @${username} on ${domain} was approved. You can sign in now:`,
    { href: facts.link, label: `Go to ${domain}` },
  ]);
}
