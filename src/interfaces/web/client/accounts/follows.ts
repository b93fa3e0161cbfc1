import { html } from '../../design/html.ts';
import { followsPage, followsTitle, type FollowsList } from '../../entities/follows-page.ts';
import { noticeBox } from '../../page/notices.ts';
import { userPage, type SignedInRequest, type WebPage, type WebResponse } from '../../page/page.ts';
import { viewOf } from '../../page/request-view.ts';
import { olderLink, placeIn } from '../paging.ts';
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
