import type { Operation } from './operations.ts';
import { type Person, type Step, step } from './step.ts';

/**
 * Maps a pattern of a path to the saved value that fills its parameter. The first pattern that matches is
 * used.
 */
const FIXTURES: readonly (readonly [RegExp, string])[] = [
  [/quotes\/\{quoting_status_id\}/, 'quote'],
  [/\/filters\/keywords\/\{id\}/, 'keyword'],
  [/\/filters\/statuses\/\{id\}/, 'filterStatus'],
  [/\/filters\/\{(?:filter_)?id\}/, 'filter'],
  [/\/lists?\/\{(?:list_)?id\}/, 'list'],
  [/\/scheduled_statuses\/\{id\}/, 'scheduled'],
  [/\/conversations\/\{id\}/, 'conversation'],
  [/\/notifications\/\{id\}/, 'notification'],
  [/\/polls\/\{id\}/, 'poll'],
  [/\/media\/\{id\}/, 'media'],
  [/\/featured_tags\/\{id\}/, 'featuredTag'],
  [/\/admin\/reports\/\{id\}/, 'report'],
  [/\/admin\/(?:accounts)\/\{id\}/, 'carol'],
  [/\/admin\/domain_blocks\/\{id\}/, 'domainBlock'],
  [/\/admin\/domain_allows\/\{id\}/, 'domainAllow'],
  [/\/admin\/email_domain_blocks\/\{id\}/, 'emailDomainBlock'],
  [/\/admin\/canonical_email_blocks\/\{id\}/, 'canonicalEmailBlock'],
  [/\/admin\/ip_blocks\/\{id\}/, 'ipBlock'],
  [/\/admin\/relays\/\{id\}/, 'relay'],
  [/\/statuses\/\{id\}/, 'post'],
  [/\/collections\/\{(?:collection_)?id\}/, 'collection'],
];
const BY_NAME: Readonly<Record<string, string>> = {
  name: 'rooks',
  hashtag: 'rooks',
  year: '2025',
  date: '2025-01-01',
  group_key: 'ungrouped-1',
};
const UNKNOWN = '109876543210987654';

/** A probe of these operations could change what later requests need. */
const ENDS = /^DELETE|\/reject$|\/delete$|\/clear$|\/action$/;

/** Returns requests with wrong tokens, unknown ids and odd values for an operation. */
export function probesOf(operation: Operation): Step[] {
  const by: Person = operation.isForStaff ? 'owner' : 'alice';
  const ids = fixturesOf(operation);
  const probe = (as: Person | undefined, what: string, more: Parameters<typeof step>[3] = {}, other = ids) =>
    step(as, operation.name, other, { name: what, ...more });
  const tokens: (readonly [Person | undefined, string])[] = [
    [undefined, 'without a token'],
    ['broken', 'with a token that is none'],
    ['application', 'with the token of an application'],
    ['profile', 'with a scope too small'],
    ...(operation.isForStaff ? [['bob', 'as a user'] as const] : []),
  ];
  return [
    ...tokens.map(([as, what]) => probe(as, what)),
    ...operation.ids.flatMap((id) => [
      probe(by, `unknown ${id}`, {}, { ...ids, [id]: UNKNOWN }),
      probe(by, `odd ${id}`, {}, { ...ids, [id]: 'x%25y' }),
    ]),
    ...queryProbes(operation).map((query) => probe(by, query, { query })),
    ...(ENDS.test(operation.name)
      ? []
      : bodyProbes(operation).map(([what, body]) => probe(by, what, { body }))),
  ];
}

function fixturesOf({ path, ids }: Operation): Record<string, string> {
  const found = FIXTURES.find(([pattern]) => pattern.test(path))?.[1] ?? 'bob';
  return Object.fromEntries(ids.map((id) => [id, BY_NAME[id] ?? `{${found}}`]));
}

const ODD_QUERIES: Readonly<Record<string, readonly string[]>> = {
  limit: ['0', '-2', 'x', '100000'],
  offset: ['-1', 'x'],
  max_id: ['x', '0'],
  min_id: ['x'],
  since_id: ['9999999999999999999999'],
};

const queryProbes = ({ query }: Operation): string[] =>
  query.flatMap((name) => (ODD_QUERIES[name] ?? ['', 'maybe']).map((value) => `${name}=${value}`));

const bodyProbes = ({ members }: Operation): [string, Record<string, unknown>][] =>
  members.flatMap((member) => [
    [`blank ${member}`, { [member]: '' }],
    [`${member} that is an object`, { [member]: { a: 1 } }],
    [`null ${member}`, { [member]: null }],
  ]);
