import { expect } from 'chai';
import { account } from '#commands/accounts/index.ts';
import { type AccountEvent, accountStream } from '#events/accounts.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import {
  delivered,
  ORIGIN,
  type RemoteAccount,
  type RemoteServer,
  startRemoteServer,
} from './remote-server.ts';

export const ALICE = `${ORIGIN}/users/alice`;
/** The inboxes of alice's followers: two followers share an inbox, and the third has its own. */
export const FOLLOWERS = ['far.example/inbox', 'wide.example/users/loner/inbox'];
export const toFollowers = (type: string): string[] => FOLLOWERS.map((inbox) => `${inbox} ${type}`);

/** A server with two users, and two remote servers with accounts. */
export class Scene {
  readonly server: TestServer;
  readonly alice: TestUser;
  readonly bob: TestUser;
  far!: RemoteServer;
  wide!: RemoteServer;
  /** Accounts of far.example, which has one shared inbox. */
  fan!: RemoteAccount;
  fan2!: RemoteAccount;
  /** Accounts of wide.example: `loner` has an inbox of its own, `stranger` uses the shared one. */
  loner!: RemoteAccount;
  stranger!: RemoteAccount;

  private constructor(server: TestServer, alice: TestUser, bob: TestUser) {
    this.server = server;
    this.alice = alice;
    this.bob = bob;
  }

  static async start(): Promise<Scene> {
    const server = await startTestServer({ LOCAL_HTTPS: 'false', ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8' });
    const [alice, bob] = await Promise.all([server.user('alice'), server.user('bob')]);
    return new Scene(server, alice, bob);
  }

  /** Starts the remote servers and makes their accounts known here. */
  async meet(): Promise<void> {
    const { server } = this;
    [this.far, this.wide] = await Promise.all([
      startRemoteServer(server, 'far.example'),
      startRemoteServer(server, 'wide.example'),
    ]);
    this.fan = await this.far.account('fan');
    this.fan2 = await this.far.account('fan2');
    this.loner = await this.wide.account('loner', { shared: false });
    this.stranger = await this.wide.account('stranger');
    await server.waitUntilIdle();
  }

  async close(): Promise<void> {
    expect([...this.far.refused, ...this.wide.refused], 'every signature holds').deep.equal([]);
    await Promise.all([this.server.close(), this.far.peer.close(), this.wide.peer.close()]);
  }

  // Specs read members of many different replies.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  async call(method: string, path: string, user: TestUser, body: object = {}): Promise<any> {
    const answer = await this.server.call(method, path, {
      token: user.token,
      ...(method === 'GET' || method === 'DELETE' ? {} : { body }),
    });
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).equal(200);
    return answer.body;
  }

  post(user: TestUser, body: object): Promise<{ id: string; uri: string }> {
    return this.call('POST', '/api/v1/statuses', user, body);
  }

  async happen(id: string, ...events: AccountEvent[]): Promise<void> {
    await this.server.app.systemContext('spec').execute(accountStream(id), account, () => events);
    await this.server.waitUntilIdle();
  }

  /** Returns the inboxes and types of the activities that arrived since the last call, sorted. */
  async arrived(): Promise<string[]> {
    await delivered(this.server);
    return [this.far, this.wide]
      .flatMap((each) => each.news().map(({ inbox, activity }) => `${each.domain}${inbox} ${activity.type}`))
      .sort();
  }

  /** Returns the only activity that arrived at a server since the last call. */
  async only(at = this.far) {
    await delivered(this.server);
    const news = at.news();
    expect(news.map(({ activity }) => activity.type as string)).to.have.length(1);
    return news[0]?.activity;
  }
}
