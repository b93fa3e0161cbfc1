import { accountFollowers, accountFollowing, showAccount } from '#queries/accounts/index.ts';
import { html } from '../design/html.ts';
import { type FollowsList, followsPage, followsTitle } from '../entities/follows-page.ts';
import { personItem } from '../entities/person.ts';
import { strangersView } from '../entities/view.ts';
import { callEndpoint } from '../page/call-endpoint.ts';
import {
  ownAccount,
  pageLinks,
  pageParametersIn,
  type PageRequest,
  type PageResponse,
} from './page-request.ts';
import { redirectToRemoteAccount } from './remote-redirects.ts';

const ENDPOINTS = { followers: accountFollowers, following: accountFollowing };

/** `GET /@:name/followers` */
export const showFollowers = (request: PageRequest): Promise<PageResponse> => follows(request, 'followers');

/** `GET /@:name/following` */
export const showFollowing = (request: PageRequest): Promise<PageResponse> => follows(request, 'following');

async function follows(request: PageRequest, list: FollowsList): Promise<PageResponse> {
  const { ctx, query, params: path } = request;
  if (path['name']?.includes('@') === true) return redirectToRemoteAccount(request);
  const { id, url } = await ownAccount(request);
  const params = { id };
  const page = pageParametersIn(query);
  const [{ entity: account }, { entity: people, next }] = await Promise.all([
    callEndpoint(ctx, showAccount, { params }),
    callEndpoint(ctx, ENDPOINTS[list], { params, query: page }),
  ]);
  const view = strangersView(ctx);
  const items = people.map((person) => personItem(person, view));
  return {
    title: followsTitle(account, list),
    hidden: true,
    body: html`${followsPage(account, list, items, view)} ${pageLinks(`${url}/${list}`, query, next)}`,
  };
}
