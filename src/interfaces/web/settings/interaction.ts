import { followAs } from '../../../../commands/accounts/index.ts';
import { relationshipOf, showAccount } from '../../../../queries/accounts/index.ts';
import type { Account, Relationship, Status } from '../../../mastodon/schemas/index.ts';
import { showStatus } from '../../../../queries/statuses/index.ts';
import type { Resolved } from '../../../kernel/services/federation.ts';
import { isRookeryError, notFound } from '../../../kernel/errors.ts';
import { isId } from '../../../kernel/ids.ts';
import { handleOf } from '../entities/addresses.ts';
import { replyOf } from '../page/call-endpoint.ts';
import { html, type Html, type Part } from '../design/html.ts';
import { byline } from '../entities/byline.ts';
import { statusItem } from '../entities/status.ts';
import { withEmojis } from '../entities/texts.ts';
import { button, form } from '../page/forms.ts';
import { settingsPage } from '../page/layout.ts';
import { saying } from '../page/notices.ts';
import { userPage, type WebResponse, type Tried, type SignedInRequest } from '../page/page.ts';
import { strangersView } from '../entities/view.ts';

const INTERACTION = '/authorize_interaction';
/** Longer text is no URI. UTF-16 units. */
const MAX_URI = 2_048;

/**
 * The address to which other servers send a local user who wants to follow an account there, or to interact
 * with a post: WebFinger names it. https://docs.joinmastodon.org/spec/webfinger/
 */
export const interactionPage = userPage({
  path: INTERACTION,
  acts: true,
  show: showInteraction,
  submit: async ({ ctx, user }, { uri = '', account_id: id = '' }) => {
    if (!isId(id)) throw notFound();
    await followAs(ctx, user.account_id, id, {});
    return { redirect: saying(`${INTERACTION}?uri=${encodeURIComponent(uri)}`, 'followed') };
  },
});

async function showInteraction(request: SignedInRequest, tried?: Tried): Promise<WebResponse> {
  const { ctx, query } = request;
  // Some servers send `acct`, with or without the scheme.
  const uri = (tried?.fields['uri'] ?? query.get('uri') ?? query.get('acct') ?? '')
    .trim()
    .replace(/^acct:/i, '');
  if (uri === '' || uri.length > MAX_URI) {
    return said(request, 400, 'The address has to name an account or a post, as in ?uri=https://…');
  }
  const found = await ctx.services.resolver.resolve(uri);
  const shown = found && (await boxesOf(request, uri, found).catch(unlessHidden));
  if (!shown)
    return said(request, 404, 'No account and no post was found at this address, or it is not for you.');
  return settingsPage(request, shown.title, shown.boxes, tried);
}

const said = (request: SignedInRequest, status: number, text: string): WebResponse => ({
  ...settingsPage(request, 'Nothing to see', [html`<p>${text}</p>`]),
  status,
});

interface Shown {
  title: string;
  boxes: Part[];
}

async function boxesOf(request: SignedInRequest, uri: string, found: Resolved): Promise<Shown> {
  const { ctx } = request;
  if (found.account !== undefined) {
    const { entity } = await replyOf<Account>(ctx, showAccount, { params: { id: found.account } });
    const note = html`<div class="content" dir="auto">${withEmojis(entity.note, entity.emojis)}</div>`;
    return { title: 'Follow', boxes: [await accountBox(request, uri, entity, note)] };
  }
  const { entity } = await replyOf<Status>(ctx, showStatus, { params: { id: found.status ?? '' } });
  const hint = html`<p>To favourite, repost or answer this post, look for its address in your app:</p>
    <p><code>${uri}</code></p>`;
  return {
    title: 'Post',
    boxes: [statusItem(entity, strangersView(ctx)), hint, await accountBox(request, uri, entity.account)],
  };
}

async function accountBox(
  request: SignedInRequest,
  uri: string,
  account: Account,
  note?: Html,
): Promise<Html> {
  const { ctx, user } = request;
  const who = byline(account, strangersView(ctx));
  if (account.id === user.account_id)
    return html`${who}
      <p>This is your own account.</p>`;
  const relationship = await relationshipOf({ db: ctx.db, token: undefined, viewer: user }, account.id);
  return html`${who}${note}${wayToFollow(request, uri, account, relationship)}`;
}

function wayToFollow(
  request: SignedInRequest,
  uri: string,
  account: Account,
  relationship: Relationship,
): Html {
  if (relationship.following) return html`<p>You follow this account.</p>`;
  if (relationship.requested) return html`<p>You have asked to follow this account.</p>`;
  const label = `${account.locked ? 'Ask to follow' : 'Follow'} ${handleOf(account, request.ctx.instance)}`;
  return form(request, button(label), { hidden: { uri, account_id: account.id } });
}

/** A hidden post gets the reply of a missing one. */
function unlessHidden(error: unknown): undefined {
  if (isRookeryError(error) && ['not_found', 'gone'].includes(error.code)) return undefined;
  throw error;
}
