import { TERMS, type Things, type WholeSite } from './whole-site.ts';

/** Returns an example of a page's address, or undefined where the path names something unknown here. */
export function exampleOf(path: string, site: WholeSite, things = site.mine): string | undefined {
  const [, values] = examplesOf(site, things).find(([start]) => path.startsWith(start)) ?? [];
  const filled = path.replaceAll(/:(\w+)/g, (whole, name: string) => values?.[name] ?? whole);
  return filled.includes(':') ? undefined : filled;
}

/** The first fitting beginning counts. */
const examplesOf = (
  { bob, root, collection, mine }: WholeSite,
  things: Things,
): [start: string, values: Record<string, string>][] => [
  ['/@:name/:id/edit', { name: 'alice', id: things.post }],
  ['/@:name/:id/delete', { name: 'alice', id: things.post }],
  ['/@:name/:id/history', { name: 'alice', id: things.post }],
  ['/@:name/:id/favourites', { name: 'alice', id: things.post }],
  ['/@:name/:id/reblogs', { name: 'alice', id: things.post }],
  ['/@:name/:id/quotes', { name: 'alice', id: things.post }],
  ['/@:name/:id/revoke_quote', { name: 'bob', id: things.quote }],
  ['/@:name/block_domain', { name: 'far@far.example' }],
  ['/@:name/remove_from_followers', { name: 'far@far.example' }],
  ['/@:name', { name: 'bob', id: things === mine ? root : things.post, tag: 'rooks' }],
  ['/lists/', { id: things.list }],
  ['/filters/status/', { id: things.post }],
  ['/filters/', { id: things.filter }],
  ['/conversations/', { id: things.conversation }],
  ['/scheduled/', { id: things.scheduled }],
  ['/notifications/requests/', { id: things.request }],
  ['/disputes/strikes/', { id: things.strike }],
  ['/collections/', { id: collection }],
  ['/terms-of-service/', { date: TERMS }],
  ['/tags/', { tag: 'rooks' }],
  ['/settings/export/', { file: 'following_accounts.csv' }],
  ['/settings/import/', { id: things.import }],
  ['/web/statuses/', { id: things.post }],
  ['/web/v1/tags/', { name: 'rooks' }],
  ['/web/v1/suggestions/', { account_id: bob.id }],
  ['/web/v1/notifications/requests/', { id: things.request }],
  ['/web/v2/notifications/', { group_key: 'ungrouped-1' }],
  ['/web/v1/conversations/', { id: things.conversation }],
  ['/web/v1/announcements/', { id: '1', name: encodeURIComponent('👍') }],
  ['/web/v1/lists/', { id: things.list }],
  ['/web/v2/filters/statuses/', { id: things.filter }],
  ['/web/v2/filters/', { filter_id: things.filter }],
  ['/web/v1/accounts/', { id: bob.id }],
  ['/web/v1/follow_requests/', { account_id: bob.id }],
  ['/web/v1/statuses/', { id: things.post }],
  ['/web/v1/polls/', { id: '1' }],
];
