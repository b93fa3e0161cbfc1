import { withParents } from '../../src/kernel/domain-name.ts';
import { statement, type Db } from '../../src/kernel/read.ts';

const MATCHING = statement(
  'email_domain_blocks_matching',
  'select domain from email_domain_blocks where domain = any($1::text[])',
);

/** The blocked domains that an address belongs to: its own or one above it. `email` as `normalizeEmail` gives it. */
export async function blockedEmailDomains(db: Db, email: string): Promise<string[]> {
  const rows = await db.query<{ domain: string }>(MATCHING, [
    withParents(email.slice(email.lastIndexOf('@') + 1)),
  ]);
  return rows.map(({ domain }) => domain);
}
