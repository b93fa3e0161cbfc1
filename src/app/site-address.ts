import type { Logger } from 'pino';
import { type Config, ConfigError, isLoopback } from '#config/config.ts';
import { type Db, statement } from '#kernel/read.ts';
import { unlessHalted } from '#kernel/read-model-halted.ts';

interface Address {
  domain: string;
  origin: string;
}

const NOTED = statement<Address>('site_address_noted', 'select domain, origin from durable.site_address');
/**
 * For servers older than the note: every account id begins with the address where it was made. While the read model is
 * halted, there are accounts, and the note alone counts.
 */
const FIRST_LOCAL = statement<{ uri: string }>(
  'site_address_first_local',
  'select uri from accounts where domain is null order by id limit 1',
);
const NOTE = statement(
  'site_address_note',
  `insert into durable.site_address as a (domain, origin) values ($1, $2)
   on conflict (only_one) do update set domain = excluded.domain, origin = excluded.origin
   where (a.domain, a.origin) is distinct from (excluded.domain, excluded.origin)`,
);

/**
 * Compares the server's address with the one under which its accounts were made, and notes it when there are
 * none. A different one is refused: ids of accounts and posts are in the log for ever, so other servers would
 * look for them, and for signing keys, at the old address. Addresses of localhost are known to this machine
 * only, so there a difference is only logged.
 * @throws ConfigError
 */
export async function checkSiteAddress(db: Db, { site }: Config, logger: Logger): Promise<void> {
  const here = { domain: site.localDomain, origin: site.origin };
  const before = await addressOfAccounts(db, here);
  if (before === 'unknown') {
    logger.warn({ here }, 'address not compared: the read model accounts is halted');
    return;
  }
  if (before && (before.domain !== here.domain || before.origin !== here.origin)) {
    if ([before, here].every(isOfThisMachine)) {
      logger.warn(
        { before, here },
        'address changed: the accounts were created under another address of this machine',
      );
      return;
    }
    if (site.movedFrom !== before.domain) throw moved(before, here);
    logger.warn(
      { before, here },
      'address changed: other servers know the accounts under the former address only',
    );
  }
  await db.query(NOTE, [here.domain, here.origin]);
}

async function addressOfAccounts(db: Db, here: Address): Promise<Address | 'unknown' | undefined> {
  const first = await unlessHalted(
    async () => (await db.query(FIRST_LOCAL))[0],
    () => 'unknown' as const,
  );
  if (!first) return undefined;
  const [noted] = await db.query(NOTED);
  if (noted) return noted;
  if (first === 'unknown') return first;
  const { origin, host } = new URL(first.uri);
  return { domain: origin === here.origin ? here.domain : host, origin };
}

const isOfThisMachine = ({ domain, origin }: Address): boolean =>
  isLoopback(domain) && isLoopback(new URL(origin).host);

const moved = (before: Address, here: Address): ConfigError =>
  new ConfigError([
    `The accounts of this server were made as @...@${before.domain} at ${before.origin}, and LOCAL_DOMAIN, WEB_DOMAIN and LOCAL_HTTPS`,
    `now make that @...@${here.domain} at ${here.origin}. Ids of accounts and posts never change, so other servers would no longer find them,`,
    `and believe no signature of theirs: set these to what they were. To go on all the same, set LOCAL_DOMAIN_BEFORE=${before.domain} for one start.`,
  ]);
