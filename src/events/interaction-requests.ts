import { z } from 'zod';
import { defineEvent } from '#kernel/event.ts';
import { visibility } from './accounts.ts';
import { id, time, url } from './common.ts';

/*
 * Favourites and reblogs that wait for approval by the author of a remote post, in the stream of the
 * interaction. `id` is that of the favourite or reblog.
 */

const request = { id, account_id: id, status_id: id, status_account_id: id };
const sample = {
  id: '115500000000000032',
  account_id: '109500000000000002',
  status_id: '115500000000000000',
  status_account_id: '109500000000000000',
};
/** Sent as a `LikeRequest` or an `AnnounceRequest`; older servers receive the interaction itself. */
const polite = z.boolean();
const reason = z.enum(['withdrawn', 'rejected']);

export const FavouriteRequested = defineEvent({
  type: 'FavouriteRequested',
  version: 1,
  schema: z.object({ ...request, polite }),
  samples: { 1: { ...sample, polite: true } },
});

export const FavouriteRequestEnded = defineEvent({
  type: 'FavouriteRequestEnded',
  version: 1,
  schema: z.object({ ...request, reason }),
  samples: { 1: { ...sample, reason: 'withdrawn' } },
});

export const ReblogRequested = defineEvent({
  type: 'ReblogRequested',
  version: 1,
  schema: z.object({ ...request, visibility, created_at: time, local: z.boolean(), uri: url, polite }),
  samples: {
    1: {
      ...sample,
      visibility: 'public',
      created_at: '2026-11-21T08:10:00.000Z',
      local: true,
      polite: true,
      uri: 'https://rookery.example/users/bob/statuses/115500000000000032/activity',
    },
  },
});

export const ReblogRequestEnded = defineEvent({
  type: 'ReblogRequestEnded',
  version: 1,
  schema: z.object({ ...request, reason }),
  samples: { 1: { ...sample, reason: 'rejected' } },
});
