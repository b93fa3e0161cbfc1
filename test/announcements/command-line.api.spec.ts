import { expect } from 'chai';
import type { Announcement } from '#mastodon/schemas/index.ts';
import { type Result, rookeryBeside } from '../support/command-line.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';

describe('The command rookery announcements beside a running server', function () {
  this.timeout(90_000);
  let server: TestServer;
  let alice: TestUser;

  before(async () => {
    server = await startTestServer();
    alice = await server.user('alice');
  });
  after(() => server.close());

  const rookery = (...args: string[]): Promise<Result> => rookeryBeside(server.app, 'announcements', ...args);
  const shown = async (): Promise<Announcement[]> =>
    (await server.call('GET', '/api/v1/announcements', { token: alice.token })).body as Announcement[];

  it('creates, edits, unpublishes, publishes and deletes', async () => {
    const days = ['--starts', '2999-12-01', '--ends', '2999-12-02', '--all-day'];
    const created = await rookery('create', 'We move, @alice', ...days);
    expect(created).to.deep.include({ code: 0, stderr: '' });
    const id = /^OK\n([0-9]+)\n$/.exec(created.stdout)?.[1] ?? '';
    const [announcement, ...others] = await shown();
    expect(others).to.deep.equal([]);
    expect(announcement).to.include({
      id,
      starts_at: '2999-12-01T00:00:00.000Z',
      ends_at: '2999-12-02T00:00:00.000Z',
      all_day: true,
    });
    expect(announcement?.mentions).to.have.length(1);
    expect((await rookery('edit', id, '--text', 'We stay', '--no-ends', '--no-all-day')).stdout).to.equal(
      'OK\n',
    );
    expect((await shown())[0]).to.include({ content: '<p>We stay</p>', ends_at: null, all_day: false });
    expect((await rookery('unpublish', id)).stdout).to.equal('OK\n');
    expect(await shown()).to.deep.equal([]);
    expect((await rookery('list')).stdout).to.equal(`${id}\tdraft\tWe stay\n`);
    expect((await rookery('publish', id)).stdout).to.equal('OK\n');
    expect(await shown()).to.have.length(1);
    expect((await rookery('delete', id)).stdout).to.equal('OK\n');
    expect((await rookery('list')).stdout).to.equal('');
  });

  it('reports a mistake in one line', async () => {
    const wrong: [string[], RegExp][] = [
      [['create', 'x', '--all-day'], /^Only what begins and ends/],
      [['create', 'x', '--starts', 'tomorrow'], /must be a time/],
      [['edit', '1'], /^Say what to change/],
      [['publish', '1'], /^There is no such announcement/],
    ];
    await Promise.all(
      wrong.map(async ([args, message]) => {
        const { code, stdout, stderr } = await rookery(...args);
        expect([code, stdout], args.join(' ')).to.deep.equal([args[0] === 'publish' ? 1 : 64, '']);
        expect(stderr.trimEnd()).to.match(message).and.not.to.contain('\n');
      }),
    );
  });
});
