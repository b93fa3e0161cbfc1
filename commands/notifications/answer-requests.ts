import { z } from 'zod';
import { notificationRequestStream } from '#events/notifications.ts';
import type { UserContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { idList, idParams } from '#kernel/input.ts';
import { MAIN, NOTIFICATIONS } from '#kernel/projection.ts';
import { type PendingRequest, pendingRequests } from '#queries/notifications/index.ts';
import { appendOnce } from './put-away.ts';

/** Omits further ids; apps answer the requests that they show, which is one page. */
const MAX_IDS = 100;

type RequestDecision = 'NotificationRequestAccepted' | 'NotificationRequestDismissed';

const answerEndpoint = {
  method: 'POST',
  auth: 'user',
  scopes: ['write:notifications'],
  reads: [MAIN, NOTIFICATIONS],
  reply: z.strictObject({}),
} as const;

const one = <const Path extends string>(path: Path, summary: string, answer: RequestDecision) =>
  endpoint({
    ...answerEndpoint,
    path,
    summary,
    params: idParams,
    handler: async (ctx, { params }) => {
      const [request] = await pendingRequests(ctx, [params.id]);
      if (!request) throw notFound();
      await answerRequest(ctx, request, answer);
      return { json: {} };
    },
  });

/** Skips ids that are no requests. A stop leaves the rest unanswered, and a repeat answers these. */
const several = <const Path extends string>(path: Path, summary: string, answer: RequestDecision) =>
  endpoint({
    ...answerEndpoint,
    path,
    summary,
    body: z.object({
      id: idList(MAX_IDS).describe(
        `IDs of notification requests, of which the first ${MAX_IDS} count; unknown ones are ignored.`,
      ),
    }),
    handler: async (ctx, { body }) => {
      const requests = await pendingRequests(ctx, body.id);
      await Promise.all(requests.map((request) => answerRequest(ctx, request, answer)));
      return { json: {} };
    },
  });

/** https://docs.joinmastodon.org/methods/notifications/#accept-multiple-requests */
export const acceptRequests = several(
  '/api/v1/notifications/requests/accept',
  'Accept requests',
  'NotificationRequestAccepted',
);
/** https://docs.joinmastodon.org/methods/notifications/#dismiss-multiple-requests */
export const dismissRequests = several(
  '/api/v1/notifications/requests/dismiss',
  'Dismiss requests',
  'NotificationRequestDismissed',
);
/** https://docs.joinmastodon.org/methods/notifications/#accept-request */
export const acceptRequest = one(
  '/api/v1/notifications/requests/:id/accept',
  'Accept a request',
  'NotificationRequestAccepted',
);
/** https://docs.joinmastodon.org/methods/notifications/#dismiss-request */
export const dismissRequest = one(
  '/api/v1/notifications/requests/:id/dismiss',
  'Dismiss a request',
  'NotificationRequestDismissed',
);

/** Each request is answered once, in a stream of its own. */
async function answerRequest(
  ctx: UserContext,
  { id: request_id, from_account_id }: PendingRequest,
  type: RequestDecision,
): Promise<void> {
  const account_id = ctx.viewer.account_id;
  await appendOnce(ctx, notificationRequestStream(account_id, request_id), {
    type,
    data: { account_id, from_account_id, request_id },
  });
}
