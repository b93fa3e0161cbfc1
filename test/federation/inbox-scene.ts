import { expect } from 'chai';
import type { Resolved } from '#kernel/services/federation.ts';
import {
  activity,
  actorWithInbox,
  carriedOut,
  deliver,
  FEDERATING,
  HERE,
  type Json,
  PUBLIC,
} from '../support/inbox.ts';
import { type Peer, startPeer } from '../support/peer.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { delivered } from './remote-server.ts';

export const ALICE = `${HERE}/users/alice`;

/** A server with two users, a peer that it federates with, and a third server whose actors may attack. */
interface Cast {
  server: TestServer;
  peer: Peer;
  evil: Peer;
  alice: TestUser;
  bob: TestUser;
}

/** The helpers of a spec with two other servers. `of` defaults to `peer`. */
export interface InboxScene {
  start(): Promise<Cast>;
  close(): Promise<void>;
  /** The sender of an activity. */
  by(name: string, of?: Peer): { peer: Peer; name: string };
  /** Builds an activity of an actor, with a new id. */
  sent(name: string, type: string, object: unknown, more?: Json, of?: Peer): Json;
  /** Builds a public post of an actor, with a new id. Its server does not serve it. */
  note(name: string, changes?: Json, of?: Peer): Json & { id: string };
  /** Makes an actor whose inbox collects activities for `news`. Returns its URI. */
  actor(name: string, of?: Peer): string;
  /** Fetches the account or post at an address and makes it known here. */
  resolve(uri: string): Promise<Resolved | undefined>;
  /** Returns the local id of a remote account after making it known here. */
  accountOf(uri: string): Promise<string>;
  /** Makes a user follow an actor, who accepts. Returns the id of the account here. */
  follow(user: TestUser, name: string, of?: Peer): Promise<string>;
  /**
   * Waits until all work and all deliveries are done. Returns the activities that arrived since the last
   * call.
   */
  news(): Promise<{ peer: Json[]; evil: Json[] }>;
  /** Calls the API as the user. */
  call(user: TestUser, method: string, path: string, body?: object): ReturnType<TestServer['call']>;
  /** Calls the API as the user and expects status 200. Returns the body. */
  // Specs read members of many different bodies.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  as(user: TestUser, method: string, path: string, body?: object): Promise<any>;
  /** Fetches the document of a local URI as other servers do. */
  fetched(uri: string): Promise<{ status: number; body: Json }>;
}

/** Returns the helpers for one suite. They work once `start` has resolved. */
export function inboxScene(): InboxScene {
  let cast: Cast | undefined;
  const arrivals = { peer: [] as Json[], evil: [] as Json[] };
  let made = 0;
  const there = (): Cast => {
    if (!cast) throw new Error('The scene has not started');
    return cast;
  };
  const scene: InboxScene = {
    async start() {
      const [server, peer, evil] = await Promise.all([startTestServer(FEDERATING), startPeer(), startPeer()]);
      const [alice, bob] = await Promise.all([server.user('alice'), server.user('bob')]);
      return (cast = { server, peer, evil, alice, bob });
    },
    async close() {
      await Promise.all([cast?.server.close(), cast?.peer.close(), cast?.evil.close()]);
    },
    by: (name, of = there().peer) => ({ peer: of, name }),
    sent: (name, type, object, more = {}, of = there().peer) => activity(of, name, type, object, more),
    note: (name, changes = {}, of = there().peer) => ({
      id: `${of.origin}/sent/${(made += 1)}`,
      type: 'Note',
      attributedTo: `${of.origin}/users/${name}`,
      content: '<p>Rooks</p>',
      published: '2026-11-20T08:00:00Z',
      to: [PUBLIC],
      cc: [],
      ...changes,
    }),
    actor: (name, of = there().peer) =>
      actorWithInbox(of, name, of === there().peer ? arrivals.peer : arrivals.evil),
    resolve: (uri) => there().server.app.contextDependencies.services.resolver.resolve(uri),
    accountOf: async (uri) => (await scene.resolve(uri))?.account ?? '',
    async follow(user, name, of = there().peer) {
      const object = `${of.origin}/users/${name}`;
      const id = await scene.accountOf(object);
      await scene.as(user, 'POST', `/api/v1/accounts/${id}/follow`);
      const actor = `${HERE}/users/${user.username}`;
      const accept = scene.sent(name, 'Accept', { type: 'Follow', actor, object }, {}, of);
      await deliver(there().server, scene.by(name, of), accept);
      return id;
    },
    async news() {
      await carriedOut(there().server);
      await delivered(there().server);
      return { peer: arrivals.peer.splice(0), evil: arrivals.evil.splice(0) };
    },
    call: (user, method, path, body) =>
      there().server.call(method, path, { token: user.token, ...(body ? { body } : {}) }),
    async as(user, method, path, body) {
      const answer = await scene.call(user, method, path, body);
      expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).equal(200);
      return answer.body;
    },
    async fetched(uri) {
      const headers = { Accept: 'application/activity+json' };
      const { status, body } = await there().server.call('GET', uri.slice(HERE.length), { headers });
      return { status, body: (typeof body === 'string' && body !== '' ? JSON.parse(body) : body) as Json };
    },
  };
  return scene;
}
