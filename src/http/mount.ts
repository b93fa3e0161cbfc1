import { randomUUID } from 'node:crypto';
import type { Express, Request, Response } from 'express';
import type { AccessToken, RequestContext, Viewer } from '../kernel/context.ts';
import type { Endpoint, RateLimit, UploadedFile } from '../kernel/endpoint.ts';
import { forbidden, invalid, notFound, RookeryError, unauthorized } from '../kernel/errors.ts';
import { discardUploads, parseBody, parseQuery } from './bodies.ts';
import { Context, type ContextDependencies } from './context.ts';
import { errorReply } from './errors.ts';
import { identify, type CommandIdentity } from './idempotency.ts';
import { sendPreflight, sendReply } from './reply.ts';
import { Routes } from './routes.ts';

export interface Authenticated {
  token: AccessToken;
  viewer: Viewer | undefined;
}

export interface MountDependencies extends ContextDependencies {
  authenticate: (bearer: string) => Promise<Authenticated | undefined>;
  holds: (granted: readonly string[], required: string) => boolean;
  /** @returns headers that tell the client what is left @throws RookeryError `too_many_requests` */
  limit: (
    kind: RateLimit,
    client: { ip: string; accountId: string | undefined },
  ) => Promise<Record<string, string>>;
  clientAddress: (req: Request) => string;
  /** Called for each request of an active user. */
  seen: (viewer: Viewer) => void;
  /** Called once per request, after the reply. `seconds` is how long it took. */
  observe: (request: {
    endpoint: Endpoint;
    status: number;
    seconds: number;
    error?: unknown;
    id: string;
  }) => void;
}

/** Puts endpoints into Express: all that they declare is enforced here, once. */
export function mount(app: Express, endpoints: readonly Endpoint[], dependencies: MountDependencies): void {
  const paths = new Set<string>();
  const routes = new Routes(endpoints);
  app.use((req, res, next) => {
    const route = routes.find(req.method, req.path);
    if (!route) return next();
    req.params = route.params;
    return serve(route.endpoint, req, res, dependencies);
  });
  for (const endpoint of endpoints) {
    const method = endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    app[method](endpoint.path, (req, res) => serve(endpoint, req, res, dependencies));
    paths.add(endpoint.path);
  }
  for (const path of paths) app.options(path, (_req, res) => sendPreflight(res));
}

async function serve(
  endpoint: Endpoint,
  req: Request,
  res: Response,
  dependencies: MountDependencies,
): Promise<void> {
  const started = performance.now();
  const id = randomUUID();
  const headers: Record<string, string> = { 'X-Request-Id': id };
  let failure: unknown;
  try {
    const reply = await answer(endpoint, req, id, headers, dependencies);
    sendReply(req, res, reply, headers, dependencies.instance.origin);
  } catch (error) {
    failure = error;
    const { status, body, headers: more } = errorReply(error);
    sendReply(req, res, { json: body, status, headers: more }, headers, dependencies.instance.origin);
  }
  const seconds = (performance.now() - started) / 1_000;
  dependencies.observe({ endpoint, status: res.statusCode, seconds, error: failure, id });
}

async function answer(
  endpoint: Endpoint,
  req: Request,
  requestId: string,
  headers: Record<string, string>,
  dependencies: MountDependencies,
): ReturnType<Endpoint['handler']> {
  const ip = dependencies.clientAddress(req);
  const query = parseQuery(searchOf(req.url));
  const caller = await authenticate(endpoint, req, query, dependencies);
  if (endpoint.limit !== 'none') {
    const accountId = caller?.token.account_id;
    Object.assign(headers, await dependencies.limit(endpoint.limit ?? 'default', { ip, accountId }));
  }
  authorize(endpoint, caller, dependencies.holds);
  if (caller?.viewer) dependencies.seen(caller.viewer);
  const input = await parse(endpoint, req, query);
  try {
    const context: RequestContext = new Context(dependencies, {
      requestId,
      ip,
      locale: req.headers['accept-language'],
      token: caller?.token,
      viewer: caller?.viewer,
      identity: await identityOf(endpoint, req, input, caller, dependencies),
    });
    return await endpoint.handler(context, input as never);
  } finally {
    if (input.files !== NOTHING.files) await discardUploads(input.files);
  }
}

const searchOf = (url: string): string => {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark + 1);
};

/** RFC 6750: the header, or the query (only for reading, as browsers' media elements and old clients do). */
function bearerOf(req: Request, query: Record<string, unknown>): string | undefined {
  const header = req.headers.authorization;
  if (header !== undefined) return /^Bearer +([^\s]{1,512})$/i.exec(header)?.[1] ?? '';
  const parameter = req.method === 'GET' ? query['access_token'] : undefined;
  return typeof parameter === 'string' ? parameter : undefined;
}

async function authenticate(
  endpoint: Endpoint,
  req: Request,
  query: Record<string, unknown>,
  dependencies: MountDependencies,
): Promise<Authenticated | undefined> {
  if (endpoint.auth === 'public') return undefined;
  const bearer = bearerOf(req, query);
  if (bearer === undefined) {
    if (endpoint.auth === 'optional') return undefined;
    throw unauthorized('The access token is invalid');
  }
  const caller = await dependencies.authenticate(bearer);
  if (!caller) throw unauthorized('The access token is invalid');
  return caller;
}

/** The errors are Mastodon's: https://docs.joinmastodon.org/client/authorized/ and the methods' own pages. */
function authorize(
  { auth, scopes, allowUnconfirmed }: Endpoint,
  caller: Authenticated | undefined,
  holds: MountDependencies['holds'],
): void {
  if (!caller) return;
  const { token, viewer } = caller;
  if (auth === 'user' && !viewer) {
    throw invalid('This method requires an authenticated user');
  }
  if (viewer) requireActive(viewer, allowUnconfirmed === true);
  // Who has moved looks on, but acts no more.
  if (auth === 'user' && viewer?.moved) throw forbidden('Your login is currently disabled');
  if (auth === 'public' || scopes.length === 0) return;
  if (!scopes.some((scope) => holds(token.scopes, scope))) {
    throw forbidden('This action is outside the authorized scopes');
  }
}

function requireActive(viewer: Viewer, allowUnconfirmed: boolean): void {
  if (viewer.disabled || viewer.suspended) throw forbidden('Your login is currently disabled');
  if (!viewer.confirmed && !allowUnconfirmed) {
    throw forbidden('Your login is missing a confirmed e-mail address');
  }
  if (!viewer.approved && !allowUnconfirmed) throw forbidden('Your login is currently pending approval');
}

interface Input {
  params: unknown;
  query: unknown;
  body: unknown;
  files: Record<string, UploadedFile>;
}

/** Mastodon takes parameters from the body or the query alike; the body wins. */
async function parse(endpoint: Endpoint, req: Request, query: Record<string, unknown>): Promise<Input> {
  const params = endpoint.params?.safeParse(req.params);
  // An id that cannot be one names nothing.
  if (params && !params.success) throw notFound();
  const { fields, files } =
    req.method === 'GET' || !endpoint.body
      ? NOTHING
      : await parseBody(req, endpoint.files ? { files: endpoint.files } : {});
  return {
    params: params?.data ?? {},
    query: endpoint.query ? endpoint.query.parse(query) : {},
    body: endpoint.body ? endpoint.body.parse({ ...query, ...fields }) : {},
    files,
  };
}

const NOTHING = { fields: {}, files: {} };

async function identityOf(
  endpoint: Endpoint,
  req: Request,
  input: Input,
  caller: Authenticated | undefined,
  { db, newId }: MountDependencies,
): Promise<CommandIdentity | undefined> {
  const key = req.headers['idempotency-key'];
  if (endpoint.method === 'GET' || typeof key !== 'string' || key === '' || !caller) return undefined;
  if (key.length > 256) throw new RookeryError('bad_request', 'The Idempotency-Key is too long');
  const content = JSON.stringify([endpoint.method, req.originalUrl, input.body]);
  const owner = caller.token.account_id ?? caller.token.id;
  return identify(db, { owner, key, content }, { now: new Date().toISOString(), id: newId() });
}
