import { emptyState, pageHead, tabs } from '#interfaces/web/design/components.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { personItem, personList } from '#interfaces/web/entities/person.ts';
import { statusItems } from '#interfaces/web/entities/status.ts';
import { tagItem } from '#interfaces/web/entities/tag.ts';
import type { View } from '#interfaces/web/entities/view.ts';
import { problemBox } from '#interfaces/web/page/forms.ts';
import { openPage, type WebRequest, type WebResponse } from '#interfaces/web/page/page.ts';
import { offsetIn, olderLink } from '#interfaces/web/page/paging.ts';
import { viewOf } from '#interfaces/web/page/request-view.ts';
import { isRookeryError } from '#kernel/errors.ts';
import type { Collection, Search } from '#mastodon/schemas/index.ts';
import { orSignIn } from '../members.ts';
import { searchForm, syntaxHint } from './form.ts';

type Kind = 'accounts' | 'hashtags' | 'statuses';

const KINDS: readonly { kind: Kind | ''; text: string }[] = [
  { kind: '', text: 'All' },
  { kind: 'accounts', text: 'People' },
  { kind: 'hashtags', text: 'Hashtags' },
  { kind: 'statuses', text: 'Posts' },
];
/** Results of each kind on the page of all kinds, and of one kind on its own page. */
const SOME = 5;
const MANY = 20;
/** The longest text that counts, in UTF-16 units. */
const LONGEST = 500;

/** Mastodon's web client names the kinds otherwise in its addresses; unknown ones mean all. */
const kindOf = (query: URLSearchParams): Kind | '' =>
  KINDS.find(({ kind }) => kind === query.get('type'))?.kind ?? '';

const addressOf = (q: string, kind: Kind | ''): string =>
  `/search?${new URLSearchParams(kind === '' ? { q } : { q, type: kind }).toString()}`;

/** `/search?q=&type=`: people, hashtags and posts. Other servers are asked for users only. */
export const searchPage = openPage({
  path: '/search',
  show: (request) => orSignIn(request, () => show(request)),
});

async function show(request: WebRequest): Promise<WebResponse> {
  const q = (request.query.get('q') ?? '').trim().slice(0, LONGEST);
  const kind = kindOf(request.query);
  const { found, status } = q === '' ? NOT_YET : await findOrSayWhy(request, q, kind);
  if (request.wantsFragment && found) return { fragment: found, status };
  const links = KINDS.map((each) => ({ href: addressOf(q, each.kind), text: each.text }));
  return {
    title: q === '' ? 'Search' : `Search: ${q}`,
    status,
    hidden: true,
    body: html`${pageHead('Search')} ${searchForm(q, kind)}
    ${found ? html`${tabs('Kinds of results', links, addressOf(q, kind))} ${found}` : syntaxHint(request)}`,
  };
}

interface Result {
  found: Html | undefined;
  status: number;
}

const NOT_YET: Result = { found: undefined, status: 200 };

/** Searches. A search that cannot be understood is explained, and stays in the field. */
async function findOrSayWhy(request: WebRequest, q: string, kind: Kind | ''): Promise<Result> {
  try {
    return { found: await find(request, q, kind), status: 200 };
  } catch (error) {
    if (!isRookeryError(error)) throw error;
    if (error.code === 'invalid') {
      return { found: problemBox({ problems: [error.message] }) || undefined, status: 422 };
    }
    // No account of that name is known: `from:nobody`.
    if (error.code === 'not_found') return { found: nothingFound(request), status: 200 };
    throw error;
  }
}

async function find(request: WebRequest, q: string, kind: Kind | ''): Promise<Html> {
  const { user } = request;
  const place = user && kind !== '' ? offsetIn(request.query) : {};
  const { entity } = await request.api('GET v2/search', {
    query: {
      q,
      ...place,
      limit: kind === '' ? SOME : MANY,
      ...(kind !== '' && { type: kind }),
      ...(user && !('offset' in place) && { resolve: true }),
    },
  });
  return kind === '' ? allOf(request, entity, q) : manyOf(request, entity, kind);
}

function allOf(request: WebRequest, found: Search, q: string): Html {
  const view = viewOf(request);
  const sections = KINDS.flatMap(({ kind, text }) => {
    if (kind === '' || found[kind].length === 0) return [];
    const more = found[kind].length >= SOME && html`<a href="${addressOf(q, kind)}">More</a>`;
    return [
      html`<section aria-labelledby="found-${kind}">
        <div class="section-head">
          <h2 id="found-${kind}">${text}</h2>
          ${more}
        </div>
        ${listOf(found, kind, view)}
      </section>`,
    ];
  });
  if (found.collections.length > 0) sections.push(collectionsOf(found.collections));
  return sections.length === 0 ? nothingFound(request) : html`${sections}`;
}

function manyOf(request: WebRequest, found: Search, kind: Kind): Html {
  const { [kind]: items } = found;
  const view = viewOf(request);
  if (items.length === 0) return nothingFound(request);
  const offset = Number(offsetIn(request.query)['offset'] ?? 0);
  const next = view.user && items.length >= MANY ? { offset: String(offset + MANY) } : undefined;
  return html`${listOf(found, kind, view)} ${olderLink(request, next, ['First results', 'More results'])}`;
}

function listOf({ accounts, hashtags, statuses }: Search, kind: Kind, view: View): Html {
  if (kind === 'accounts') {
    const items = accounts.map((account) => personItem(account, view, { note: true }));
    return personList(items, { icon: 'users', text: 'Nobody was found.' });
  }
  const items = kind === 'hashtags' ? hashtags.map(tagItem) : statusItems(statuses, view);
  return html`<div class="feed">${items}</div>`;
}

const collectionsOf = (collections: readonly Collection[]): Html =>
  html`<section aria-labelledby="found-collections">
    <h2 id="found-collections">Collections</h2>
    <ul class="box">
      ${collections.map(({ id, name }) => html`<li><a href="/collections/${id}" dir="auto">${name}</a></li> `)}
    </ul>
  </section>`;

const nothingFound = ({ user, query }: WebRequest): Html =>
  emptyState({
    icon: 'search',
    text: query.has('offset') ? 'There are no more results.' : 'Nothing was found.',
    more: html`<p class="quiet">
      ${
        user
          ? 'Check the spelling, or paste the whole address of a person or post on another server.'
          : 'Sign in to find posts, and people on other servers.'
      }
    </p>`,
  });
