import { Agent } from 'undici';
import type { HttpClient, HttpRequest, HttpResponse } from '../../kernel/services/http-client.ts';
import { addressPermits } from './addresses.ts';
import { readBody, saveBody } from './body.ts';
import { ForbiddenAddress, guardedConnector } from './connector.ts';
import { FetchError } from './errors.ts';

/** Milliseconds for the whole exchange, redirects and body included. */
const DEADLINE = 10_000;
const MAX_BYTES = 1_048_576;
const MAX_REDIRECTS = 5;
const MAX_URL = 4_096;
/** Concurrent connections to one host; further requests wait, within their deadline. */
const CONNECTIONS = 8;
const CONNECT_TIMEOUT = 5_000;

export interface HttpClientOptions {
  /** Private IPs and CIDR ranges that may be reached. */
  allowedPrivateAddresses: readonly string[];
  userAgent: string;
  /**
   * Replaces the permits that follow from the allowed addresses: for hosts that the operator names, and for
   * tests.
   */
  permits?: (address: string) => boolean;
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
  const agent = new Agent({
    connect: guardedConnector({ permits, timeout: CONNECT_TIMEOUT }),
    connections: CONNECTIONS,
    pipelining: 1,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 30_000,
  });
  return {
    fetch: (url, request = {}) => exchange(agent, options.userAgent, url, request),
    close: () => agent.destroy(),
  };
}

async function exchange(
  agent: Agent,
  userAgent: string,
  address: string,
  request: HttpRequest,
): Promise<HttpResponse> {
  const { deadline = DEADLINE, maxRedirects = MAX_REDIRECTS } = request;
  const late = AbortSignal.timeout(deadline);
  const signal = request.signal ? AbortSignal.any([late, request.signal]) : late;
  let url = parse(address);
  try {
    for (let redirects = 0; ; redirects += 1) {
      const result = await step(
        agent,
        { url, signal, headers: await headersFor(url, userAgent, request) },
        request,
      );
      if (!(result instanceof URL)) return result;
      if (redirects >= maxRedirects) throw new FetchError('too_many_redirects', url);
      if (result.origin !== url.origin) request = withoutCredentials(request);
      url = result;
    }
  } catch (error) {
    throw asFetchError(error, { url, late, cancelled: request.signal });
  }
}

/** Makes one request. @returns the redirect, or the response */
async function step(
  agent: Agent,
  { url, headers: sent, signal }: { url: URL; headers: Record<string, string>; signal: AbortSignal },
  request: HttpRequest,
): Promise<URL | HttpResponse> {
  const { method = 'GET', body, maxBytes = MAX_BYTES } = request;
  const response = await agent.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers: sent,
    ...(body === undefined ? {} : { body }),
    signal,
    // The signal ends both; undici's own limits are coarser.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
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
    return { ...answer, body: Buffer.alloc(0) };
  }
  const read = await readBody(response.body, { ...bounds, truncate: request.truncate === true });
  return { ...answer, body: read };
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
