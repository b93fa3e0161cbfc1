import { expect } from 'chai';
import { send, signUp } from '../support/api-client.ts';
import { freshDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import {
  discard,
  freshSettings,
  type RookeryProcess,
  type Settings,
  startRookery,
} from '../support/process.ts';

const redisUrl = process.env['TEST_REDIS_URL'];
const WARNING = 'another process serves the API on this database';

describe('Two processes that each run all roles on one database', function () {
  this.timeout(60_000);
  let common: Settings;
  let running: RookeryProcess[] = [];

  const start = async (more: Settings = {}): Promise<RookeryProcess> => {
    const server = await startRookery({ ...common, PORT: String(await freePort()), ...more });
    running.push(server);
    return server;
  };
  const warnings = ({ output }: RookeryProcess): number => output().split(WARNING).length - 1;

  beforeEach(async () => {
    common = await freshSettings({ DATABASE_URL: await freshDatabase(), LOCAL_DOMAIN: 'rookery.example' });
  });
  afterEach(async () => {
    await Promise.all(running.map((server) => server.end()));
    running = [];
    await discard(common);
  });

  it("each warn once when they do not share Redis, and serve each other's posts", async () => {
    const first = await start();
    expect(warnings(first)).to.equal(0);
    const second = await start();
    await eventually(() => expect([first, second].map(warnings)).to.deep.equal([1, 1]));
    expect(first.output()).to.include('REDIS_URL');
    const { token } = await signUp(first.url, common['DATA_DIR'] ?? '', 'alice');
    for (let n = 0; n < 20; n += 1) {
      const [writer, reader] = n % 2 === 0 ? [first, second] : [second, first];
      const { status, body } = await send(writer.url, 'POST', '/api/v1/statuses', {
        token,
        body: { status: `number ${n}` },
      });
      expect(status).to.equal(200);
      const read = await send(reader.url, 'GET', `/api/v1/statuses/${body.id as string}`, { token });
      expect(read.status, `number ${n}`).to.equal(200);
    }
    await start({ ROLE: 'api' });
    expect([first, second].map(warnings)).to.deep.equal([1, 1]);
  });

  it('do not warn about processes that serve no API', async () => {
    const server = await start();
    await start({ ROLE: 'projector' });
    await start({ ROLE: 'reactor' });
    expect(running.map(warnings)).to.deep.equal([0, 0, 0]);
    expect(warnings(server)).to.equal(0);
  });

  it('do not warn when both use Redis, and warn when one does not', async function () {
    if (!redisUrl) return this.skip();
    const [first, second] = [await start({ REDIS_URL: redisUrl }), await start({ REDIS_URL: redisUrl })];
    await signUp(second.url, common['DATA_DIR'] ?? '', 'alice');
    expect([first, second].map(warnings)).to.deep.equal([0, 0]);
    const third = await start();
    await eventually(() => expect([first, second, third].map(warnings)).to.deep.equal([1, 1, 1]));
  });
});
