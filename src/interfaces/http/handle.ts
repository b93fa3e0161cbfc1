import type { z } from 'zod';
import {
  Context,
  type ContextDependencies,
  type ContextInput,
  type RequestContext,
} from '#kernel/context.ts';
import type { Endpoint, RateLimit } from '#kernel/endpoint.ts';
import { isRookeryError, notFound, RookeryError } from '#kernel/errors.ts';
import { ReadModelHalted } from '#kernel/read-model-halted.ts';
import { NotYetVisible } from '#storage/postgres/projector/read-your-writes.ts';
import type { ParsedBody } from './bodies.ts';
import { inputRefused } from './errors.ts';
import { parsePermitted } from './permitted.ts';
import { freeKey, identityOf, type RepeatableCommand, sentCommand } from './repeatable-command.ts';
import type { StoredCommands } from './stored-commands.ts';

type CountedKind = Exclude<RateLimit, 'none'>;

/** The caller that a rate limit counts. */
export interface Client {
  ip: string;
  accountId?: string | undefined;
  tokenId?: string | undefined;
}

export interface HandlingDependencies extends ContextDependencies {
  /** For requests that count only when they create something. */
  kindLimit: {
    /** Counts against this kind alone. @returns headers that tell the client the remaining requests @throws RookeryError `too_many_requests` */
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
  /** Stored commands whose client got a 503. */
  storedCommands?: StoredCommands;
  /** Records a read of a `recorded` endpoint, with these parameters. */
  recordReading?: (ctx: RequestContext, asked: Record<string, unknown>) => Promise<void>;
}

/** A request to an endpoint, from the network or from a page of this server. */
export interface ReceivedCall {
  endpoint: Endpoint;
  /** The parsed parameters of the path. */
  params: unknown;
  query: Record<string, unknown>;
  fields: Record<string, unknown>;
  files: ParsedBody['files'];
  /** The `Idempotency-Key`. */
  key: string | undefined;
  /** The requested path and query, which distinguish commands with the same body. */
  address: string;
}

/** The caller, whose rights are checked already, and the circumstances of the request. */
type CallContext = Omit<ContextInput, 'identity' | 'reads' | 'defers'>;

/**
 * Parses the input and runs the handler, within the limits on creating things and on files, once for a
 * repeated command. `headers` receive the remaining requests. @throws RookeryError
 */
export async function handleCall(
  { endpoint, params, query, fields, files, key, address }: ReceivedCall,
  request: CallContext,
  headers: Record<string, string>,
  dependencies: HandlingDependencies,
): ReturnType<Endpoint['handler']> {
  const input = { params, ...parsedInput(endpoint, query, fields), files };
  const command = sentCommand(endpoint, { key, address }, input, request.token);
  const context = new Context(dependencies, {
    ...request,
    identity: await identityOf(command, dependencies),
    reads: endpoint.reads,
    defers: endpoint.defers,
  });
  const client = { ip: request.ip, accountId: request.token?.account_id, tokenId: request.token?.id };
  return handleWithin({ endpoint, context, input, client, headers }, command, dependencies);
}

/** Handles a request within the limits on creating things and on files. */
async function handleWithin(
  counted: CountedRequest,
  command: RepeatableCommand | undefined,
  dependencies: HandlingDependencies,
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
  { db, storedCommands }: HandlingDependencies,
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
  dependencies: HandlingDependencies,
): ReturnType<Endpoint['handler']> {
  const reply = await answerOnce(endpoint, context, input, command, dependencies);
  // A refused request has shown nothing, so only a reply is recorded.
  const { recorded } = endpoint;
  if (recorded !== undefined && recorded !== false) {
    const what = recorded === true ? {} : { of: recorded };
    await dependencies.recordReading?.(context, Object.assign(what, input.query, input.params));
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
  { mediaLimit }: HandlingDependencies,
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

/** Tells whether the limit of the first headers leaves fewer requests than that of the second ones. */
const isCloserToItsEnd = (one: Record<string, string>, other: Record<string, string>): boolean =>
  Number(one[REMAINING]) < Number(other[REMAINING]);
const REMAINING = 'X-RateLimit-Remaining';

/**
 * Counts a request that creates something, unless it is refused. A repeated command was counted the first
 * time.
 */
async function withinKindLimit<T>(
  { endpoint, context, input, client, headers }: CountedRequest,
  { kindLimit }: HandlingDependencies,
  work: () => Promise<T>,
): Promise<T> {
  const { limit = 'default', countsWhen } = endpoint;
  if (limit === 'none' || !(await countsWhen?.(context, input as never))) return work();
  const ofKind = await kindLimit.count(limit, client);
  if (!isCloserToItsEnd(headers, ofKind)) Object.assign(headers, ofKind);
  try {
    return await work();
  } catch (error) {
    if (isRefusal(error)) await kindLimit.release(limit, client);
    throw error;
  }
}

const isBusy = (error: unknown): boolean => isRookeryError(error) && error.code === 'unavailable';

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
export function paramsOf({ endpoint, params }: { endpoint: Endpoint; params: unknown }): unknown {
  const named = endpoint.params?.safeParse(params);
  if (named && !named.success) throw notFound();
  return named?.data ?? {};
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
