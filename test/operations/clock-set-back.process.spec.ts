import { expect } from 'chai';
import { healthOf, send, signUp } from '../support/api-client.ts';
import { runRookery } from '../support/command-line.ts';
import { differences, discard, freshSettings, type Settings, startRookery } from '../support/process.ts';

const HOUR = 3_600_000;
const setBack = new URL(`../support/set-back-clock.ts?by=${HOUR}`, import.meta.url).href;

describe('A server whose clock was set back while it was down', function () {
  this.timeout(120_000);
  let settings: Settings;
  let late: Settings;

  before(async () => {
    settings = await freshSettings();
    late = { ...settings, NODE_OPTIONS: `--import=${setBack}` };
  });
  after(() => discard(settings));

  it('gives new posts larger ids than all before, so that an app that polls finds them, and warns', async () => {
    const before = await startRookery(settings);
    const { token } = await signUp(before.url, settings['DATA_DIR'] ?? '', 'alice');
    const post = async (url: string, status: string): Promise<string> => {
      const posted = await send(url, 'POST', '/api/v1/statuses', { token, body: { status } });
      expect(posted.status).to.equal(200);
      return (posted.body as { id: string }).id;
    };
    const seen = await post(before.url, 'Seen');
    expect((await healthOf(before.url)).body).to.deep.equal({ status: 'UP' });
    await before.end();

    for (const text of ['First', 'Second']) {
      const after = await startRookery(late);
      const id = await post(after.url, text);
      const path = `/api/v1/timelines/home?min_id=${seen}`;
      const polled = await send(after.url, 'GET', path, { token });
      expect((polled.body as { id: string }[]).map((each) => each.id)).to.include(id);
      expect((await healthOf(after.url)).body).to.deep.equal({ status: 'UP', warnings: ['clock'] });
      await after.end();
    }
    const { stdout } = await runRookery(['doctor'], late);
    expect(stdout).to.match(
      /^clock +warning: the clock of this machine is [56]\d min behind the newest entries of the log/m,
    );
    expect((await runRookery(['doctor'], settings)).stdout).to.match(/^clock +within /m);
    expect(await differences(settings)).to.deep.equal([]);
  });
});
