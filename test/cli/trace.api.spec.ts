import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Result, rookeryBeside } from '../support/command-line.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';

const ID = 'x-request-id';

describe('rookery trace', function () {
  this.timeout(120_000);
  let server: TestServer;
  let alice: TestUser;
  let bob: TestUser;
  let folder: string;
  before(async () => {
    server = await startTestServer();
    alice = await server.user('alice');
    bob = await server.user('bob');
    folder = await mkdtemp(join(tmpdir(), 'rookery-trace-'));
  });
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const trace = (...args: string[]): Promise<Result> => rookeryBeside(server.app, 'trace', ...args);
  const post = async (status: string): Promise<string> => {
    const body = { status, visibility: 'direct' };
    const { headers } = await server.call('POST', '/api/v1/statuses', { token: alice.token, body });
    await server.waitUntilIdle();
    return headers.get(ID)!;
  };

  it('shows the events of a request, their author, and the read models that hold them', async () => {
    const id = await post('hello @bob');
    const { code, stdout, stderr } = await trace(id);
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    const [heading, first] = stdout.split('\n');
    expect(heading).to.match(/^POSITION +TIME +EVENT +STREAM +BY +BECAUSE OF$/);
    expect(first).to.match(new RegExp(`^\\d+ +\\S+Z +StatusCreated +status-\\d+@0 +${alice.id}$`));
    expect(stdout).to.match(/^statuses +main +\d[\d ]* holds them$/m);
    expect(stdout).to.match(/^notifications +notifications +\d[\d ]* holds them$/m);
  });

  it('shows what a reactor wrote because of an event of the request', async () => {
    const send = (user: TestUser, method: string, path: string, body?: object) =>
      server.call(method, path, { token: user.token, body });
    await send(bob, 'PATCH', '/api/v1/accounts/update_credentials', { locked: true });
    await send(alice, 'POST', `/api/v1/accounts/${bob.id}/follow`);
    const { headers } = await send(bob, 'PATCH', '/api/v1/accounts/update_credentials', { locked: false });
    await server.waitUntilIdle();
    const { stdout } = await trace(headers.get(ID)!);
    const [, unlocked = ''] = stdout.split('\n');
    expect(unlocked).to.match(new RegExp(`^\\d+ +\\S+ +AccountUpdated +\\S+ +${bob.id}$`));
    const position = unlocked.split(' ')[0]!;
    expect(stdout).to.match(
      new RegExp(`^\\d+ +\\S+ +FollowRequestAuthorized +\\S+ +unlocked-accounts +${position}$`, 'm'),
    );
  });

  it('finds the request in a file of log lines', async () => {
    const id = await post('once more');
    const line = {
      level: 20,
      time: 1_795_000_000_000,
      request: id,
      method: 'POST',
      route: '/api/v1/statuses',
      status: 200,
      ms: 12.5,
    };
    const file = join(folder, 'server.log');
    await writeFile(
      file,
      `no JSON ${id}\n${JSON.stringify({ ...line, request: 'other' })}\n${JSON.stringify(line)}\n`,
    );
    const { stdout } = await trace(id, '--log', file);
    expect(stdout.split('\n')[0]).to.equal('2026-11-18T11:06:40.000Z POST /api/v1/statuses: 200 in 12.5 ms');
  });

  it('reads the log only from the point that --since names', async () => {
    const id = await post('@bob a third');
    await post('@bob a fourth');
    const head = String(await server.app.log.head());
    const { code, stderr } = await trace(id, '--since', head);
    expect(code).to.equal(1);
    expect(stderr).to.match(new RegExp(`^No event has the correlation id ${id}: `));
    const [, row = ''] = (await trace(id)).stdout.split('\n');
    expect((await trace(id, '--since', row.split(' ')[0]!)).code).to.equal(0);
  });

  it('says that no event has an unknown id', async () => {
    const { headers } = await server.call('GET', '/api/v1/bookmarks', { token: alice.token });
    const { code, stdout, stderr } = await trace(headers.get(ID)!);
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    expect(stderr).to.contain('the request was refused, only read, or is older than --since');
  });
});
