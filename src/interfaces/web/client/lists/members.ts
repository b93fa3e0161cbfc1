import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import { byline, plainName } from '#interfaces/web/entities/byline.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import { olderLink, placeIn } from '#interfaces/web/page/paging.ts';
import { viewOf } from '#interfaces/web/page/request-view.ts';
import type { Account } from '#mastodon/schemas/index.ts';

/** Results of a search among the followed accounts. */
const FOUND = 20;
/** UTF-16 units. */
const MAX_QUERY = 100;

/** Renders the members of a list; with `?q=`, followed accounts to add, too. */
export async function membersOf(request: SignedInRequest, id: string): Promise<Html> {
  const { api, query } = request;
  const sought = (query.get('q') ?? '').trim().slice(0, MAX_QUERY);
  const params = { id };
  // A search needs all members, to tell who is one already.
  const [{ entity: members, next }, found] = await Promise.all([
    api('GET v1/lists/:id/accounts', { params, query: sought === '' ? placeIn(query) : { limit: 0 } }),
    sought === '' ? undefined : foundFollowed(request, sought),
  ]);
  return html`<section class="box">
    <h2>Members</h2>
    <form action="${request.path}" class="search-row">
      <label for="q">Search among people you follow</label>
      <div class="buttons">
        <input type="search" id="q" name="q" value="${sought}" maxlength="${MAX_QUERY}" />
        <button class="plain">${icon('search')}Search</button>
      </div>
    </form>
    ${found ? results(found, members, request, id) : memberList(members, request, id)}
    ${!found && olderLink(request, members.length === 0 ? undefined : next)}
  </section>`;
}

const foundFollowed = async ({ api }: SignedInRequest, q: string): Promise<Account[]> =>
  (await api('GET v1/accounts/search', { query: { q, following: true, limit: FOUND } })).entity;

function results(
  found: readonly Account[],
  members: readonly Account[],
  request: SignedInRequest,
  id: string,
): Html {
  const inside = new Set(members.map((each) => each.id));
  return html`<h3>People you follow</h3>
    ${
      found.length === 0
        ? html`<p class="quiet">
            Nobody that you follow matches. Only people that you follow can be members.
          </p>`
        : rows(found, request, id, (each) => inside.has(each.id))
    }
    <p><a href="${request.path}">Back to the members</a></p>`;
}

const memberList = (members: readonly Account[], request: SignedInRequest, id: string): Html =>
  members.length === 0
    ? html`<p class="quiet">There are no members yet. Search for people that you follow, and add them.</p>`
    : rows(members, request, id, () => true);

const rows = (
  accounts: readonly Account[],
  request: SignedInRequest,
  id: string,
  isMember: (account: Account) => boolean,
): Html => {
  const view = viewOf(request);
  return html`<ul class="people">
    ${accounts.map(
      (each) =>
        html`<li class="item-head">${byline(each, view)} ${memberButton(each, id, isMember(each))}</li>`,
    )}
  </ul>`;
};

const memberButton = (account: Account, id: string, member: boolean): Html =>
  html`<button
    form="act"
    formaction="/web/v1/lists/${id}/accounts${member && '/delete'}"
    name="account_ids[]"
    value="${account.id}"
    class="small${member && ' plain'}"
  >
    ${icon(member ? 'x' : 'plus')}<span
      >${member ? 'Remove' : 'Add'}<span class="hush"> ${plainName(account)}</span></span
    >
  </button>`;
