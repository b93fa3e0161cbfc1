import { z } from 'zod';
import { defineEvent } from '#kernel/event.ts';
import { visibility } from './accounts.ts';
import { id, language } from './common.ts';

/**
 * A post of another server answers a post that became known after it; in the stream of the reply. The reply waits for its
 * `in_reply_to_uri` no longer.
 */
export const ReplyLinked = defineEvent({
  type: 'ReplyLinked',
  version: 1,
  schema: z.object({
    id,
    account_id: id,
    /** The id of the notifications that it brings. */
    link_id: id,
    in_reply_to_id: id,
    in_reply_to_account_id: id,
    /** The thread of the reply from then on, and of all that answers it. Its own id: the thread stays as it was. */
    conversation_id: id,
    visibility,
    language: language.nullable(),
  }),
  samples: {
    1: {
      id: '115500000000000000',
      account_id: '109500000000000000',
      link_id: '115500000000000013',
      in_reply_to_id: '115400000000000000',
      in_reply_to_account_id: '109500000000000002',
      conversation_id: '115400000000000000',
      visibility: 'public',
      language: 'en',
    },
  },
});
