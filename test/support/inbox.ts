import { expect } from 'chai';
import {
  DomainBlocked,
  type DomainBlockEvent,
  domainBlockStream,
  type DomainRules,
} from '#events/admin-domain-blocks.ts';
import { type UserDomainBlockEvent, userDomainBlockStream } from '#events/domain-blocks.ts';
import { eventually } from './eventually.ts';
import { ACTIVITY_JSON, ask, type Peer, type SignOptions } from './peer.ts';
import type { TestServer, TestUser } from './server.ts';

/** The domain of the server under test. */
export const HERE = 'http://rookery.example';
export const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';
/** Settings of a server that federates with servers on loopback. */
export const FEDERATING = { LOCAL_HTTPS: 'false', ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8' };

export type Json = Record<string, unknown>;
type Headers = Record<string, string | string[]>;

export interface SendOptions extends SignOptions {
  path?: string;
  type?: string;
  /** Changes to the request after it was signed. */
  headersAfter?: (headers: Record<string, string>) => Headers;
  bodyAfter?: string | Buffer;
  /** The address of loopback that the request comes from. */
  from?: string;
  /** The request target, if it is not the path. */
  target?: string;
}

let made = 0;

/** Returns an activity with a unique id, by an actor of a peer. */
export const activity = (peer: Peer, name: string, type: string, object: unknown, more: Json = {}): Json => ({
  '@context': 'https://www.w3.org/ns/activitystreams',
  id: `${peer.origin}/activities/${(made += 1)}`,
  type,
  actor: `${peer.origin}/users/${name}`,
  object,
  ...more,
});

/** Sends an activity, signed by an actor of a peer, to an inbox. */
export async function send(
  server: { url: string },
  { peer, name }: { peer: Peer; name: string },
  content: Json | string,
  options: SendOptions = {},
): Promise<Awaited<ReturnType<typeof ask>>> {
  const { path = '/inbox', type = ACTIVITY_JSON, headersAfter, bodyAfter, from, target, ...sign } = options;
  const body = typeof content === 'string' ? content : JSON.stringify(content);
  const headers = await peer.sign(name, `${HERE}${path}`, {
    ...sign,
    method: 'POST',
    body,
    headers: { 'content-type': type, ...sign.headers },
  });
  const sent = bodyAfter ?? body;
  const after = headersAfter ? headersAfter(headers) : headers;
  const length = String(Buffer.byteLength(sent));
  const base = { url: server.url, from };
  return ask(base, target ?? path, { ...after, 'content-length': length }, 'POST', sent);
}

/** Waits until all accepted activities are processed, with everything that follows from them. */
export async function carriedOut(server: TestServer): Promise<void> {
  const { db } = server.app;
  await eventually(async () => {
    const [row] = await db.query<{ waiting: number }>(
      'select count(*)::int as waiting from durable.inbox_activities',
    );
    expect(row?.waiting, 'activities under way').equal(0);
    const [schema] = await db.query<{ job: string | null }>(`select to_regclass('jobs.job')::text as job`);
    if (schema?.job == null) return;
    const [jobs] = await db.query<{ waiting: number }>(
      `select count(*)::int as waiting from jobs.job where state in ('created', 'retry', 'active')
         and (name = 'fetch-ancestor'
           or name in ('fetch-collection', 'refresh-profile', 'resolve-mentions', 'synchronize-followers') and start_after <= now())`,
    );
    expect(jobs?.waiting, 'ancestors, profiles and mentions to fetch').equal(0);
  });
  await server.waitUntilIdle();
}

/** Sends an activity and waits until it is processed. */
export async function deliver(
  server: TestServer,
  by: { peer: Peer; name: string },
  content: Json,
  options: SendOptions = {},
): Promise<void> {
  const { status, body } = await send(server, by, content, options);
  expect(status, body).equal(202);
  await carriedOut(server);
}

/** Asserts that the activity is accepted and adds no event. */
export async function expectIgnored(
  server: TestServer,
  by: { peer: Peer; name: string },
  content: Json,
  why: string,
): Promise<void> {
  await carriedOut(server);
  const before = await server.app.log.head();
  const { status, body } = await send(server, by, content);
  expect(status, `${why}: ${body}`).equal(202);
  await carriedOut(server);
  expect(await server.app.log.head(), why).equal(before);
}

/** Lets a user block a server whose name includes a port. */
export async function blockServerAs(
  server: TestServer,
  user: Pick<TestUser, 'id'>,
  domain: string,
): Promise<void> {
  const ctx = server.app.systemContext('spec');
  const data = { id: ctx.newId(), account_id: user.id, domain };
  await ctx.execute(
    userDomainBlockStream(user.id, domain),
    { initialState: null, evolve: () => null },
    (): UserDomainBlockEvent[] => [{ type: 'UserDomainBlocked', data }],
  );
  await server.waitUntilIdle();
}

/** Creates an actor on a peer that records what arrives in its inbox. @returns its URI */
export function actorWithInbox(peer: Peer, name: string, arrivals: Json[], changes: Json = {}): string {
  const uri = peer.actor(name, changes);
  peer.put(`/users/${name}/inbox`, (req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      arrivals.push(JSON.parse(Buffer.concat(chunks).toString()) as Json);
      res.status(202).end();
    });
  });
  return uri;
}

/** Blocks or limits a server through events: its name includes a port here, which the form refuses. */
export async function blockDomain(
  server: TestServer,
  { domain, ...rules }: { domain: string } & Partial<DomainRules>,
): Promise<void> {
  const ctx = server.app.systemContext('spec');
  const usual = DomainBlocked.samples[1] as unknown as DomainRules;
  const data = { ...usual, reject_reports: false, ...rules, id: ctx.newId(), domain };
  await ctx.execute(
    domainBlockStream(domain),
    { initialState: null, evolve: () => null },
    (): DomainBlockEvent[] => [{ type: 'DomainBlocked', data }],
  );
  await server.waitUntilIdle();
}
