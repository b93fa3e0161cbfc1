import { Agent, type Dispatcher } from 'undici';
import { outside } from '#kernel/places.ts';
import type { HttpClient, HttpRequest, HttpResponse } from '#kernel/services/http-client.ts';
import { type Stay, WaitingRoom } from '#kernel/waiting-room.ts';
import { addressPermits } from './addresses.ts';
import { readBody, saveBody } from './body.ts';
import { ForbiddenAddress, guardedConnector, Sockets } from './connector.ts';
import { FetchError } from './errors.ts';
import { Names } from './names.ts';

/** Milliseconds for the whole exchange, redirects and body included. */
const DEADLINE = 10_000;
const MAX_BYTES = 1_048_576;
const MAX_REDIRECTS = 5;
const MAX_URL = 4_096;
/** Concurrent connections to one host; further requests wait, within their deadline. */
const CONNECTIONS = 8;
const CONNECT_TIMEOUT = 5_000;
/** With more open sockets than this, no connection is kept for later. */
const KEPT_SOCKETS = 64;
/** A body that is ignored: its bytes, and milliseconds for them. A longer one costs the connection. */
const IGNORED = { limit: 1_024, within: 1_000 };

export interface HttpClientOptions {
  /** Private IPs and CIDR ranges that may be reached. */
  allowedPrivateAddresses: readonly string[];
  userAgent: string;
  /**
   * Replaces the permits that follow from the allowed addresses: for hosts that the operator names, and for
   * tests.
   */
  permits?: (address: string) => boolean;
  /** The requests under way, which other clients may share; one of its own unless given. */
  room?: WaitingRoom;
  /** How names are looked up: without threads unless the operator names the hosts. */
  names?: Names;
}

export interface OpenHttpClient extends HttpClient {
  close(): Promise<void>;
}

/**
 * Creates the client for requests to other people's servers. It reaches ordinary hosts of the Internet by
 * http and https, and checks the connected socket. It follows redirects itself, each checked again, bounds
 * time and size, and keeps no cookies.
 */
export function createHttpClient(options: HttpClientOptions): OpenHttpClient {
  const permits = options.permits ?? addressPermits(options.allowedPrivateAddresses);
  const names = options.permits ? undefined : (options.names ?? new Names());
  const sockets = new Sockets();
  const agent = new Agent({
    connect: guardedConnector({
      permits,
      timeout: CONNECT_TIMEOUT,
      sockets,
      ...(names && { lookup: names.lookup }),
    }),
    connections: CONNECTIONS,
    pipelining: 1,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 30_000,
  });
  const means: Means = {
    agent,
    sockets,
    userAgent: options.userAgent,
    room: options.room ?? new WaitingRoom(),
  };
  return {
    fetch: (url, request = {}) => exchange(means, url, request),
    close: () => {
      names?.close();
      return agent.destroy();
    },
  };
}

interface Means {
  agent: Agent;
  sockets: Sockets;
  userAgent: string;
  room: WaitingRoom;
}

async function exchange(means: Means, address: string, request: HttpRequest): Promise<HttpResponse> {
  const { deadline = DEADLINE, maxRedirects = MAX_REDIRECTS } = request;
  const late = AbortSignal.timeout(deadline);
  const signal = request.signal ? AbortSignal.any([late, request.signal]) : late;
  let url = parse(address);
  try {
    for (let redirects = 0; ; redirects += 1) {
      const headers = await headersFor(url, means.userAgent, request);
      const target = { url, signal, headers };
      const result = await outside(() => step(means, target, request));
      if (!(result instanceof URL)) return result;
      if (redirects >= maxRedirects) throw new FetchError('too_many_redirects', url);
      if (result.origin !== url.origin) request = withoutCredentials(request);
      url = result;
    }
  } catch (error) {
    throw asFetchError(error, { url, late, cancelled: request.signal });
  }
}

interface Target {
  url: URL;
  headers: Record<string, string>;
  signal: AbortSignal;
}

/** Makes one request when there is room. @returns the redirect, or the response */
async function step(
  { agent, room, sockets }: Means,
  { signal, ...target }: Target,
  request: HttpRequest,
): Promise<URL | HttpResponse> {
  const { host } = target.url;
  const stay = await room.enter(host, signal);
  const leave = (): void => {
    stay.leave();
    if (room.sizeOf(host) === 0) sockets.giveUp(host);
  };
  let leavesLater = false;
  try {
    const both = AbortSignal.any([signal, stay.signal]);
    const isKept = sockets.open <= KEPT_SOCKETS;
    const response = await ask(agent, { ...target, signal: both }, { request, isKept });
    stay.took(0);
    if (request.withoutBody !== true) return await answerOf(response, target.url, { request, stay });
    leavesLater = true;
    const { limit, within } = IGNORED;
    void response.body
      .dump({ limit, signal: AbortSignal.timeout(within) })
      .catch(() => response.body.destroy())
      .finally(leave);
    return {
      url: target.url.href,
      status: response.statusCode,
      headers: flat(response.headers),
      body: NOTHING,
    };
  } catch (error) {
    throw stay.signal.aborted ? new FetchError('timeout', target.url, error) : error;
  } finally {
    if (!leavesLater) leave();
  }
}

const NOTHING = Buffer.alloc(0);

const ask = (
  agent: Agent,
  { url, headers, signal }: Target,
  { request: { method = 'GET', body }, isKept }: { request: HttpRequest; isKept: boolean },
): Promise<Dispatcher.ResponseData> =>
  agent.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers,
    ...(body === undefined ? {} : { body }),
    signal,
    reset: !isKept,
    // The signal ends both; undici's own limits are coarser.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

/** @returns the redirect, or the response with its body */
async function answerOf(
  response: Dispatcher.ResponseData,
  url: URL,
  { request, stay }: { request: HttpRequest; stay: Stay },
): Promise<URL | HttpResponse> {
  const { method = 'GET', maxBytes = MAX_BYTES } = request;
  const headers = flat(response.headers);
  const discard = (): void => void response.body.on('error', () => undefined).destroy();
  const next = method === 'POST' ? undefined : redirection(response.statusCode, headers, url);
  if (next) {
    discard();
    return next;
  }
  const type = headers['content-type'] ?? '';
  if (request.accepts && response.statusCode < 300 && !request.accepts(type)) {
    discard();
    throw new FetchError('unexpected_type', url);
  }
  const bounds = {
    encoding: headers['content-encoding'],
    maxBytes,
    tooLarge: () => new FetchError('too_large', url),
  };
  const answer = { url: url.href, status: response.statusCode, headers };
  if (request.into !== undefined && response.statusCode === 200) {
    await saveBody(response.body, request.into, bounds);
    return { ...answer, body: NOTHING };
  }
  const truncate = request.truncate === true;
  const body = await readBody(response.body, { ...bounds, truncate, took: (bytes) => stay.took(bytes) });
  return { ...answer, body };
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

function redirection(status: number, headers: Record<string, string>, from: URL): URL | undefined {
  const { location } = headers;
  if (!REDIRECTS.has(status) || location === undefined) return undefined;
  const next = parse(location, from);
  // A redirect without a fragment keeps the fragment of the request.
  if (next.hash === '') next.hash = from.hash;
  return next;
}

function parse(text: string, base?: URL): URL {
  const url = text.length <= MAX_URL ? URL.parse(text, base?.href) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') {
    throw new FetchError('bad_url', text.slice(0, 200));
  }
  // Names and passwords in a URL are never sent.
  url.username = '';
  url.password = '';
  return url;
}

/** Flattens headers; repeated ones are joined by RFC 9110. Drops cookies. */
function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== 'set-cookie')
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}

/** Returns the headers to send; the caller's override the defaults. */
async function headersFor(
  url: URL,
  userAgent: string,
  { headers = {} }: HttpRequest,
): Promise<Record<string, string>> {
  const given = typeof headers === 'function' ? await headers(url) : headers;
  const own = { 'user-agent': userAgent, 'accept-encoding': 'gzip, br' };
  return Object.fromEntries(
    [...Object.entries(own), ...Object.entries(given)].map(([name, value]) => [name.toLowerCase(), value]),
  );
}

/**
 * Removes headers for one host before a request to another. Headers that are made for each step know their
 * host.
 */
function withoutCredentials(request: HttpRequest): HttpRequest {
  const { headers = {} } = request;
  if (typeof headers === 'function') return request;
  const kept = Object.entries(headers).filter(([name]) => !/^(?:authorization|cookie)$/i.test(name));
  return { ...request, headers: Object.fromEntries(kept) };
}

function asFetchError(
  error: unknown,
  { url, late, cancelled }: { url: URL; late: AbortSignal; cancelled: AbortSignal | undefined },
): FetchError {
  if (error instanceof FetchError) return error;
  if (cancelled?.aborted) return new FetchError('cancelled', url, error);
  if (late.aborted) return new FetchError('timeout', url, error);
  const isForbidden = error instanceof ForbiddenAddress || causeOf(error) instanceof ForbiddenAddress;
  return new FetchError(isForbidden ? 'forbidden_address' : 'unreachable', url, error);
}

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined);
