import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import pino from 'pino';
import { type App, openApp } from '#app/app.ts';
import { createAccount } from '#commands/accounts/index.ts';
import { requestArchive } from '#commands/archives/index.ts';
import { loadConfig } from '#config/config.ts';
import { pause } from '#kernel/pause.ts';
import { textsMailedTo } from '../support/mails.ts';
import { differences, discard, freshSettings, type Settings, startRookery } from '../support/process.ts';
import { picture, uploadForm } from '../support/uploads.ts';
import { kept } from './scene.ts';

const LONG_AGO = `update jobs.job set started_on = now() - interval '1 hour' where state = 'active'`;
/** Zeros use no disk space, and take longer to pack than any test waits. */
const LARGE = 6 * 1024 ** 3;

describe('Archives after a crash', function () {
  this.timeout(180_000);
  let settings: Settings;
  before(async () => {
    settings = await freshSettings();
  });
  after(() => discard(settings));

  const beside = async <T>(work: (app: App) => Promise<T>): Promise<T> => {
    const app = await openApp(loadConfig(settings), pino({ level: 'silent' }));
    try {
      return await work(app);
    } finally {
      await app.close();
    }
  };

  it('are made again, announced once, and leave nothing behind', async () => {
    const dataDir = settings['DATA_DIR'] ?? '';
    let server = await startRookery(settings);
    const { accountId, token } = await beside(somebody);
    const send = async (
      path: string,
      body: FormData | URLSearchParams,
    ): Promise<{ id: string; url: string }> => {
      const headers = { Authorization: `Bearer ${token}` };
      const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body });
      expect(answer.status).to.equal(200);
      return (await answer.json()) as { id: string; url: string };
    };
    const media = await send('/api/v2/media', uploadForm(await picture(60, 40)));
    await send('/api/v1/statuses', new URLSearchParams({ status: 'A picture', 'media_ids[]': media.id }));
    const file = join(dataDir, 'media', new URL(media.url).pathname.replace('/media/', ''));
    await truncate(file, LARGE);
    // A server looks for waiting archives when it starts, and rarely afterwards.
    await server.end();
    await beside((app) => requestArchive(app.systemContext('spec'), accountId));
    server = await startRookery(settings);

    const at = await until(async () => {
      const { files, work } = await kept(dataDir);
      expect(files).to.deep.equal([]);
      return work[0];
    });
    // Moves the start of the job to the past. Otherwise the queue waits 45 seconds, because a process may
    // still work on it.
    await beside(async ({ db }) => {
      await db.query(LONG_AGO);
      await server.end('SIGKILL');
    });
    expect((await kept(dataDir)).work, 'what the crash left').to.deep.equal([at]);
    await truncate(file, 1_000);
    server = await startRookery(settings);
    const archive = await beside((app) =>
      until(async () => {
        const found = await app.contextDependencies.services.archives.of(accountId);
        return found?.mailed === true ? found : undefined;
      }),
    );
    expect(archive).to.deep.include({ state: 'ready', missing: 0 });
    const mails = await textsMailedTo('me@example.org', dataDir);
    expect(mails.filter((mail) => mail.includes('Your archive from'))).to.have.length(1);
    const { files, work } = await kept(dataDir);
    expect([files.length, work]).to.deep.equal([1, []]);
    await server.end();
    expect(await differences(settings)).to.deep.equal([]);
  });
});

/** Retries until the timeout of the suite. */
async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await pause(50);
  }
}

async function somebody(app: App): Promise<{ accountId: string; token: string }> {
  const ctx = app.systemContext('tests');
  const accountId = await createAccount(ctx, {
    username: 'me',
    email: 'me@example.org',
    password: 'correct horse',
    locale: 'en',
    confirmed: true,
    approved: true,
    role: null,
    reason: null,
    signUpIp: null,
    applicationId: '1',
  });
  await ctx.waitForReadModels();
  const { access_token: token } = await app.tokens.issue({
    applicationId: '1',
    accountId,
    scopes: ['read', 'write'],
  });
  return { accountId, token };
}
