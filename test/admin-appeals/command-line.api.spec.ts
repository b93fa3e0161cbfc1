import { expect } from 'chai';
import { takeAction } from '#commands/accounts/index.ts';
import type { AccountAction } from '#events/moderation.ts';
import { type Result, rookeryBeside } from '../support/command-line.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';

describe('The command rookery appeals beside a running server', function () {
  this.timeout(90_000);
  let server: TestServer;
  let alice: TestUser;

  before(async () => {
    server = await startTestServer();
    alice = await server.user('alice');
  });
  after(() => server.close());

  const rookery = (...args: string[]): Promise<Result> => rookeryBeside(server.app, 'appeals', ...args);
  const appealed = async (action: AccountAction, text: string): Promise<string> => {
    const operator = server.app.systemContext('spec');
    const id = operator.newId();
    const strike = { id, action, text: 'Be kind', reportId: null, statusIds: [], notify: false };
    await takeAction(operator, alice.id, strike, undefined);
    await server.waitUntilIdle();
    const path = `/api/v1/strikes/${id}/appeal`;
    const { status, body } = await server.call('POST', path, { token: alice.token, body: { text } });
    expect(status).to.equal(200);
    return (body as { appeal: { id: string } }).appeal.id;
  };
  const alices = async (): Promise<{ limited?: boolean }> =>
    (await server.call('GET', `/api/v1/accounts/${alice.id}`)).body as { limited?: boolean };

  it('lists, approves and rejects appeals', async () => {
    expect(await rookery('list')).to.include({ code: 0, stdout: '', stderr: '' });
    const first = await appealed('silence', 'Not\n\u001b[31mme');
    const second = await appealed('none', 'x'.repeat(80));
    const [head = '', ...lines] = (await rookery('list')).stdout.trimEnd().split('\n');
    expect(head.split(/ +/)).to.deep.equal(['ID', 'STATE', 'ACCOUNT', 'ACTION', 'FILED', 'TEXT']);
    expect(lines.map((line) => line.split(/ {2,}/).toSpliced(4, 1))).to.deep.equal([
      [second, 'pending', '@alice', 'none', `${'x'.repeat(59)}…`],
      [first, 'pending', '@alice', 'silence', 'Not [31mme'],
    ]);
    expect(await alices()).to.include({ limited: true });
    expect(await rookery('approve', first, '--note', 'Sorry')).to.include({ code: 0, stdout: 'OK\n' });
    expect(await alices()).not.to.have.property('limited');
    expect(await rookery('reject', second)).to.include({ code: 0, stdout: 'OK\n' });
    expect((await rookery('list')).stdout).to.equal('');
    const all = (await rookery('list', '--state', 'all')).stdout.split('\n');
    expect(all.slice(1, 3).map((line) => line.split(/ +/).slice(0, 2))).to.deep.equal([
      [second, 'rejected'],
      [first, 'approved'],
    ]);
    expect((await rookery('list', '--state', 'approved')).stdout)
      .to.contain(first)
      .and.not.to.contain(second);
  });

  it('reports a mistake in one line and changes nothing', async () => {
    const id = await appealed('sensitive', 'Hm');
    await rookery('reject', id);
    const before = await server.app.log.head();
    for (const [args, message] of [
      [['approve', '100000000000000000'], /^Record not found\n$/],
      [['approve', id], /^This appeal is decided already\n$/],
      [['reject', id, '--note', 'x'.repeat(2_001)], /^Validation failed: Note is too long/],
    ] as const) {
      const { code, stdout, stderr } = await rookery(...args);
      expect([code, stdout], stderr).to.deep.equal([stderr.includes('not found') ? 1 : 64, '']);
      expect(stderr).to.match(message);
    }
    expect(await server.app.log.head()).to.equal(before);
  });
});
