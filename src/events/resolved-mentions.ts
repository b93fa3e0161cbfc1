import { z } from 'zod';
import { defineEvent } from '#kernel/event.ts';
import { id, url } from './common.ts';
import { MAX_UNRESOLVED_MENTIONS, mention } from './status-content.ts';

const sample = {
  id: '115500000000000000',
  account_id: '109500000000000000',
  mentions: [
    {
      id: '109500000000000003',
      username: 'holly',
      acct: 'holly@wide.example',
      url: 'https://wide.example/@holly',
    },
  ],
};

/**
 * Accounts that a post mentions became known after it; in the stream of the post. `uris` is what the post calls them, which its
 * `unresolved_mentions` hold no longer.
 */
export const MentionsResolved = defineEvent({
  type: 'MentionsResolved',
  version: 2,
  schema: z.object({
    id,
    account_id: id,
    uris: z.array(url).max(MAX_UNRESOLVED_MENTIONS),
    mentions: z.array(mention).max(MAX_UNRESOLVED_MENTIONS),
    /** The HTML of a local post, in which they are links. */
    content: z.string().max(500_000).optional(),
  }),
  // Version 2 added local posts.
  upcasts: { 1: (data) => data },
  personal: { subject: ({ account_id }: { account_id: string }) => account_id, erased: { content: '' } },
  samples: {
    1: { ...sample, uris: ['https://wide.example/users/holly'] },
    2: { ...sample, uris: ['acct:holly@wide.example'], content: '<p>Hello Holly</p>' },
  },
});
