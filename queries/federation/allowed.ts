import type { Instance } from '../../src/kernel/context.ts';
import { withParents } from '../../src/kernel/domain-name.ts';
import { statement, type Db } from '../../src/kernel/read.ts';

/** Of several blocks the closest one holds. Each domain comes with itself and all that it is below of. */
const ALLOWED = statement(
  'federation_allowed',
  `with asked (domain, name) as (
     select * from unnest($1::text[], $2::text[])
   ), held as (
     select distinct on (q.domain) q.domain, b.severity from asked q join domain_blocks b on b.domain = q.name
     order by q.domain, length(b.domain) desc
   )
   select distinct q.domain from asked q
   where not exists (select from held h where h.domain = q.domain and h.severity = 'suspend')
     and (not $3::boolean or exists (select from domain_allows w where w.domain = q.domain))`,
);

interface Where {
  db: Db;
  instance: Pick<Instance, 'limitedFederation'>;
}

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
export const federationAllowed = async (where: Where, domain: string): Promise<boolean> =>
  (await federationAllowedWith(where, [domain])).has(domain);

/** Of some domains those of which `federationAllowed` is true. */
export async function federationAllowedWith(
  { db, instance }: Where,
  domains: readonly string[],
): Promise<ReadonlySet<string>> {
  const asked = domains.flatMap((domain) => withParents(domain).map((name) => ({ domain, name })));
  const rows = await db.query<{ domain: string }>(ALLOWED, [
    asked.map(({ domain }) => domain),
    asked.map(({ name }) => name),
    instance.limitedFederation,
  ]);
  return new Set(rows.map(({ domain }) => domain));
}

/** Whether staff does not want reports from a server; `domains` are its canonical names. */
export async function reportsRejected(db: Db, domains: readonly string[]): Promise<boolean> {
  const [row] = await db.query<{ rejected: boolean }>(REPORTS_REJECTED, [domains.flatMap(withParents)]);
  return row?.rejected === true;
}
