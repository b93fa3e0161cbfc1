import { type Db, statement } from '#kernel/read.ts';
import { withParents } from '#mastodon/domain-name.ts';

const MATCHING = statement<{ domain: string; allow_with_approval: boolean }>(
  'email_domain_blocks_matching',
  'select domain, allow_with_approval from email_domain_blocks where domain = any($1::text[])',
);

/** The blocked domains of an address, by their effect. */
export interface EmailDomainBlocks {
  /** Sign-ups are refused. */
  refused: string[];
  /** Staff approve every sign-up. */
  approved: string[];
}

/**
 * Returns the blocked domains of an address: its own or one above it. `email` has the form of
 * `normalizeEmail`.
 */
export async function blockedEmailDomains(db: Db, email: string): Promise<EmailDomainBlocks> {
  const rows = await db.query(MATCHING, [withParents(email.slice(email.lastIndexOf('@') + 1))]);
  const domains = (allowed: boolean): string[] =>
    rows.filter((row) => row.allow_with_approval === allowed).map(({ domain }) => domain);
  return { refused: domains(false), approved: domains(true) };
}
