import type { Answer } from '#interfaces/http/own-calls.ts';
import { tabs } from '#interfaces/web/design/components.ts';
import { stateBadge } from '#interfaces/web/design/data-table.ts';
import { type Html, html, type Part } from '#interfaces/web/design/html.ts';
import { statusPath } from '#interfaces/web/entities/addresses.ts';
import { contentOf } from '#interfaces/web/entities/status-content.ts';
import { usageOf } from '#interfaces/web/entities/tag.ts';
import { counted } from '#interfaces/web/entities/texts.ts';
import { action } from '#interfaces/web/page/action.ts';
import { form } from '#interfaces/web/page/forms.ts';
import type { SignedInRequest, WebPage } from '#interfaces/web/page/page.ts';
import { offsetIn, placeIn } from '#interfaces/web/page/paging.ts';
import { hereOf, viewOf } from '#interfaces/web/page/request-view.ts';
import { TRENDS } from '../addresses.ts';
import { consolePage } from '../console-page.ts';
import { recordList } from '../record-list.ts';

const TABS = [
  { href: TRENDS, text: 'Hashtags' },
  { href: `${TRENDS}/links`, text: 'Links' },
  { href: `${TRENDS}/publishers`, text: 'Publishers' },
  { href: `${TRENDS}/statuses`, text: 'Posts' },
];
const LIMIT = '50';
const rankedFrom = (query: URLSearchParams) => ({ limit: LIMIT, ...offsetIn(query) });
const NOUNS: Readonly<Record<Kind, string>> = {
  tags: 'Hashtag',
  links: 'Link',
  'links/publishers': 'Publisher',
  statuses: 'Post',
};

/** A thing that trends, as a row. */
interface Trending {
  id: string;
  /** For people who do not see the row. */
  name: string;
  what: Part;
  usage: Part;
  state: Html;
}

type Kind = (typeof KINDS)[number];

interface TrendPage<Entity> {
  path: string;
  kind: Kind;
  /** Says what a decision means. */
  text: string;
  read: (request: SignedInRequest) => Promise<Answer<Entity[]>>;
  rowOf: (entity: Entity, request: SignedInRequest) => Trending;
}

const trendPage = <Entity>({ path, kind, text, read, rowOf }: TrendPage<Entity>): WebPage =>
  consolePage({
    path,
    permission: 'manage_taxonomies',
    show: async (request) => {
      const found = await read(request);
      return {
        title: 'Trends',
        body: html`${tabs('Trends', TABS, path)}
          <p class="quiet">${text} A decision can be changed at any time.</p>
          ${recordList(request, found, {
            columns: [NOUNS[kind], 'Usage', 'State', 'Decision'],
            cells: (each) => {
              const { id, name, what, usage, state } = rowOf(each, request);
              return [what, usage, state, decisions(request, kind, { id, name })];
            },
            caption: 'Trends, the most used first',
            empty: { icon: 'trending-up', text: 'Nothing to review at the moment.' },
            words: ['Beginning', 'More'],
          })}`,
      };
    },
  });

/** Renders the two buttons; they need no confirmation, because each undoes the other. */
const decisions = (request: SignedInRequest, kind: Kind, { id, name }: Pick<Trending, 'id' | 'name'>): Html =>
  form(
    request,
    html`<button class="small" aria-label="${`Approve ${name}`}">Approve</button>
      <button
        class="plain small"
        formaction="/web/v1/admin/trends/${kind}/${id}/reject"
        aria-label="${`Reject ${name}`}"
      >
        Reject
      </button>`,
    { action: `/web/v1/admin/trends/${kind}/${id}/approve`, hidden: { return_to: hereOf(request) } },
  );

const reviewState = (waits: boolean, trendable: boolean | null = null): Html => {
  if (waits) return stateBadge('Pending review', 'busy');
  if (trendable === null) return stateBadge('Reviewed');
  return trendable ? stateBadge('Approved', 'good') : stateBadge('Rejected', 'bad');
};

const tagsPage = trendPage({
  path: TRENDS,
  kind: 'tags',
  read: ({ api, query }) => api('GET v1/admin/trends/tags', { query: rankedFrom(query) }),
  text: 'Approved hashtags are among the trends that users see; rejected ones stay out, however much they are used.',
  rowOf: ({ id, name, history, requires_review, trendable }) => ({
    id,
    name: `#${name}`,
    what: html`<a href="/tags/${encodeURIComponent(name)}"><bdi>#${name}</bdi></a>`,
    usage: usageOf(history),
    state: reviewState(requires_review, trendable),
  }),
});

const linksPage = trendPage({
  path: `${TRENDS}/links`,
  kind: 'links',
  read: ({ api, query }) => api('GET v1/admin/trends/links', { query: rankedFrom(query) }),
  text: 'Approved links are among the trends that users see. The decision about a publisher holds for its links, unless one has its own.',
  rowOf: ({ id, title, url, provider_name, history, requires_review }) => ({
    id,
    name: title,
    what: html`<a href="${url}" rel="noopener nofollow" dir="auto">${title || url}</a>
      ${provider_name !== '' && html`<span class="quiet">${provider_name}</span>`}`,
    usage: usageOf(history),
    state: reviewState(requires_review),
  }),
});

const publishersPage = trendPage({
  path: `${TRENDS}/publishers`,
  kind: 'links/publishers',
  read: ({ api, query }) =>
    api('GET v1/admin/trends/links/publishers', { query: { limit: LIMIT, ...placeIn(query) } }),
  text: 'The decision about a publisher holds for all its links that have none of their own.',
  rowOf: ({ id, domain, requires_review, trendable }) => ({
    id,
    name: domain,
    what: html`<bdi>${domain}</bdi>`,
    usage: '',
    state: reviewState(requires_review, trendable),
  }),
});

const statusesPage = trendPage({
  path: `${TRENDS}/statuses`,
  kind: 'statuses',
  read: ({ api, query }) => api('GET v1/admin/trends/statuses', { query: rankedFrom(query) }),
  text: 'Approved posts are among the trends that users see.',
  rowOf: (status, request) => ({
    id: status.id,
    name: `the post by ${status.account.username}`,
    what: html`<div class="trending-post">
      <a href="${statusPath(status)}" dir="ltr">@${status.account.acct}</a>
      ${contentOf(status, viewOf(request))}
    </div>`,
    usage: `${counted(status.reblogs_count, 'boost')}, ${counted(status.favourites_count, 'favourite')}`,
    state: reviewState(status.requires_review),
  }),
});

const KINDS = ['tags', 'links', 'links/publishers', 'statuses'] as const;

/** The trends, for review by staff. */
export const trendPages: readonly WebPage[] = [
  tagsPage,
  linksPage,
  publishersPage,
  statusesPage,
  ...KINDS.flatMap((kind) => [
    action(`POST v1/admin/trends/${kind}/:id/approve`, { notice: 'trend_approved' }),
    action(`POST v1/admin/trends/${kind}/:id/reject`, { notice: 'trend_rejected' }),
  ]),
];
