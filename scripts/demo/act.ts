import { randomUUID } from 'node:crypto';
import type { App } from '#app/app.ts';
import { endpoints } from '#app/routes.ts';
import { admitStranger, type Authenticated, authorize } from '#interfaces/http/caller.ts';
import { parsePermitted } from '#interfaces/http/permitted.ts';
import { type CommandContext, Context, type UserContext } from '#kernel/context.ts';
import type { Endpoint, LongReply, Reply, UploadedFile } from '#kernel/endpoint.ts';
import { OPERATOR } from '#kernel/event.ts';
import { idGenerator } from '#kernel/ids.ts';
import { parseJson } from '#kernel/json-pieces.ts';
import { holds } from '#mastodon/scopes.ts';
import { projections } from '#projections/index.ts';

/** A request to an endpoint, as a client would send it. */
export interface Act {
  /** The bearer token; a stranger's request has none. */
  token?: string;
  /** The moment at which it is sent, in milliseconds since 1970; now unless given. */
  at?: number;
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
  files?: Record<string, UploadedFile>;
}

/**
 * Calls the endpoints of the API in this process, at moments of the past.
 *
 * A request to a server happens now. Its handler, though, takes the time and the ids of what it creates from its context, which
 * makes a repeated request the same as the first one (`CommandIdentity`). So the demo hands the handlers a context with an earlier
 * moment and a generator of ids of that moment. Everything else is as in `src/interfaces/http/mount.ts`: the token, its scopes and
 * permissions, and the schemas of the parameters are checked, and the decisions are those of any request.
 */
export interface Acting {
  call<Json = unknown>(route: string, act?: Act): Promise<Json>;
  /** The context of a command of the operator's, as on the command line. */
  operator(at?: number): CommandContext;
  /** The context of a user's own command on a page, where they are signed in. */
  person(token: string, at?: number): Promise<UserContext>;
  /** Waits until the read models contain everything that is in the log now. */
  settle(): Promise<void>;
}

const byRoute = new Map<string, Endpoint>(endpoints.map((each) => [`${each.method} ${each.path}`, each]));
/** Milliseconds that the read models may take. */
const PATIENCE = 60_000;

export function actingOn(app: App): Acting {
  return {
    call: async <Json>(route: string, act: Act = {}) => {
      const endpoint = byRoute.get(route);
      if (!endpoint) throw new Error(`There is no endpoint ${route}`);
      return jsonOf(await handle(app, endpoint, act)) as Json;
    },
    operator: (at) => new Context(...contextAt(app, at, { rule: OPERATOR })),
    person: async (token, at) => {
      const caller = await app.authenticator.authenticate(token);
      return new Context(...contextAt(app, at, { ...caller })) as UserContext;
    },
    settle: async () => {
      const head = await app.log.head();
      const groups = [...new Set(projections.map(({ group }) => group))];
      const all = await Promise.all(
        groups.map(async (group) => app.checkpoints.reached(group, head, PATIENCE)),
      );
      if (!all.every(Boolean)) throw new Error('The read models do not catch up');
    },
  };
}

async function handle(app: App, endpoint: Endpoint, act: Act): Promise<Reply | LongReply> {
  const caller = await callerOf(app, endpoint, act.token);
  const input = {
    params: parsed(endpoint.params, act.params),
    query: parsed(endpoint.query, act.query),
    body: parsed(endpoint.body, act.body),
    files: act.files ?? {},
  };
  const { reads, defers } = endpoint;
  const context = new Context(...contextAt(app, act.at, { ...caller, reads, defers }));
  const reply = await endpoint.handler(context, input as never);
  await context.finishWrites();
  return reply;
}

async function callerOf(
  app: App,
  endpoint: Endpoint,
  token: string | undefined,
): Promise<Authenticated | undefined> {
  if (token === undefined) {
    admitStranger(endpoint, app.instance);
    return undefined;
  }
  const caller = await app.authenticator.authenticate(token);
  if (!caller) throw new Error(`The token for ${endpoint.path} is not valid`);
  return authorize(endpoint, caller, holds);
}

function parsed(schema: Endpoint['body'], input: Record<string, unknown> = {}): unknown {
  if (!schema) return {};
  const { success, data, error } = parsePermitted(schema, input);
  if (!success) throw error;
  return data;
}

type More = Partial<ConstructorParameters<typeof Context>[1]>;

function contextAt(app: App, at: number = Date.now(), more: More): ConstructorParameters<typeof Context> {
  const newId = idGenerator(() => at);
  const now = new Date(at).toISOString();
  const identity = { commandId: randomUUID(), firstId: newId(), now, repeated: false };
  const request = { requestId: randomUUID(), ip: '127.0.0.1', locale: undefined, identity };
  return [
    { ...app.contextDependencies, newId },
    { ...request, ...more },
  ];
}

function jsonOf(reply: Reply | LongReply): unknown {
  if ('json' in reply) return reply.json;
  if ('pieces' in reply) throw new Error('A file is no JSON');
  return typeof reply.text === 'string' ? JSON.parse(reply.text) : parseJson(reply.text);
}
