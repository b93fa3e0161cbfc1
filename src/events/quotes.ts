import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { id, url } from './common.ts';

/*
 * The history of a quote after the quoting post was written, in the stream of that post. `id` and
 * `account_id` are the quoting post and its author. The author of the quoted post decides:
 * https://w3id.org/fep/044f
 */

const quote = { id, account_id: id, quoted_id: id, quoted_account_id: id };
const sample = {
  id: '115500000000000000',
  account_id: '109500000000000000',
  quoted_id: '115400000000000000',
  quoted_account_id: '109500000000000002',
};

/** The event names a quote authorization. It is not verified yet; its revocation finds the quote by it. */
export const QuoteProposed = defineEvent({
  type: 'QuoteProposed',
  version: 1,
  schema: z.object({ ...quote, authorization: url }),
  samples: { 1: { ...sample, authorization: 'https://far.example/users/carol/quote_authorizations/1' } },
});

/** The author of the quoted post agreed. `accept_id` is the id of the resulting notification. */
export const QuoteAccepted = defineEvent({
  type: 'QuoteAccepted',
  version: 1,
  schema: z.object({
    ...quote,
    accept_id: id,
    /** Whether the quoting post is local. */
    local: z.boolean(),
  }),
  samples: { 1: { ...sample, accept_id: '115500000000000012', local: false } },
});

/** The author of the quoted post refused. */
export const QuoteRejected = defineEvent({
  type: 'QuoteRejected',
  version: 1,
  schema: z.object(quote),
  samples: { 1: sample },
});

/** The author of the quoted post revoked the permission. */
export const QuoteRevoked = defineEvent({
  type: 'QuoteRevoked',
  version: 1,
  schema: z.object(quote),
  samples: { 1: sample },
});

export const quoteEvents = [QuoteProposed, QuoteAccepted, QuoteRejected, QuoteRevoked];
export type QuoteEvent = EventOf<(typeof quoteEvents)[number]>;
