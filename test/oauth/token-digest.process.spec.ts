import { expect } from 'chai';
import pino from 'pino';
import { type App, openApp } from '#app/app.ts';
import { loadConfig } from '#config/config.ts';
import { changedTokens } from '#interfaces/oauth/token-digest.ts';
import { inTurn } from '../support/command-line.ts';
import { discard, freshSettings, type Settings } from '../support/process.ts';

describe('Access tokens', function () {
  this.timeout(60_000);
  let settings: Settings;
  let token: string;

  const rookery = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await inTurn(args, settings);
    expect(code, stderr).to.equal(0);
    return stdout;
  };
  const withApp = async <T>(work: (app: App) => Promise<T>): Promise<T> => {
    const app = await openApp(loadConfig(settings), pino({ level: 'silent' }));
    try {
      return await work(app);
    } finally {
      await app.close();
    }
  };
  const scopes = (): Promise<readonly string[] | undefined> =>
    withApp(async ({ authenticator }) => (await authenticator.authenticate(token))?.token.scopes);
  const change = (sql: string): Promise<unknown> =>
    withApp(({ db }) => db.query(`update durable.access_tokens set ${sql} where account_id is not null`));

  before(async () => {
    settings = await freshSettings({});
    await rookery('accounts', 'create', 'ada', '--email', 'ada@example.org', '--confirmed');
    token = (await rookery('tokens', 'create', 'ada', '--scopes', 'read')).trim();
  });
  after(() => discard(settings));

  it('are refused when their scopes or their account were changed in the database', async () => {
    expect(await scopes()).to.deep.equal(['read']);
    await change(`scopes = 'read write admin:write'`);
    expect(await scopes()).to.equal(undefined);
    expect(await withApp(({ db, tokenDigests }) => changedTokens(db, tokenDigests))).to.equal(1);
    await change(`scopes = 'read'`);
    expect(await scopes()).to.deep.equal(['read']);
    await change('account_id = account_id + 1');
    expect(await scopes()).to.equal(undefined);
    await change('account_id = account_id - 1');
  });

  it('get their digests once after an upgrade, as the audit log says', async () => {
    await change('grant_digest = null');
    expect(await scopes()).to.deep.equal(['read']);
    const audit = await rookery('audit', 'export', '--action', 'server.access_tokens_sealed');
    expect(JSON.parse(audit)).to.have.nested.property('actor.kind', 'automation');
    await change(`grant_digest = null, scopes = 'read write'`);
    expect(await scopes()).to.equal(undefined);
  });
});
