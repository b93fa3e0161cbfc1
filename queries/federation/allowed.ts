import type { Instance } from '../../src/kernel/context.ts';
import { withParents } from '../../src/kernel/domain-name.ts';
import { statement, type Db } from '../../src/kernel/read.ts';

/** Of several blocks the closest one holds. */
const RULES = statement(
  'federation_rules',
  `select exists (select from domain_allows where domain = $1) as allowed,
     (select severity from domain_blocks where domain = any($2::text[]) order by length(domain) desc limit 1) as severity`,
);

const REPORTS_REJECTED = statement(
  'federation_reports_rejected',
  `select exists (select from unnest($1::text[]) as parent join domain_blocks b on b.domain = parent and b.reject_reports)
     as rejected`,
);

/**
 * Whether this server exchanges anything with a domain, which must be canonical: not with one that staff suspended, and in limited
 * federation mode only with those that it allowed. To be asked before anything is fetched from there, taken from there,
 * or sent there. A suspension holds in limited mode as well, since the accounts of the domain are suspended.
 * https://docs.joinmastodon.org/admin/config/#limited_federation_mode
 */
export async function federationAllowed(
  { db, instance }: { db: Db; instance: Pick<Instance, 'limitedFederation'> },
  domain: string,
): Promise<boolean> {
  const [row] = await db.query<{ allowed: boolean; severity: string | null }>(RULES, [
    domain,
    withParents(domain),
  ]);
  return row?.severity !== 'suspend' && (!instance.limitedFederation || row?.allowed === true);
}

/** Whether staff does not want reports from a server; `domains` are its canonical names. */
export async function reportsRejected(db: Db, domains: readonly string[]): Promise<boolean> {
  const [row] = await db.query<{ rejected: boolean }>(REPORTS_REJECTED, [domains.flatMap(withParents)]);
  return row?.rejected === true;
}
