import { z } from 'zod';
import { id } from './shared.ts';

export const quoteStateSchema = z.enum([
  'pending',
  'accepted',
  'rejected',
  'revoked',
  'deleted',
  'unauthorized',
  'blocked_account',
  'blocked_domain',
  'muted_account',
]);
/** A quote inside a quote, without its status: https://docs.joinmastodon.org/entities/ShallowQuote/ */
export const shallowQuoteSchema = z
  .strictObject({ state: quoteStateSchema, quoted_status_id: id.nullable() })
  .meta({ id: 'ShallowQuote' });
export type ShallowQuote = z.infer<typeof shallowQuoteSchema>;

const party = z.enum(['public', 'followers', 'following', 'unsupported_policy']);

/** The accounts that may quote a status: https://docs.joinmastodon.org/entities/QuoteApproval/ */
export const quoteApprovalSchema = z
  .strictObject({
    automatic: z.array(party),
    manual: z.array(party),
    current_user: z.enum(['automatic', 'manual', 'denied', 'unknown']),
  })
  .meta({ id: 'QuoteApproval' });
export type QuoteApproval = z.infer<typeof quoteApprovalSchema>;
