import { z } from 'zod';
import { defineEvent } from '#kernel/event.ts';
import { id } from './common.ts';
import { statusData } from './status-content.ts';
import { personal, sample } from './status-samples.ts';

/**
 * A local user replies to a post of another server whose author has to approve it: in the stream of the reply, before its
 * `StatusCreated`. Until then the author of the reply alone sees it.
 */
export const ReplyRequested = defineEvent({
  type: 'ReplyRequested',
  version: 1,
  schema: statusData.extend({
    /** The author who decides. */
    asked_account_id: id,
    /** Asked by a `ReplyRequest`; older servers are sent the reply itself. */
    polite: z.boolean(),
  }),
  personal,
  samples: {
    1: {
      ...sample,
      id: '115500000000000031',
      poll: null,
      in_reply_to_id: '115400000000000000',
      in_reply_to_account_id: '109500000000000002',
      asked_account_id: '109500000000000002',
      polite: true,
    },
  },
});

/** The reply will not be approved: its author deleted it, or the asked author rejected it. */
export const ReplyRequestEnded = defineEvent({
  type: 'ReplyRequestEnded',
  version: 1,
  schema: z.object({ id, account_id: id, asked_account_id: id, reason: z.enum(['withdrawn', 'rejected']) }),
  samples: {
    1: {
      id: '115500000000000031',
      account_id: '109500000000000000',
      asked_account_id: '109500000000000002',
      reason: 'rejected',
    },
  },
});
