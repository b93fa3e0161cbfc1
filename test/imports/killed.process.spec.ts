import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { App } from '#app/app.ts';
import { createAccount } from '#commands/accounts/index.ts';
import { beginImport } from '#commands/imports/index.ts';
import type { ImportType } from '#mastodon/portability.ts';
import {
  beside,
  differences,
  discard,
  freshSettings,
  type Settings,
  startRookery,
} from '../support/process.ts';

/** More rows than one job completes before it is killed. */
const PEOPLE = 45;

const LONG_AGO = `update jobs.job set started_on = now() - interval '1 hour' where state = 'active'`;

describe('Imports across crashes', function () {
  this.timeout(180_000);
  let settings: Settings;
  before(async () => {
    settings = await freshSettings();
  });
  after(() => discard(settings));

  it('resume where they were interrupted, and do nothing twice', async () => {
    let server = await startRookery(settings);
    const names = Array.from({ length: PEOPLE }, (_, index) => `person${index}`);
    const [me, ids] = await beside(settings, async (app) => {
      const accountId = await createUser(app, 'me');
      await Promise.all(names.map((name) => createUser(app, name)));
      const begin = (type: ImportType, rows: string[]) =>
        beginImport(app.systemContext('spec'), {
          account_id: accountId,
          type,
          overwrite: true,
          file: Buffer.from(rows.join('\n')),
        });
      return [
        accountId,
        [
          await begin('following', names),
          await begin('lists', [...names.map((name) => `Friends,${name}`), 'Nobody,nobody']),
        ],
      ];
    });
    for (const pause of [300, 1_200]) {
      await sleep(pause);
      // Backdate the job. Otherwise the queue waits 45 seconds for a job whose worker may still be alive.
      await beside(settings, async ({ db }) => {
        await db.query(LONG_AGO);
        await server.end('SIGKILL');
      });
      server = await startRookery(settings);
    }
    const imports = await beside(settings, async (app) => {
      for (;;) {
        const all = await app.contextDependencies.services.imports.of(me);
        if (all.every(({ finished_at }) => finished_at !== null)) return all;
        await sleep(200);
      }
    });
    const counts = imports.map(({ id, done, failed }) => ({ id, done, failed }));
    expect(counts).to.have.deep.members([
      { id: ids[0], done: PEOPLE, failed: 0 },
      { id: ids[1], done: PEOPLE, failed: 1 },
    ]);
    await beside(settings, async (app) => {
      const events = await app.log.readAll(0n, 10_000);
      const of = (type: string) => events.filter((event) => event.type === type);
      expect(of('AccountFollowed')).to.have.length(PEOPLE);
      expect(of('ListCreated')).to.have.length(2);
      const added = of('ListAccountsAdded').flatMap(
        ({ data }) => (data as { members: { account_id: string }[] }).members,
      );
      expect(added).to.have.length(PEOPLE);
    });
    await server.end();
    expect(await differences(settings)).to.deep.equal([]);
  });
});

async function createUser(app: App, username: string): Promise<string> {
  const ctx = app.systemContext('tests');
  const accountId = await createAccount(ctx, {
    username,
    email: `${username}@example.org`,
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
  return accountId;
}
