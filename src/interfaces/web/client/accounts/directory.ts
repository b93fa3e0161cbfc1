import { pageHead, tabs } from '#interfaces/web/design/components.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { personList } from '#interfaces/web/entities/person.ts';
import { compactNumber } from '#interfaces/web/entities/texts.ts';
import { openPage } from '#interfaces/web/page/page.ts';
import { olderLink } from '#interfaces/web/page/paging.ts';
import { peopleToFollow } from './account.ts';

/** Accounts of a page. */
const PEOPLE = 20;
/** The API refuses more. */
const MAX_OFFSET = 100_000;

/** `/directory`: accounts that want to be found. */
export const directoryPage = openPage({
  path: '/directory',
  show: async (request) => {
    const { query } = request;
    const order = query.get('order') === 'new' ? 'new' : 'active';
    const local = query.get('local') === 'true';
    const offset = offsetIn(query);
    const asked = { order, local: String(local), offset: String(offset), limit: String(PEOPLE) } as const;
    const { entity } = await request.api('GET v1/directory', { query: asked });
    const items = await peopleToFollow(request, entity, ({ statuses_count, followers_count }) => ({
      line: `${compactNumber(statuses_count)} posts · ${compactNumber(followers_count)} followers`,
      note: true,
    }));
    const next = entity.length < PEOPLE ? undefined : { offset: String(offset + PEOPLE) };
    return {
      title: 'Profile directory',
      hidden: true,
      body: html`${pageHead('Profile directory')} ${choices(order, local)}
      ${personList(items, { icon: 'users', text: 'No profiles are listed here.' })}
      ${olderLink(request, next)}`,
    };
  },
});

function offsetIn(query: URLSearchParams): number {
  const offset = Number(query.get('offset') ?? '0');
  return Number.isInteger(offset) && offset >= 0 && offset <= MAX_OFFSET ? offset : 0;
}

function choices(order: string, local: boolean): Html {
  const address = (asked: { order: string; local: boolean }): string =>
    `/directory?order=${asked.order}&local=${String(asked.local)}`;
  const here = address({ order, local });
  const orders = [
    { href: address({ order: 'active', local }), text: 'Recently active' },
    { href: address({ order: 'new', local }), text: 'New arrivals' },
  ];
  const scopes = [
    { href: address({ order, local: false }), text: 'All known servers' },
    { href: address({ order, local: true }), text: 'This server only' },
  ];
  return html`${tabs('Order', orders, here)} ${tabs('Servers', scopes, here)}`;
}
