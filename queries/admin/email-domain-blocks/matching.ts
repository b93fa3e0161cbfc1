import { withParents } from '../../../src/mastodon/domain-name.ts';
import { statement, type Db } from '../../../src/kernel/read.ts';

const MATCHING = statement(
  'email_domain_blocks_matching',
  'select domain, allow_with_approval from email_domain_blocks where domain = any($1::text[])',
);

/** The blocks that an address belongs to, by what they demand. */
export interface EmailDomainBlocks {
  /** Domains that are refused. */
  refused: string[];
  /** Domains of which staff looks at every sign-up. */
  approved: string[];
}

/** Returns the blocked domains of an address: its own or one above it. `email` as `normalizeEmail` gives it. */
export async function blockedEmailDomains(db: Db, email: string): Promise<EmailDomainBlocks> {
  const rows = await db.query<{ domain: string; allow_with_approval: boolean }>(MATCHING, [
    withParents(email.slice(email.lastIndexOf('@') + 1)),
  ]);
  const domains = (allowed: boolean): string[] =>
    rows.filter((row) => row.allow_with_approval === allowed).map(({ domain }) => domain);
  return { refused: domains(false), approved: domains(true) };
}
