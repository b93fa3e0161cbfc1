import { addressWith } from '#interfaces/web/page/address-with.ts';
import type { WebRequest } from '#interfaces/web/page/page.ts';
import { asSent } from '#interfaces/web/page/sent-texts.ts';
import { readCertainMoment } from '#kernel/moments.ts';
import { valuesBy } from '#kernel/values-by.ts';
import type { AuditAction } from '#mastodon/audit-log.ts';

const TEXTS = [
  'actor',
  'target',
  'application_id',
  'status',
  'report',
  'domain',
  'correlation_id',
  'from',
  'until',
] as const;
const LISTS = ['action', 'actor_kind', 'role'] as const;
const MOST = 200;

/** The conditions of the audit page, as its address has them. */
export type Conditions = Readonly<
  Record<(typeof TEXTS)[number], string> &
    Record<(typeof LISTS)[number], readonly string[]> & {
      /** Also who read the log, which would otherwise fill the page with its own visits. */
      reads: boolean;
    }
>;

/** Parses the conditions of a page; unknown parameters are none. */
export function conditionsIn({ query }: Pick<WebRequest, 'query'>): Conditions {
  const texts = TEXTS.map((name) => [name, query.get(name)?.trim() ?? '']);
  const lists = LISTS.map((name) => [name, listIn(query, name)]);
  return { ...Object.fromEntries([...texts, ...lists]), reads: query.get('reads') === '1' } as Conditions;
}

const listIn = (query: URLSearchParams, name: string): string[] =>
  [...new Set([...query.getAll(name), ...query.getAll(`${name}[]`)])].filter(Boolean).slice(0, MOST);

const VIEWED: AuditAction = 'audit_log.viewed';

/** Returns the same conditions as parameters of the API. */
export function askedBy({ reads, ...given }: Conditions) {
  const hidden = reads || given.action.includes(VIEWED) || given.correlation_id !== '';
  return {
    ...valuesBy(TEXTS, (name) => given[name] || undefined),
    ...valuesBy(LISTS, (name) => (given[name].length > 0 ? given[name].map(asSent) : undefined)),
    ...(!hidden && { exclude_action: [VIEWED] }),
  };
}

/** Returns the address of a page with conditions, some of them changed. */
export function addressOf(
  path: string,
  { reads, ...given }: Conditions,
  changed: Partial<Conditions> = {},
): string {
  const { reads: now = reads, ...others } = { ...given, ...changed };
  const pairs = Object.entries({ ...given, ...others }).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string'
      ? value === ''
        ? []
        : [[name, value]]
      : value.map((each) => [`${name}[]`, each]),
  );
  if (now) pairs.push(['reads', '1']);
  return addressWith(path, pairs);
}

/** Returns true when the range begins after this moment (ISO 8601), so that nothing can be in it. */
export const isFuture = ({ from }: Conditions, now: string): boolean => {
  const begin = readCertainMoment(from);
  return begin !== undefined && begin > now;
};
