import { expect } from 'chai';
import { rookeryBeside } from '../support/command-line.ts';
import { startTown, type Town } from '../support/people.ts';
import { startTestServer } from '../support/server.ts';
import { openCheckpoint, treeHash } from './auditor.ts';

const LOG = '/.well-known/rookery/log';

describe('The public log over HTTP', function () {
  this.timeout(90_000);
  let town: Town;
  before(async () => {
    town = await startTown();
    const alice = await town.person('alice');
    await alice.post('/api/v1/statuses', { status: 'for everybody' });
    await alice.post('/api/v1/statuses', { status: 'for one', visibility: 'direct' });
    await town.waitUntilIdle();
    await town.app.transparencyLog.record();
  });
  after(() => town.close());

  const get = (path: string): Promise<Response> => fetch(`${town.url}${LOG}/${path}`);
  const published = async (): Promise<{ size: number; root: Buffer }> => {
    const key = await (await fetch(`${town.url}/.well-known/rookery/key`)).text();
    return openCheckpoint(await (await get('checkpoint')).text(), key.trim()) ?? expect.fail('Not signed');
  };

  it('has a checkpoint, and the tiles of its tree, which may be cached for ever', async () => {
    const { size, root } = await published();
    const path = size < 256 ? `tile/0/000.p/${size}` : 'tile/0/000';
    const response = await get(path);
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.equal('application/octet-stream');
    expect(response.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
    const tile = Buffer.from(await response.arrayBuffer());
    expect(tile).to.have.length(size * 32);
    const leaves = Array.from({ length: size }, (_, n) => tile.subarray(n * 32, (n + 1) * 32));
    expect(treeHash(leaves).equals(root)).to.equal(true);
    expect((await get('checkpoint')).headers.get('cache-control')).to.equal('public, max-age=5');
  });

  it('shows type and time of a public post, and nothing else of any event', async () => {
    const { size } = await published();
    const text = await (await get(`entries/000.p/${size}`)).text();
    const entries = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(entries).to.have.length(size);
    const shown = entries.filter(({ type }) => type !== undefined);
    expect(shown.map(({ type }) => type)).to.deep.equal(['StatusCreated']);
    expect(shown[0]).to.have.all.keys('position', 'type', 'time', 'leaf');
    for (const entry of entries.filter(({ type }) => type === undefined)) {
      expect(entry).to.have.all.keys('position', 'leaf');
    }
  });

  it('has nothing beyond the end, and refuses what names no tile', async () => {
    const { size } = await published();
    const absent = [
      `tile/0/000.p/${size + 1}`,
      'tile/0/001',
      'tile/1/000',
      'tile/63/x999/x999/x999/x999/999',
    ];
    for (const path of [...absent, 'entries/001']) expect((await get(path)).status, path).to.equal(404);
    const wrong = [
      'tile/0/0',
      'tile/64/000',
      'tile/00/000',
      'tile/0/000.p/256',
      'tile/x/000',
      'tile/0/000.p/0',
    ];
    const others = ['tile/0/-01', 'tile/0/000%00', 'entries/1', 'entries/000.p/1/2', 'tile/0/x000/001'];
    for (const path of [...wrong, ...others]) {
      const response = await get(path);
      expect(response.status, path).to.equal(400);
      expect(await response.json(), path).to.have.property('error');
    }
  });

  it('is followed by the command line', async () => {
    const result = await rookeryBeside(town.app, 'log', 'monitor', town.url);
    expect(result, result.stderr).to.include({ code: 0 });
    expect(result.stdout).to.match(/^Unaltered: rookery\.example, \d+ events/);
  });

  it('answers an address 3,000 times in five minutes', async () => {
    const server = await startTestServer({ RATE_LIMITS: 'true', RATE_LIMIT_EXEMPT_LOOPBACK: 'false' });
    try {
      const statuses = new Map<number, number>();
      for (let n = 0; n < 3_010; n += 10) {
        const ten = Array.from({ length: 10 }, () => server.call('GET', `${LOG}/tile/0/999`));
        for (const { status } of await Promise.all(ten))
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      expect([...statuses]).to.deep.equal([
        [404, 3_000],
        [429, 10],
      ]);
      // Others read on, and so does this address elsewhere.
      expect((await server.call('GET', '/api/v1/instance')).status).to.equal(200);
    } finally {
      await server.close();
    }
  });
});
