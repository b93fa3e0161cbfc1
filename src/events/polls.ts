import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { id, time } from './common.ts';

/** One account's vote in one poll: the name of the stream makes it unique. */
export const voteStream = (pollId: string, accountId: string): string => `vote-${pollId}-${accountId}`;

/**
 * `choices` are indexes into the poll's options; `poll_id` is the id of the asking post, not the public one.
 */
export const VoteCast = defineEvent({
  type: 'VoteCast',
  version: 3,
  schema: z.object({
    id,
    poll_id: id,
    status_id: id,
    account_id: id,
    choices: z.array(z.number().int().min(0).max(499)).min(1).max(500),
    cast_at: time,
    /** A further choice of an account that voted before: other servers send each choice separately. */
    more: z.literal(true).optional(),
    /** The site of a remote voter who was first known here after the poll was posted; not in later choices of the same voter. */
    stranger_of: z.string().min(1).max(260).optional(),
  }),
  upcasts: { 1: (data) => data, 2: (data) => data },
  samples: {
    1: {
      id: '115500000000000030',
      poll_id: '115500000000000001',
      status_id: '115500000000000000',
      account_id: '109500000000000002',
      choices: [0],
      cast_at: '2026-11-21T09:00:00.000Z',
    },
    2: {
      id: '115500000000000031',
      poll_id: '115500000000000001',
      status_id: '115500000000000000',
      account_id: '109500000000000002',
      choices: [1],
      cast_at: '2026-11-21T09:00:01.000Z',
      more: true,
    },
    3: {
      id: '115500000000000032',
      poll_id: '115500000000000001',
      status_id: '115500000000000000',
      account_id: '115500000000000009',
      choices: [1],
      cast_at: '2026-11-21T09:00:02.000Z',
      stranger_of: 'other.example',
    },
  },
});

export const pollEvents = [VoteCast];
export type PollEvent = EventOf<typeof VoteCast>;
