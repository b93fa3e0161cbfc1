import {
  DomainBlockChanged,
  DomainBlocked,
  type DomainSeverity,
  DomainUnblocked,
} from '#events/admin-domain-blocks.ts';
import { type BoundHandler, on } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import { boolean, table, text, textC } from '#kernel/table/index.ts';
import { hostName, isAtOrBelow, reversedHost } from '#mastodon/host-name.ts';

/** Returns the table of blocks that a projection keeps for `domainRules`. */
export const domainRuleTable = (name: string) =>
  table(name, { domain: textC, severity: text, reject_media: boolean }, ['domain']);

export interface DomainRulesOptions {
  /** The table of blocks. */
  rules: string;
  /** The table of accounts; its `domain` is null for local accounts. */
  accounts: string;
  /** Its column with the account's id. */
  id: string;
  /**
   * Columns of accounts by name, as expressions of `severity` (null for none) and `reject_media` of the
   * closest block.
   */
  columns: Readonly<Record<string, (rule: { severity: string; rejectMedia: string }) => string>>;
}

export interface DomainRules {
  /** Applies existing blocks to new accounts. */
  apply(ids: readonly string[], db: Db): Promise<void>;
  handlers: readonly BoundHandler[];
}

interface Change {
  domain: string;
  severity?: DomainSeverity | undefined;
  reject_media?: boolean | undefined;
}

/**
 * Writes the effects of domain blocks to the rows of accounts, which every statement reads anyway, so that
 * reading costs nothing more. Blocks are rare, and barriers: accounts before and after them keep their order.
 */
export function domainRules(options: DomainRulesOptions): DomainRules {
  const { rules, accounts, id } = options;
  const PUT = statement(
    `${rules}_put`,
    `insert into ${rules} as r (domain, severity, reject_media)
     values ($1, coalesce($2::text, 'noop'), coalesce($3::boolean, false))
     on conflict (domain) do update set
       severity = coalesce($2::text, r.severity), reject_media = coalesce($3::boolean, r.reject_media)`,
  );
  const DELETE = statement(`${rules}_delete`, `delete from ${rules} where domain = $1`);
  const APPLY_BELOW = statement(
    `${accounts}_domain_rules_below`,
    applyTo(options, (account) => isAtOrBelow(`${account}.domain`, '$1::text')),
  );
  const APPLY_TO = statement(
    `${accounts}_domain_rules_of`,
    applyTo(options, (account) => `${account}.${id} = any($1::bigint[])`),
  );
  const change = async ({ domain, severity, reject_media }: Change, db: Db): Promise<void> => {
    if (severity === undefined && reject_media === undefined) return;
    await db.query(PUT, [domain, severity ?? null, reject_media ?? null]);
    await db.query(APPLY_BELOW, [domain]);
  };
  const changed = {
    apply: async (events: readonly { data: Change }[], db: Db): Promise<void> => {
      for (const { data } of events) await change(data, db);
    },
  };
  return {
    async apply(ids, db) {
      if (ids.length > 0) await db.query(APPLY_TO, [ids]);
    },
    handlers: [
      on(DomainBlocked, changed),
      on(DomainBlockChanged, changed),
      on(DomainUnblocked, {
        apply: async (events, db) => {
          for (const { data } of events) {
            await db.query(DELETE, [data.domain]);
            await db.query(APPLY_BELOW, [data.domain]);
          }
        },
      }),
    ],
  };
}

/** Rewrites the rules of accounts; of several rules for a host, the closest one applies, at all ports. */
function applyTo(
  { rules, accounts, columns }: DomainRulesOptions,
  which: (account: string) => string,
): string {
  const names = Object.keys(columns);
  const values = Object.values(columns).map((value) =>
    value({ severity: 'h.severity', rejectMedia: 'h.reject_media' }),
  );
  return `
  with held as (
    select f.host, r.severity, coalesce(r.reject_media, false) as reject_media
    from (select distinct ${hostName('f.domain')} as host from ${accounts} f where f.domain is not null and ${which('f')}) f
    left join lateral (
      select severity, reject_media from ${rules} r
      where r.domain = f.host or right(f.host, length(r.domain) + 1) = '.' || r.domain
      order by length(r.domain) desc limit 1) r on true)
  update ${accounts} a set ${names.map((name, index) => `${name} = ${values[index] ?? ''}`).join(', ')}
  from held h
  where a.domain is not null and ${reversedHost('a.domain')} = reverse(h.host) and ${which('a')}
    and (${names.map((name) => `a.${name}`).join(', ')}) is distinct from (${values.join(', ')})`;
}
