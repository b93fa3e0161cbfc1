import { z } from 'zod';
import { defineEvent } from '#kernel/event.ts';
import { id, url } from './common.ts';

/*
 * GoToSocial's interaction policies: https://docs.gotosocial.org/en/latest/federation/interaction_policy/
 */

const MAX_URIS = 50;

/** Accounts and collections of accounts by their URIs, for one kind of interaction. */
const interactionRules = z.object({
  /** Accounts that may interact without approval. */
  automatic: z.array(url).max(MAX_URIS),
  /** The author decides about each interaction. */
  manual: z.array(url).max(MAX_URIS),
  /** The server understands `ReplyRequest` and its kin (GoToSocial 0.20). */
  polite: z.boolean(),
});
export type InteractionRules = z.infer<typeof interactionRules>;

/** A missing kind is open to everyone who sees the post. */
export const interactionPolicy = z.object({
  reply: interactionRules.optional(),
  like: interactionRules.optional(),
  announce: interactionRules.optional(),
});
export type InteractionPolicy = z.infer<typeof interactionPolicy>;
export type InteractionKind = keyof InteractionPolicy;

export const samplePolicy = {
  reply: {
    automatic: ['https://far.example/users/carol/followers'],
    manual: ['https://www.w3.org/ns/activitystreams#Public'],
    polite: true,
  },
};

/** The policy of a remote post from now on; null for an open one. In the stream of the post. */
export const InteractionPolicyChanged = defineEvent({
  type: 'InteractionPolicyChanged',
  version: 1,
  schema: z.object({ id, account_id: id, interaction_policy: interactionPolicy.nullable() }),
  samples: {
    1: { id: '115500000000000000', account_id: '109500000000000000', interaction_policy: samplePolicy },
  },
});
