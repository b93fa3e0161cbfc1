import { expect } from 'chai';
import { activity, FEDERATING, HERE, type Json } from '../support/inbox.ts';
import { startPeer, type Peer } from '../support/peer.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';

export const ALICE = `${HERE}/users/alice`;

/** A server with two people, another one that it federates with, and one whose people mean no good. */
interface Cast {
  server: TestServer;
  peer: Peer;
  evil: Peer;
  alice: TestUser;
  bob: TestUser;
}

/** What happens in it; of its helpers, `of` is the peer unless given. */
export interface InboxScene {
  start(): Promise<Cast>;
  close(): Promise<void>;
  /** Who sends. */
  by(name: string, of?: Peer): { peer: Peer; name: string };
  /** An activity by somebody. */
  sent(name: string, type: string, object: unknown, more?: Json, of?: Peer): Json;
  /** The id of an account here, by its URI elsewhere; it is known then. */
  accountOf(uri: string): Promise<string>;
  /** What a client of the user is answered, with 200. */
  // Specs look at single members.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  as(user: TestUser, method: string, path: string, body?: object): Promise<any>;
}

/** For one suite: its helpers may be used once it has started. */
export function inboxScene(): InboxScene {
  let cast: Cast | undefined;
  const there = (): Cast => {
    if (!cast) throw new Error('The scene has not started');
    return cast;
  };
  return {
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
    async accountOf(uri) {
      const { services } = there().server.app.contextDependencies;
      return (await services.resolver.resolve(uri))?.account ?? '';
    },
    async as(user, method, path, body) {
      const options = { token: user.token, ...(body ? { body } : {}) };
      const answer = await there().server.call(method, path, options);
      expect(answer.status, `${method} ${path}`).equal(200);
      return answer.body as unknown;
    },
  };
}
