import type { EndpointName } from '#interfaces/http/own-calls.ts';
import { statusItem } from '#interfaces/web/entities/status.ts';
import { action } from '#interfaces/web/page/action.ts';
import type { WebPage } from '#interfaces/web/page/page.ts';
import { viewOf } from '#interfaces/web/page/request-view.ts';
import { invalid } from '#kernel/errors.ts';
import type { JsonObject } from '#kernel/event.ts';
import type { Poll, Status } from '#mastodon/schemas/index.ts';
import { actionsPage } from './actions-page.ts';
import { listsOfPost } from './lists.ts';
import { onePost } from './one.ts';
import { revokeQuotePage } from './revoke-quote.ts';
import { threadPage } from './thread.ts';

/** Acts on a post; the script puts the changed post in the place of the old one. */
const onStatus = (name: EndpointName): WebPage =>
  action<Status>(name, {
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
  onStatus('POST v1/statuses/:id/favourite'),
  onStatus('POST v1/statuses/:id/unfavourite'),
  onStatus('POST v1/statuses/:id/reblog'),
  onStatus('POST v1/statuses/:id/unreblog'),
  onStatus('POST v1/statuses/:id/bookmark'),
  onStatus('POST v1/statuses/:id/unbookmark'),
  onePost,
  action<Status>('POST v1/statuses/:id/mute', { notice: 'conversation_muted' }),
  action<Status>('POST v1/statuses/:id/unmute', { notice: 'conversation_unmuted' }),
  action<Status>('POST v1/statuses/:id/pin', { notice: 'pinned' }),
  action<Status>('POST v1/statuses/:id/unpin', { notice: 'unpinned' }),
  action<Status>('PUT v1/statuses/:id/interaction_policy', { notice: 'quote_policy' }),
  action<Poll>('POST v1/polls/:id/votes', { anchor: ({ id = '' }) => `p${id}`, body: choicesIn }),
  threadPage,
  actionsPage,
  revokeQuotePage,
  ...listsOfPost,
];
