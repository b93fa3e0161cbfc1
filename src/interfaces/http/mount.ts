import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Express } from 'express';
import type { z } from 'zod';
import {
  type AccessToken,
  Context,
  type ContextDependencies,
  type RequestContext,
  type Viewer,
} from '../../kernel/context.ts';
import type { Endpoint, RateLimit } from '../../kernel/endpoint.ts';
import { isRookeryError, notFound, RookeryError } from '../../kernel/errors.ts';
import { memoizeAsync } from '../../kernel/memoize-async.ts';
import { ReadModelHalted } from '../../storage/postgres/halted-read-models.ts';
import { NotYetVisible } from '../../storage/postgres/read-your-writes.ts';
import { bearerInBody, bearerOf } from './bearer.ts';
import { discardUploads, NOTHING, parseBody, parseQuery } from './bodies.ts';
import type { BodyLimits, ParsedBody } from './bodies.ts';
import { authenticate, type CallerDependencies } from './caller.ts';
import { inputRefused } from './errors.ts';
import { wordedFor } from './missing.ts';
import { parsePermitted } from './permitted.ts';
import { pathOf, searchOf, withSingleSlashes } from './request-url.ts';
import { freeKey, identityOf, sentCommand, type RepeatableCommand } from './repeatable-command.ts';
import { authorized, refusalOf } from './refusal.ts';
import { sendEvents } from './event-reply.ts';
import { sendFailure, sendPreflight, sendReply } from './reply.ts';
import { Routes, type Route } from './routes.ts';
import type { StoredCommands } from './stored-commands.ts';

type CountedKind = Exclude<RateLimit, 'none'>;

/** The caller that a rate limit counts. */
export interface Client {
  ip: string;
  accountId?: string | undefined;
  tokenId?: string | undefined;
}

export interface MountDependencies extends ContextDependencies, CallerDependencies {
  /** Returns headers that tell the client the remaining requests. @throws RookeryError `too_many_requests` */
  limit: (kind: RateLimit, client: Client) => Promise<Record<string, string>>;
  /** For requests that count only when they create something. */
  kindLimit: {
    /** Counts against this kind alone. @returns headers as `limit` does @throws RookeryError `too_many_requests` */
    count: (kind: CountedKind, client: Client) => Promise<Record<string, string>>;
    /** Undoes the count of a refused request. */
    release: (kind: CountedKind, client: Client) => Promise<void>;
  };
  mediaLimit: {
    /** Counts work on files. @throws RookeryError `too_many_requests` */
    count: (client: Client) => Promise<void>;
    /** Undoes the count of work that the server had no room for. */
    release: (client: Client) => Promise<void>;
  };
  clientAddress: (req: IncomingMessage) => string;
  /** The origin of links between the pages of a list; the default is the instance's own. */
  linkOrigin?: (req: IncomingMessage) => string;
  /** Stored commands whose client got a 503. */
  storedCommands?: StoredCommands;
  /** Records a read of a `recorded` endpoint, with these parameters. */
  recordReading?: (ctx: RequestContext, asked: Record<string, unknown>) => Promise<void>;
  /** Called for each request of an active user. */
  seen: (viewer: Viewer, ip: string) => void;
  /** Called once per request, after the reply. `seconds` is how long it took. */
  observe: (request: {
    endpoint: Endpoint;
    status: number;
    seconds: number;
    error?: unknown;
    id: string;
  }) => void;
  /** Ends a reply whose error reply failed as well. */
  fail: (error: unknown, res: ServerResponse) => void;
}

/**
 * Serves endpoints, and enforces all that they declare. Plain paths are found without Express, which has the
 * endpoints too, for the other forms of their paths. @returns the listener for endpoints and, by the
 * application, everything else
 */
export function mount(
  app: Express,
  endpoints: readonly Endpoint[],
  dependencies: MountDependencies,
): RequestListener {
  const answerTo = (route: Route, req: IncomingMessage, res: ServerResponse): void => {
    serve(route, req, res, dependencies).catch((error: unknown) => dependencies.fail(error, res));
  };
  const paths = new Set<string>();
  const served = [...endpoints, ...endpoints.flatMap(byOtherMethod)];
  for (const endpoint of served) {
    const method = endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    app[method](endpoint.path, (req, res) => answerTo({ endpoint, params: req.params }, req, res));
    paths.add(endpoint.path);
  }
  for (const path of paths) app.options(path, (_req, res) => sendPreflight(res));
  const routes = new Routes(served);
  return (req, res) => {
    req.url = withSingleSlashes(req.url ?? '');
    const route = routes.find(req.method ?? '', pathOf(req.url ?? ''));
    if (route) answerTo(route, req, res);
    else app(req, res);
  };
}

/**
 * Serves PUT as PATCH too, and the reverse, like Rails: apps rely on it where the documentation names the
 * other method. A declared endpoint has precedence.
 */
function byOtherMethod(endpoint: Endpoint): Endpoint[] {
  if (endpoint.method === 'PUT') return [{ ...endpoint, method: 'PATCH' }];
  return endpoint.method === 'PATCH' ? [{ ...endpoint, method: 'PUT' }] : [];
}

async function serve(
  route: Route,
  req: IncomingMessage,
  res: ServerResponse,
  dependencies: MountDependencies,
): Promise<void> {
  const started = performance.now();
  const id = randomUUID();
  const headers: Record<string, string> = { 'X-Request-Id': id, ...deprecation(route.endpoint) };
  const origin = dependencies.linkOrigin?.(req) ?? dependencies.instance.origin;
  const parameters = Object.keys(route.endpoint.query?.shape ?? {});
  let failure: unknown;
  try {
    const reply = await answer(route, { req, res }, { id, headers }, dependencies);
    const type = route.endpoint.contentType;
    const all = type ? { ...headers, 'Content-Type': type } : headers;
    if ('events' in reply && reply.events) await sendEvents(res, reply.events, all);
    else sendReply(req, res, reply, all, { origin, parameters });
  } catch (error) {
    failure = error;
    sendFailure(req, res, wordedFor(route.endpoint, error), headers);
  }
  const seconds = (performance.now() - started) / 1_000;
  dependencies.observe({ endpoint: route.endpoint, status: res.statusCode, seconds, error: failure, id });
}

/** https://www.rfc-editor.org/rfc/rfc9745#section-2.1 */
const deprecation = ({ deprecatedOn }: Endpoint): Record<string, string> =>
  deprecatedOn === undefined ? {} : { Deprecation: `@${Date.parse(deprecatedOn) / 1_000}` };

async function answer(
  route: Route,
  { req, res }: { req: IncomingMessage; res: ServerResponse },
  { id, headers }: { id: string; headers: Record<string, string> },
  dependencies: MountDependencies,
): ReturnType<Endpoint['handler']> {
  const { endpoint } = route;
  const ip = dependencies.clientAddress(req);
  const query = parseQuery(searchOf(req.url ?? ''));
  const count = async (token?: AccessToken): Promise<void> => {
    const limit = endpoint.countsWhen ? 'default' : (endpoint.limit ?? 'default');
    const client = { ip, accountId: token?.account_id, tokenId: token?.id };
    if (limit !== 'none') Object.assign(headers, await dependencies.limit(limit, client));
  };
  const body = memoizeAsync(() => bodyOf(endpoint, req));
  const countStranger = memoizeAsync(() => count());
  const sentBearer = memoizeAsync(async () => {
    const bearer = bearerOf(req, query);
    if (bearer !== undefined) return bearer;
    // Before the body is read: an address over its limit costs no more than its headers.
    await countStranger();
    return bearerInBody(endpoint, req, body);
  });
  const authenticated = await authenticate(endpoint, sentBearer, dependencies).catch(
    async (error: unknown) => {
      // Guesses of tokens count by address.
      await countStranger();
      throw await refusalOf(route, error, undefined, dependencies);
    },
  );
  await (authenticated ? count(authenticated.token) : countStranger());
  const caller = await authorized(route, authenticated, dependencies);
  if (caller?.viewer) dependencies.seen(caller.viewer, ip);
  const params = paramsOf(route);
  const sent = await body();
  try {
    const input = { params, ...parsedInput(endpoint, query, sent.fields), files: sent.files };
    const command = sentCommand(endpoint, req, input, caller);
    const context = new Context(dependencies, {
      requestId: id,
      ip,
      locale: req.headers['accept-language'],
      token: caller?.token,
      viewer: caller?.viewer,
      signal: () => signalOf(res),
      bearer: endpoint.bearer === true ? await sentBearer() : undefined,
      identity: await identityOf(command, dependencies),
      reads: endpoint.reads,
      defers: endpoint.defers,
    });
    const client = { ip, accountId: caller?.token.account_id, tokenId: caller?.token.id };
    return await handleWithin({ endpoint, context, input, client, headers }, command, dependencies);
  } finally {
    if (sent.files !== NOTHING.files) await discardUploads(sent.files);
  }
}

/** Handles a request within the limits on creating things and on files. */
async function handleWithin(
  counted: CountedRequest,
  command: RepeatableCommand | undefined,
  dependencies: MountDependencies,
): ReturnType<Endpoint['handler']> {
  const { endpoint, context, input, client } = counted;
  const work = (): ReturnType<typeof handle> => handle(endpoint, context, input, command, dependencies);
  if (endpoint.countsWhen) return withinKindLimit(counted, dependencies, work);
  if (Object.keys(input.files).length === 0) return work();
  return withinMediaLimit(endpoint, client, dependencies, work);
}

/**
 * Runs the handler. A command that fails because the read models are late is stored all the same, and is
 * remembered: without an `Idempotency-Key`, the client would store it a second time. @throws the handler's
 * errors
 */
async function answerOnce(
  endpoint: Endpoint,
  context: Context,
  input: unknown,
  sent: RepeatableCommand | undefined,
  { db, storedCommands }: MountDependencies,
): ReturnType<Endpoint['handler']> {
  try {
    const reply = await endpoint.handler(context, input as never);
    await context.finishWrites();
    if (sent?.byContent === true && context.repeated) await storedCommands?.forget(sent);
    return reply;
  } catch (error) {
    if (sent && isRefusal(error)) await freeKey(sent, context, db);
    if (!isNotShown(error)) throw error;
    const { stored } = context;
    if (!stored) throw error instanceof NotYetVisible ? notVisible(error) : error;
    // If that fails too, the client still gets the first failure.
    if (sent?.byContent === true) await storedCommands?.remember(sent, stored).catch(() => undefined);
    throw error instanceof NotYetVisible ? error : storedButHalted(error);
  }
}

async function handle(
  endpoint: Endpoint,
  context: Context,
  input: Input & { params: unknown; files: ParsedBody['files'] },
  command: RepeatableCommand | undefined,
  dependencies: MountDependencies,
): ReturnType<Endpoint['handler']> {
  const reply = await answerOnce(endpoint, context, input, command, dependencies);
  // A refused request has shown nothing, so only a reply is recorded.
  if (endpoint.recorded === true) {
    await dependencies.recordReading?.(context, Object.assign({}, input.query, input.params));
  }
  return reply;
}

/**
 * Work on files is expensive, whichever endpoint it is for. Endpoints with the limit `media` have counted
 * before reading the body.
 */
async function withinMediaLimit<T>(
  { limit }: Endpoint,
  client: Client,
  { mediaLimit }: MountDependencies,
  work: () => Promise<T>,
): Promise<T> {
  if (limit !== 'media') await mediaLimit.count(client);
  try {
    return await work();
  } catch (error) {
    if (isBusy(error)) await mediaLimit.release(client);
    throw error;
  }
}

interface CountedRequest {
  endpoint: Endpoint;
  context: Context;
  input: Input & { params: unknown; files: ParsedBody['files'] };
  client: Client;
  headers: Record<string, string>;
}

/**
 * Counts a request that creates something, unless it is refused. A repeated command was counted the first
 * time.
 */
async function withinKindLimit<T>(
  { endpoint, context, input, client, headers }: CountedRequest,
  { kindLimit }: MountDependencies,
  work: () => Promise<T>,
): Promise<T> {
  const { limit = 'default', countsWhen } = endpoint;
  if (limit === 'none' || !(await countsWhen?.(context, input as never))) return work();
  Object.assign(headers, await kindLimit.count(limit, client));
  try {
    return await work();
  } catch (error) {
    if (isRefusal(error)) await kindLimit.release(limit, client);
    throw error;
  }
}

const isBusy = (error: unknown): boolean => isRookeryError(error) && error.code === 'unavailable';

/** Returns a signal that aborts when the connection closes before the reply is written. */
function signalOf(res: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const abort = (): void => {
    if (!res.writableEnded) gone.abort(new RookeryError('bad_request', 'The client has gone'));
  };
  if (res.closed) abort();
  else res.once('close', abort);
  return gone.signal;
}
/** Returns true if the command would be refused again; after an outage it may succeed. */
const isRefusal = (error: unknown): boolean =>
  isRookeryError(error) && !['unavailable', 'internal', 'conflict'].includes(error.code);

/** The read models cannot show what the request asks for. */
const isNotShown = (error: unknown): error is NotYetVisible | ReadModelHalted =>
  error instanceof NotYetVisible || error instanceof ReadModelHalted;

/** For a request that changed nothing itself. */
const notVisible = ({ extras: { headers = {} } }: NotYetVisible): RookeryError =>
  new RookeryError('unavailable', 'What you wrote before is stored, but not visible yet; try again', {
    headers,
  });
const storedButHalted = ({ message, extras: { headers = {} } }: ReadModelHalted): RookeryError =>
  new RookeryError('unavailable', `This is stored: there is no need to send it again. ${message}`, {
    headers,
  });

interface Input {
  query: unknown;
  body: unknown;
}

/** Throws RookeryError `not_found` for an invalid id, which identifies nothing. */
function paramsOf({ endpoint, params }: Route): unknown {
  const named = endpoint.params?.safeParse(params);
  if (named && !named.success) throw notFound();
  return named?.data ?? {};
}

const bodyOf = async (endpoint: Endpoint, req: IncomingMessage): Promise<ParsedBody> =>
  req.method === 'GET' || !endpoint.body ? NOTHING : parseBody(req, bodyLimits(endpoint));

const LONG_BODY = 1_000_000;

function bodyLimits({ files, longTexts = false }: Endpoint): BodyLimits {
  if (files) return { maxBytes: LONG_BODY, files };
  return longTexts ? { maxBytes: LONG_BODY } : {};
}

/** As in Rails, parameters come from the body or the query, and those of the query win. */
const parsedInput = (
  endpoint: Endpoint,
  query: Record<string, unknown>,
  fields: Record<string, unknown>,
): Input => ({
  query: endpoint.query ? parsed(endpoint.query, query) : {},
  body: endpoint.body ? parsed(endpoint.body, { ...fields, ...query }) : {},
});

/** Throws RookeryError `bad_request` for a missing parameter, `invalid` for a wrong one. */
function parsed(schema: z.ZodObject, input: Record<string, unknown>): unknown {
  const { success, data, error } = parsePermitted(schema, input);
  if (success) return data;
  throw inputRefused(schema, input, error);
}
