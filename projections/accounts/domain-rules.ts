import {
  DomainBlockChanged,
  DomainBlocked,
  DomainUnblocked,
  type DomainSeverity,
} from '../../src/events/admin-domain-blocks.ts';
import { hostName, isAtOrBelow, reversedHost } from '../../src/kernel/host-name.ts';
import { on, type BoundHandler } from '../../src/kernel/projection.ts';
import { statement, type Db } from '../../src/kernel/read.ts';

const PUT = statement(
  'account_domain_rules_put',
  `insert into account_domain_rules as r (domain, severity, reject_media)
   values ($1, coalesce($2::text, 'noop'), coalesce($3::boolean, false))
   on conflict (domain) do update set
     severity = coalesce($2::text, r.severity), reject_media = coalesce($3::boolean, r.reject_media)`,
);
const DELETE = statement('account_domain_rules_delete', 'delete from account_domain_rules where domain = $1');

/** Writes the rules of accounts anew; of several rules that hold for a host the closest one counts, at all of its ports. */
const applyTo = (which: (account: string) => string): string => `
  with held as (
    select f.host, r.severity, coalesce(r.reject_media, false) as reject_media
    from (select distinct ${hostName('f.domain')} as host from accounts f where f.domain is not null and ${which('f')}) f
    left join lateral (
      select severity, reject_media from account_domain_rules r
      where r.domain = f.host or right(f.host, length(r.domain) + 1) = '.' || r.domain
      order by length(r.domain) desc limit 1) r on true)
  update accounts a set domain_severity = h.severity, media_rejected = h.reject_media
  from held h
  where a.domain is not null and ${reversedHost('a.domain')} = reverse(h.host) and ${which('a')}
    and (a.domain_severity, a.media_rejected) is distinct from (h.severity, h.reject_media)`;
const APPLY_BELOW = statement(
  'accounts_domain_rules_below',
  applyTo((account) => isAtOrBelow(`${account}.domain`, '$1::text')),
);
const APPLY_TO = statement(
  'accounts_domain_rules_of',
  applyTo((account) => `${account}.id = any($1::bigint[])`),
);

/** For accounts that are new: what is blocked already. */
export async function applyDomainRules(ids: readonly string[], db: Db): Promise<void> {
  if (ids.length > 0) await db.query(APPLY_TO, [ids]);
}

interface Change {
  domain: string;
  severity?: DomainSeverity | undefined;
  reject_media?: boolean | undefined;
}

async function change({ domain, severity, reject_media }: Change, db: Db): Promise<void> {
  if (severity === undefined && reject_media === undefined) return;
  await db.query(PUT, [domain, severity ?? null, reject_media ?? null]);
  await db.query(APPLY_BELOW, [domain]);
}

/**
 * Blocks of domains, as far as they concern accounts: written to the rows of the accounts, which every statement reads anyway, so
 * that reading costs nothing more. Blocks are rare, and barriers: accounts before and after them keep their order.
 */
export const domainRuleHandlers: readonly BoundHandler[] = [
  on(DomainBlocked, {
    apply: async (events, db) => {
      for (const { data } of events) await change(data, db);
    },
  }),
  on(DomainBlockChanged, {
    apply: async (events, db) => {
      for (const { data } of events) await change(data, db);
    },
  }),
  on(DomainUnblocked, {
    apply: async (events, db) => {
      for (const { data } of events) {
        await db.query(DELETE, [data.domain]);
        await db.query(APPLY_BELOW, [data.domain]);
      }
    },
  }),
];
