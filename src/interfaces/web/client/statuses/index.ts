import { statusItem } from '#interfaces/web/entities/status.ts';
import { action } from '#interfaces/web/page/action.ts';
import type { WebPage } from '#interfaces/web/page/page.ts';
import { viewOf } from '#interfaces/web/page/request-view.ts';
import { invalid } from '#kernel/errors.ts';
import type { JsonObject } from '#kernel/event.ts';
import { actionsPage } from './actions-page.ts';
import { listsOfPost } from './lists.ts';
import { onePost } from './one.ts';
import { revokeQuotePage } from './revoke-quote.ts';
import { threadPage } from './thread.ts';

type Act = 'favourite' | 'unfavourite' | 'reblog' | 'unreblog' | 'bookmark' | 'unbookmark';

/** Acts on a post; the script puts the changed post in the place of the old one. */
const onStatus = (act: Act): WebPage =>
  action(`POST v1/statuses/:id/${act}`, {
    fragment: (status, request) => statusItem(status.reblog ?? status, viewOf(request)),
    anchor: ({ id = '' }) => `s${id}`,
  });

/** Browsers cannot demand one of several checkboxes. @throws RookeryError `invalid` without a choice */
function choicesIn({ choices }: JsonObject): JsonObject {
  if (!Array.isArray(choices) || choices.length === 0) throw invalid('Choose an option first.');
  return { choices };
}

/** Buttons of posts, and pages about one post. */
export const statusPages: readonly WebPage[] = [
  onStatus('favourite'),
  onStatus('unfavourite'),
  onStatus('reblog'),
  onStatus('unreblog'),
  onStatus('bookmark'),
  onStatus('unbookmark'),
  onePost,
  action('POST v1/statuses/:id/mute', { notice: 'conversation_muted' }),
  action('POST v1/statuses/:id/unmute', { notice: 'conversation_unmuted' }),
  action('POST v1/statuses/:id/pin', { notice: 'pinned' }),
  action('POST v1/statuses/:id/unpin', { notice: 'unpinned' }),
  action('PUT v1/statuses/:id/interaction_policy', { notice: 'quote_policy' }),
  action('POST v1/polls/:id/votes', { anchor: ({ id = '' }) => `p${id}`, body: choicesIn }),
  threadPage,
  actionsPage,
  revokeQuotePage,
  ...listsOfPost,
];
