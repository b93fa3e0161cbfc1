import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { discard, freshSettings, type Settings } from '../support/process.ts';
import { eventually } from '../support/eventually.ts';

describe('npm start', function () {
  this.timeout(60_000);
  let settings: Settings;

  before(async () => {
    settings = await freshSettings();
  });
  after(() => discard(settings));

  const answers = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${settings['PORT']}/health`).then(
      (reply) => reply.ok,
      () => false,
    );

  it('passes SIGTERM on, so that no server process is left behind', async () => {
    const { PATH = '', HOME = '' } = process.env;
    const npm = spawn('npm', ['start'], {
      cwd: resolve(import.meta.dirname, '../..'),
      env: { PATH, HOME, ...settings },
      stdio: 'ignore',
    });
    const ended = once(npm, 'exit');
    await eventually(async () => expect(await answers()).to.equal(true));
    npm.kill('SIGTERM');
    await ended;
    expect(await answers()).to.equal(false);
  });
});
