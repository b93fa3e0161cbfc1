import { admitStranger } from '#interfaces/http/caller.ts';
import { entityIn } from '#interfaces/http/own-calls.ts';
import type { RequestContext } from '#kernel/context.ts';
import type { Contracted, Endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';

/** Parameters in the form of the path and the query of a request. */
export interface EndpointCall {
  params?: Record<string, string>;
  query?: Record<string, string>;
}

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
export async function callEndpoint<Entity>(
  ctx: RequestContext,
  endpoint: Endpoint & Contracted<Entity>,
  asking: EndpointCall = {},
): Promise<EndpointReply<Entity>> {
  admitStranger(endpoint, ctx.instance);
  return replyOf(ctx, endpoint, asking);
}

/**
 * Returns a public endpoint's reply to the user of the context. @throws RookeryError, ZodError as
 * `callEndpoint`
 */
export async function replyOf<Entity>(
  ctx: RequestContext,
  endpoint: Endpoint & Contracted<Entity>,
  { params = {}, query = {} }: EndpointCall = {},
): Promise<EndpointReply<Entity>> {
  const named = endpoint.params?.safeParse(params);
  if (named && !named.success) throw notFound();
  const input = { params: named?.data ?? {}, query: endpoint.query?.parse(query) ?? {}, body: {}, files: {} };
  const reply = await endpoint.handler(ctx, input);
  return { entity: entityIn(reply) as Entity, next: reply.page?.next?.['max_id'] };
}
