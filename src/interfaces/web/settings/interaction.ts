import { isRookeryError } from '#kernel/errors.ts';
import type { Resolved } from '#kernel/services/federation.ts';
import { showAccount } from '#queries/accounts/index.ts';
import { showStatus } from '#queries/statuses/index.ts';
import { html } from '../design/html.ts';
import { profilePath, statusPath } from '../entities/addresses.ts';
import { replyOf } from '../page/call-endpoint.ts';
import { settingsPage } from '../page/layout.ts';
import { type SignedInRequest, userPage, type WebResponse } from '../page/page.ts';

/** Longer text is no URI. UTF-16 units. */
const MAX_URI = 2_048;

/**
 * The address to which other servers send a local user who wants to follow an account there, or to interact
 * with a post: WebFinger names it. The page of the account or post has the buttons for that; nothing happens
 * before one is pressed. https://docs.joinmastodon.org/spec/webfinger/
 */
export const interactionPage = userPage({
  path: '/authorize_interaction',
  show: async (request) => {
    const { ctx, query } = request;
    // Some servers send `acct`, with or without the scheme.
    const uri = (query.get('uri') ?? query.get('acct') ?? '').trim().replace(/^acct:/i, '');
    if (uri === '' || uri.length > MAX_URI) {
      return said(request, 400, 'The address has to name an account or a post, as in ?uri=https://…');
    }
    const found = await ctx.services.resolver.resolve(uri);
    const redirect = found && (await pageOf(request, found).catch(unlessHidden));
    return redirect === undefined
      ? said(request, 404, 'No account and no post was found at this address, or it is not for you.')
      : { redirect };
  },
});

const said = (request: SignedInRequest, status: number, text: string): WebResponse => ({
  ...settingsPage(request, 'Nothing to see', [html`<p>${text}</p>`]),
  status,
});

/** Returns the page of an account or a post, as the user may see it. */
async function pageOf({ ctx }: SignedInRequest, { account, status = '' }: Resolved): Promise<string> {
  if (account !== undefined) {
    const { entity } = await replyOf(ctx, showAccount, { params: { id: account } });
    return profilePath(entity);
  }
  const { entity } = await replyOf(ctx, showStatus, { params: { id: status } });
  return statusPath(entity);
}

/** A hidden post gets the reply of a missing one. */
function unlessHidden(error: unknown): undefined {
  if (isRookeryError(error) && ['not_found', 'gone'].includes(error.code)) return undefined;
  throw error;
}
