import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import type { ValidationDetail } from '#kernel/errors.ts';

export const MAX_USERNAME_LENGTH = 30;
const MIN_PASSWORD_LENGTH = 8;
/** Mastodon's 72 is a limit of bcrypt; scrypt has none, so this only bounds the work. */
const MAX_PASSWORD_LENGTH = 1000;
/** RFC 3696 erratum 1690: 64 for the mailbox, `@`, 255 for the domain. */
const MAX_EMAIL_LENGTH = 320;

/**
 * Returns the problems of a username for a new account, with codes of
 * https://docs.joinmastodon.org/methods/accounts/#create. The log decides whether it is taken.
 */
export function validateUsername(username: string): ValidationDetail[] {
  if (username.trim() === '') return [BLANK];
  const details: ValidationDetail[] = [];
  if (!/^[A-Za-z0-9_]+$/.test(username)) {
    details.push(invalid('must contain only letters, numbers and underscores'));
  }
  if (username.length > MAX_USERNAME_LENGTH) details.push(tooLong(MAX_USERNAME_LENGTH));
  if (isReservedUsername(username)) details.push({ error: 'ERR_RESERVED', description: 'is reserved' });
  return details;
}

/** Tells whether only staff may have a name, in any case. */
export const isReservedUsername = (username: string): boolean => RESERVED.has(username.toLowerCase());

export interface EmailRules {
  /** Whether the domain may be a single label, as in `admin@localhost`. */
  dotless?: boolean;
}

/** Returns the problems of an e-mail address. Store the result of `normalizeEmail`. */
export function validateEmail(address: string, rules: EmailRules = {}): ValidationDetail[] {
  if (address.trim() === '') return [BLANK, invalid('is invalid')];
  if (address.length > MAX_EMAIL_LENGTH) return [tooLong(MAX_EMAIL_LENGTH)];
  return normalizeEmail(address, rules) === undefined ? [invalid('is invalid')] : [];
}

/**
 * Returns one plain mailbox in lower case with an ASCII domain, or undefined. Deliberately stricter than RFC
 * 5322: no quotes, comments, lists, encoded words or routes (`%`, `!`), which mail servers read in different
 * ways, and no IP addresses.
 */
export function normalizeEmail(address: string, { dotless = false }: EmailRules = {}): string | undefined {
  if (address.length > MAX_EMAIL_LENGTH) return undefined;
  const [local = '', domain = '', ...more] = address.trim().split('@');
  if (more.length > 0 || local.length > 64 || local.includes('=?')) return undefined;
  if (!/^[A-Za-z0-9#$&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9#$&'*+/=?^_`{|}~-]+)*$/.test(local)) return undefined;
  // domainToASCII decodes %xx and drops invisible characters, so these are refused first.
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return undefined;
  const ascii = domainToASCII(domain).toLowerCase();
  if (!isHostname(ascii, dotless ? 1 : 2)) return undefined;
  const normal = `${local.toLowerCase()}@${ascii}`;
  return normal.length <= MAX_EMAIL_LENGTH ? normal : undefined;
}

function isHostname(ascii: string, minLabels: number): boolean {
  const labels = ascii.split('.');
  const wellFormed = labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
  return (
    ascii.length <= 253 && labels.length >= minLabels && wellFormed && !/^\d+$/.test(labels.at(-1) ?? '')
  );
}

/**
 * Returns the form in which addresses of one mailbox are compared: lower case, without dots and `+suffix`
 * before the `@`, for every domain, like `canonical_email_blocks`. Mail is never sent to it.
 */
export function canonicalEmail(address: string): string {
  const normal = normalizeEmail(address) ?? address.trim().toLowerCase();
  const at = normal.lastIndexOf('@');
  const local = normal.slice(0, Math.max(at, 0));
  const plain = local.split('+', 1)[0]?.replaceAll('.', '') || local;
  return at < 0 ? normal : `${plain}@${normal.slice(at + 1)}`;
}

/** https://docs.joinmastodon.org/entities/Admin_CanonicalEmailBlock/#canonical_email_hash: SHA-256 in hex. */
export const canonicalEmailHash = (address: string): string =>
  createHash('sha256').update(canonicalEmail(address)).digest('hex');

/** Returns the problems of a new password. Lengths in code points. */
export function validatePassword(password: string): ValidationDetail[] {
  if (password.trim() === '') return [BLANK];
  const length = password.length > 4 * MAX_PASSWORD_LENGTH ? password.length : [...password].length;
  if (length < MIN_PASSWORD_LENGTH) {
    return [
      { error: 'ERR_TOO_SHORT', description: `is too short (minimum is ${MIN_PASSWORD_LENGTH} characters)` },
    ];
  }
  return length > MAX_PASSWORD_LENGTH ? [tooLong(MAX_PASSWORD_LENGTH)] : [];
}

const BLANK: ValidationDetail = { error: 'ERR_BLANK', description: "can't be blank" };
const invalid = (description: string): ValidationDetail => ({ error: 'ERR_INVALID', description });
const tooLong = (maximum: number): ValidationDetail => ({
  error: 'ERR_TOO_LONG',
  description: `is too long (maximum is ${maximum} characters)`,
});

/** Names that users could take for the staff or the server itself. */
const RESERVED = new Set(
  (
    'abuse account accounts admin administration administrator admins help helpdesk hostmaster info instance ' +
    'mastodon mod moderator moderators mods noreply official owner postmaster root rookery security server ' +
    'staff support system sysadmin webmaster'
  ).split(' '),
);
