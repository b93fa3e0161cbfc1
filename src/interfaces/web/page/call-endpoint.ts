import { admitStranger } from '#interfaces/http/caller.ts';
import { type Argument, entityIn, type GivenInAddress, type Sent } from '#interfaces/http/own-calls.ts';
import type { RequestContext } from '#kernel/context.ts';
import type { AnyContract, Contracted, Endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';

/** The reply of an endpoint by its schema, and the parameters of a list's next page. */
export interface EndpointReply<Entity> {
  entity: Entity;
  next: string | undefined;
}

/**
 * Returns an endpoint's reply to a request without a token. Pages show nothing else, so the API decides about
 * visibility. @throws RookeryError `unauthorized` where strangers are refused, `not_found`; ZodError for an
 * invalid query
 */
export async function callEndpoint<C extends AnyContract>(
  ctx: RequestContext,
  endpoint: Endpoint & Contracted<C>,
  ...asked: Argument<GivenInAddress<C>>
): Promise<EndpointReply<C['reply']>> {
  admitStranger(endpoint, ctx.instance);
  return replyOf(ctx, endpoint, ...asked);
}

/**
 * Returns a public endpoint's reply to the user of the context. @throws RookeryError, ZodError as
 * `callEndpoint`
 */
export async function replyOf<C extends AnyContract>(
  ctx: RequestContext,
  endpoint: Endpoint & Contracted<C>,
  ...asked: Argument<GivenInAddress<C>>
): Promise<EndpointReply<C['reply']>> {
  // The compiler holds each call against the contract; the schemas say what is wrong with texts of visitors.
  const { params = {}, query = {} } = (asked[0] ?? {}) as Pick<Sent, 'params' | 'query'>;
  const named = endpoint.params?.safeParse(params);
  if (named && !named.success) throw notFound();
  const input = { params: named?.data ?? {}, query: endpoint.query?.parse(query) ?? {}, body: {}, files: {} };
  const reply = await endpoint.handler(ctx, input);
  return { entity: entityIn(reply), next: reply.page?.next?.['max_id'] };
}
