import { expect } from 'chai';
import { listen } from '../streaming/support.ts';
import { healthOf, type Reply, send, signUp } from '../support/api-client.ts';
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
import { startTestRedis, type TestRedis } from '../support/redis.ts';

/** The number of posts in a row. Each is read from the home timeline of the other process. */
const ROUNDS = 10;

describe('Several processes whose Redis is unavailable at times', function () {
  this.timeout(120_000);
  let common: Settings;
  let redis: TestRedis | undefined;
  let running: RookeryProcess[] = [];

  const start = async (role: string): Promise<RookeryProcess> => {
    const started = await startRookery({ ...common, ROLE: role, PORT: String(await freePort()) });
    running.push(started);
    return started;
  };
  const health = async (api: RookeryProcess): Promise<Reply> => healthOf(api.url);

  before(async function () {
    redis = await startTestRedis({ away: true });
    if (!redis) return this.skip();
    common = await freshSettings({
      DATABASE_URL: await freshDatabase(),
      LOCAL_DOMAIN: 'rookery.example',
      REDIS_URL: redis.url,
      RATE_LIMITS: 'on',
    });
  });
  after(async () => {
    await Promise.all(running.map((each) => each.end()));
    running = [];
    await redis?.stop();
    if (redis) await discard(common);
  });

  it('start and serve without it, let clients read their own writes, and reconnect later', async () => {
    const [, first, second] = await Promise.all([start('projector'), start('api'), start('api')]);
    const { token } = await signUp(first.url, common['DATA_DIR'] ?? '', 'alice');
    const stream = await listen(second.url, token, 'user');
    let posts = 0;
    const writeAndRead = async (when: string): Promise<void> => {
      for (let n = 0; n < ROUNDS; n += 1) {
        const [writer, reader] = n % 2 === 0 ? [first, second] : [second, first];
        const made = await send(writer.url, 'POST', '/api/v1/statuses', {
          token,
          body: { status: `${when} ${n}` },
        });
        expect(made.status, when).to.equal(200);
        expect(made.headers.get('x-ratelimit-remaining'), when).to.match(/^\d+$/);
        posts += 1;
        const home = await send(reader.url, 'GET', '/api/v1/timelines/home', { token });
        expect([home.status, home.body[0]?.content], when).to.deep.equal([200, `<p>${when} ${n}</p>`]);
      }
    };
    const warned = async (warnings: string[] | undefined): Promise<void> => {
      for (const api of [first, second]) {
        await eventually(async () => {
          const { status, body } = await health(api);
          expect({ status, body }).to.deep.equal({
            status: 200,
            body: { status: 'UP', ...(warnings ? { warnings } : {}) },
          });
        });
      }
    };

    await writeAndRead('never there');
    await warned(['redis']);
    await redis?.startAgain();
    await warned(undefined);
    await writeAndRead('there');
    await redis?.kill();
    await writeAndRead('killed');
    await warned(['redis']);
    await redis?.startAgain();
    await writeAndRead('coming back');
    await warned(undefined);
    await writeAndRead('back');
    redis?.hang();
    await writeAndRead('silent');
    await warned(['redis']);
    for (let n = 0; n < posts; n += 1) expect((await stream.next()).event).to.equal('update');
  });
});
