import type { Instance } from '#kernel/context.ts';
import { type Db, statement } from '#kernel/read.ts';
import { withParents } from '#mastodon/domain-name.ts';
import { hostName } from '#mastodon/host-name.ts';

/** The block of the closest domain applies. Each domain comes with itself and its parent domains. */
const ALLOWED = statement<{ domain: string }>(
  'federation_allowed',
  `with asked (domain, name) as (
     select * from unnest($1::text[], $2::text[])
   ), held as (
     select distinct on (q.domain) q.domain, b.severity from asked q join domain_blocks b on b.domain = q.name
     order by q.domain, length(b.domain) desc
   )
   select distinct q.domain from asked q
   where not exists (select from held h where h.domain = q.domain and h.severity = 'suspend')
     and (not $3::boolean or exists (select from domain_allows w where w.domain in (q.domain, ${hostName('q.domain')})))`,
);

interface Where {
  db: Db;
  instance: Pick<Instance, 'limitedFederation'>;
}

/** The block of the closest domain applies here too. */
const REPORTS_REJECTED = statement<{ rejected: boolean }>(
  'federation_reports_rejected',
  `with held as (
     select distinct on (q.domain) b.reject_reports
     from unnest($1::text[], $2::text[]) as q (domain, name) join domain_blocks b on b.domain = q.name
     order by q.domain, length(b.domain) desc
   )
   select exists (select from held where reject_reports) as rejected`,
);

/**
 * Whether this server exchanges anything with a domain, or the host of an address: not with one that staff suspended, and in limited
 * federation mode only with those that it allowed, by the names of their hosts at any port. To be asked before anything is fetched from there, taken from there,
 * or sent there. A suspension holds in limited mode as well, since the accounts of the domain are suspended.
 * https://docs.joinmastodon.org/admin/config/#limited_federation_mode
 */
export const federationAllowed = async (where: Where, domain: string): Promise<boolean> =>
  (await federationAllowedWith(where, [domain])).has(domain);

/** Returns the domains for which `federationAllowed` is true. */
export async function federationAllowedWith(
  { db, instance }: Where,
  domains: readonly string[],
): Promise<ReadonlySet<string>> {
  const asked = withNames(domains);
  const rows = await db.query(ALLOWED, [
    asked.map(({ domain }) => domain),
    asked.map(({ name }) => name),
    instance.limitedFederation,
  ]);
  return new Set(rows.map(({ domain }) => domain));
}

/** Returns true if staff reject reports from a server; `domains` are its names. */
export async function reportsRejected(db: Db, domains: readonly string[]): Promise<boolean> {
  const asked = withNames(domains);
  const [row] = await db.query(REPORTS_REJECTED, [
    asked.map(({ domain }) => domain),
    asked.map(({ name }) => name),
  ]);
  return row?.rejected === true;
}

/** Each domain with all names whose block may apply to it. */
const withNames = (domains: readonly string[]): { domain: string; name: string }[] =>
  domains.flatMap((domain) => namesOf(domain).map((name) => ({ domain, name })));

/**
 * Blocks have no port: the same server must not pass at another port, or with a trailing dot
 * (CVE-2023-42451).
 */
const namesOf = (host: string): string[] => {
  const name = host.replace(/:\d+$/, '').replace(/\.$/, '');
  return [...new Set([...withParents(host), ...withParents(name)])];
};
