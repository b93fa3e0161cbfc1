import { hash, randomBytes } from 'node:crypto';
import type { Id } from '#kernel/ids.ts';

/** The initial number of codes. */
export const RECOVERY_CODES = 10;
/** Base32 (RFC 4648) in lower case: no digit resembles one of its letters. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
/** Characters of five bits each: 80 bits cannot be guessed from a hash. */
const LENGTH = 16;
const GROUP = /.{4}(?=.)/g;

/** Returns fresh codes in the form that is shown once (`abcd-efgh-ijkl-mnop`), and their stored form. */
export function newRecoveryCodes(accountId: Id): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    [...randomBytes(LENGTH)]
      .map((byte) => ALPHABET.charAt(byte % ALPHABET.length))
      .join('')
      .replace(GROUP, '$&-'),
  );
  return { codes, hashes: codes.map((code) => recoveryCodeHash(accountId, plainCode(code))) };
}

/** Removes the blanks and dashes from a typed code. */
export const plainCode = (typed: string): string => typed.replace(/[\s-]/g, '').toLowerCase();

/** Returns the stored form of a code; one SHA-256 suffices for random values. */
export const recoveryCodeHash = (accountId: Id, code: string): string =>
  hash('sha256', `recovery-code\0${accountId}\0${code}`, 'hex');
