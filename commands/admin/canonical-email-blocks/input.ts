import { z } from 'zod';
import { canonicalEmailHash, validateEmail } from '#commands/accounts/index.ts';
import { invalid } from '#kernel/errors.ts';
import { FieldProblems } from '#kernel/field-problems.ts';

/** The length of an address in UTF-16 units; a validation code refuses longer ones. */
export const emailInput = z.string().max(1_000).nullish();

/**
 * Returns the SHA-256 of the canonical form of an address, in hex. @throws RookeryError `invalid` for any
 * other text
 */
export function hashOfEmail(email: string): string {
  const problems = new FieldProblems();
  problems.add('email', ...validateEmail(email));
  problems.throwIfAny();
  return canonicalEmailHash(email);
}

/** The address takes precedence over the hash. @throws RookeryError `invalid` without a valid one */
export function hashOf(input: {
  email?: string | null | undefined;
  canonical_email_hash?: string | null | undefined;
}): string {
  if (input.email) return hashOfEmail(input.email);
  const hash = input.canonical_email_hash?.trim().toLowerCase() ?? '';
  if (/^[0-9a-f]{64}$/.test(hash)) return hash;
  const [error, description] = hash === '' ? ['ERR_BLANK', "can't be blank"] : ['ERR_INVALID', 'is invalid'];
  throw invalid(`Validation failed: Canonical email hash ${description}`, {
    canonical_email_hash: [{ error, description }],
  });
}
