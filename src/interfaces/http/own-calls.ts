import { randomUUID } from 'node:crypto';
import type { AccessToken, Instance, Viewer } from '#kernel/context.ts';
import type { AnyContract, Endpoint, LongReply, PageLinks, Reply, UploadedFile } from '#kernel/endpoint.ts';
import { parseJson } from '#kernel/json-pieces.ts';
import { NOTHING } from './bodies.ts';
import { admitStranger, type CallerDependencies } from './caller.ts';
import type { Contracts } from './contracts.ts';
import { handleCall, type HandlingDependencies, paramsOf } from './handle.ts';
import { wordedFor } from './missing.ts';
import { authorized } from './refusal.ts';

/** The input of an endpoint, in the form in which a client sends it. */
export interface Sent {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  body?: Readonly<Record<string, unknown>>;
  files?: Readonly<Record<string, UploadedFile>>;
  /** The `Idempotency-Key`: a form that is sent twice acts once. */
  key?: string;
}

/** The reply of an endpoint by its schema, and the parameters of the pages beside it. */
export interface Answer<Entity> {
  entity: Entity;
  next: PageLinks['next'];
  prev: PageLinks['prev'];
  headers: Readonly<Record<string, string>>;
}

/** A browser: signed in, or a stranger without a token. */
export interface BrowserCaller {
  ip: string;
  locale: string | undefined;
  token?: AccessToken | undefined;
  viewer?: Viewer | undefined;
}

type Dependencies = HandlingDependencies & Pick<CallerDependencies, 'holds'> & { instance: Instance };

/** An endpoint as clients name it, without `/api/`: `GET v1/statuses/:id`. */
export type EndpointName = keyof Contracts;

/** The entity with which an endpoint replies. */
export type EntityOf<Name extends EndpointName> = Contracts[Name]['reply'];

/** The input of an endpoint, by its contract. For one of several endpoints, only input that each of them takes. */
export type AskedOf<Name extends EndpointName> = (
  Name extends unknown ? (asked: Given<Contracts[Name]>) => void : never
) extends (asked: infer Asked) => void
  ? Asked
  : never;
type Given<C extends AnyContract> = Pick<Sent, 'files' | 'key'> & GivenInAddress<C> & Part<'body', C['body']>;
/** The input of an endpoint that is in the address, by its contract. */
export type GivenInAddress<C extends AnyContract> = Part<'params', C['params']> & Part<'query', C['query']>;
type Part<Key extends string, Value> =
  IsOptional<Value> extends true ? { readonly [Member in Key]?: Value } : { readonly [Member in Key]: Value };
/** Whether it has no members, or all may be left out. */
type IsOptional<Value> =
  Value extends Readonly<Record<string, never>> ? true : Partial<Value> extends Value ? true : false;

/** Calls of this server's own endpoints in the name of one browser. */
export interface OwnCalls {
  /** Calls an endpoint; its name says what it takes and what it replies. */
  api: <Name extends EndpointName>(
    name: Name,
    ...asked: ArgumentsOf<Name>
  ) => Promise<Answer<EntityOf<Name>>>;
  /** Passes on what a form says, which the endpoint checks as it checks any client. */
  passOn: <Name extends EndpointName>(name: Name, sent: Sent) => Promise<Answer<EntityOf<Name>>>;
}
type ArgumentsOf<Name extends EndpointName> = Argument<AskedOf<Name>>;
/** The argument of a call, which may be left out unless it has a required member. */
export type Argument<Asked> = Partial<Asked> extends Asked ? [asked?: Asked] : [asked: Asked];

/** Makes the calls in the name of a browser. */
export type CallsOf = (caller: BrowserCaller) => OwnCalls;

/**
 * Makes calls of our own endpoints for pages: with the rights, limits, validation and idempotency of a
 * request from the network, without the network. The request for the page itself has counted against the
 * default limit. @throws RookeryError the errors of the endpoint
 */
export function ownCalls(endpoints: readonly Endpoint[], dependencies: Dependencies): CallsOf {
  const byName = new Map(endpoints.map((each) => [`${each.method} ${each.path.replace('/api/', '')}`, each]));
  return (caller) => {
    // The compiler holds each call against the contract; the schema of the reply says what comes back.
    const call = async (name: string, asked: unknown = {}): Promise<Answer<never>> => {
      const endpoint = byName.get(name);
      if (!endpoint) throw new Error(`There is no endpoint ${name}`);
      try {
        return (await answered(dependencies, caller, endpoint, asked as Sent)) as Answer<never>;
      } catch (error) {
        throw wordedFor(endpoint, error);
      }
    };
    return { api: call, passOn: call };
  };
}

async function answered(
  dependencies: Dependencies,
  { ip, locale, token, viewer }: BrowserCaller,
  endpoint: Endpoint,
  { params: names = {}, query = {}, body = {}, files, key }: Sent,
): Promise<Answer<unknown>> {
  const route = { endpoint, params: names };
  const authenticated = token && { token, viewer };
  if (!authenticated) admitStranger(endpoint, dependencies.instance);
  const caller = await authorized(route, authenticated, dependencies);
  const headers = await countedKind(dependencies, endpoint, { ip, token });
  const call = {
    endpoint,
    params: paramsOf(route),
    query,
    fields: body,
    files: files ?? NOTHING.files,
    key,
    address: JSON.stringify([names, query]),
  };
  const request = { requestId: randomUUID(), ip, locale, token: caller?.token, viewer: caller?.viewer };
  const reply = await handleCall(call, request, headers, dependencies);
  return {
    entity: entityIn(reply),
    next: reply.page?.next,
    prev: reply.page?.prev,
    headers: { ...headers, ...reply.headers },
  };
}

/** Returns what a reply contains, by the schema of its endpoint. */
export function entityIn(reply: Reply | LongReply): unknown {
  if ('json' in reply) return reply.json;
  if ('pieces' in reply) return reply.pieces;
  return typeof reply.text === 'string' ? JSON.parse(reply.text) : parseJson(reply.text);
}

/** Counts a request that has a limit of its own kind, such as posting. */
async function countedKind(
  { kindLimit }: Dependencies,
  { limit = 'default', countsWhen }: Endpoint,
  { ip, token }: { ip: string; token: AccessToken | undefined },
): Promise<Record<string, string>> {
  if (limit === 'default' || limit === 'none' || countsWhen) return {};
  return { ...(await kindLimit.count(limit, { ip, accountId: token?.account_id, tokenId: token?.id })) };
}
