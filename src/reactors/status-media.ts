import { settleMedia } from '../../commands/statuses/index.ts';
import { ReplyRequestEnded, StatusDeleted, StatusEdited } from '../events/statuses.ts';
import { reactor } from '../kernel/reactor.ts';

/** Frees the uploads that a post has no longer; they are removed after a day. */
export const settleStatusMedia = reactor({
  name: 'status-media',
  on: [StatusEdited, StatusDeleted, ReplyRequestEnded],
  react: (ctx, { type, data }) =>
    settleMedia(ctx, data.id, type === 'StatusEdited' ? data.edit_id : undefined),
});
