import { z } from 'zod';
import { defineEvent } from '../kernel/event.ts';
import { id, url } from './common.ts';
import { MAX_UNRESOLVED_MENTIONS, mention } from './status-content.ts';

/**
 * Accounts that a post of another server mentions became known after it; in the stream of the post. `uris` is what the post calls them,
 * which its `unresolved_mentions` hold no longer.
 */
export const MentionsResolved = defineEvent({
  type: 'MentionsResolved',
  version: 1,
  schema: z.object({
    id,
    account_id: id,
    uris: z.array(url).max(MAX_UNRESOLVED_MENTIONS),
    mentions: z.array(mention).max(MAX_UNRESOLVED_MENTIONS),
  }),
  samples: {
    1: {
      id: '115500000000000000',
      account_id: '109500000000000000',
      uris: ['https://wide.example/users/holly'],
      mentions: [
        {
          id: '109500000000000003',
          username: 'holly',
          acct: 'holly@wide.example',
          url: 'https://wide.example/@holly',
        },
      ],
    },
  },
});
