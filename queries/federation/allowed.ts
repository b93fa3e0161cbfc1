import type { Instance } from '../../src/kernel/context.ts';
import { statement, type Db } from '../../src/kernel/read.ts';

const ALLOWED = statement(
  'federation_allowed',
  'select exists (select from domain_allows where domain = $1) as allowed',
);

/**
 * Whether this server exchanges anything with a domain, which must be canonical: in limited federation mode only with those
 * that staff allowed. To be asked before anything is fetched from there, taken from there, or sent there.
 * https://docs.joinmastodon.org/admin/config/#limited_federation_mode
 */
export async function federationAllowed(
  { db, instance }: { db: Db; instance: Pick<Instance, 'limitedFederation'> },
  domain: string,
): Promise<boolean> {
  if (!instance.limitedFederation) return true;
  const [row] = await db.query<{ allowed: boolean }>(ALLOWED, [domain]);
  return row?.allowed === true;
}
