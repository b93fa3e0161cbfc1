import { html } from '#interfaces/web/design/html.ts';
import { type FollowsList, followsPage, followsTitle } from '#interfaces/web/entities/follows-page.ts';
import { noticeBox } from '#interfaces/web/page/notices.ts';
import { type SignedInRequest, userPage, type WebPage, type WebResponse } from '#interfaces/web/page/page.ts';
import { olderLink, placeIn } from '#interfaces/web/page/paging.ts';
import { viewOf } from '#interfaces/web/page/request-view.ts';
import { accountAt, peopleToFollow } from './account.ts';

const LISTS: readonly FollowsList[] = ['followers', 'following'];

/** `/@:name/followers` and `/@:name/following`; without a name, those of the user. */
export const followsPages: readonly WebPage[] = LISTS.flatMap((list) => [
  userPage({ path: `/@:name/${list}`, orPublic: true, show: (request) => show(request, list) }),
  userPage({ path: `/${list}`, show: ({ user }) => ({ redirect: `/@${user.username}/${list}` }) }),
]);

async function show(request: SignedInRequest<{ name: string }>, list: FollowsList): Promise<WebResponse> {
  const account = await accountAt(request);
  const { entity, next } = await request.api(`GET v1/accounts/:id/${list}`, {
    params: { id: account.id },
    query: placeIn(request.query),
  });
  const items = await peopleToFollow(request, entity);
  return {
    title: followsTitle(account, list),
    hidden: true,
    body: html`${noticeBox(request)} ${followsPage(account, list, items, viewOf(request))}
    ${olderLink(request, next)}`,
  };
}
