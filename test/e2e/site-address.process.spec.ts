import { expect } from 'chai';
import { send, signUp } from '../support/api-client.ts';
import { inTurn } from '../support/command-line.ts';
import { dropDatabase, freshDatabase } from '../support/database.ts';
import { beside, discard, freshSettings, type Settings, startRookery } from '../support/process.ts';

describe('A domain that is changed after accounts exist', function () {
  this.timeout(120_000);
  let settings: Settings;
  before(async () => {
    settings = await withDatabase({ LOCAL_DOMAIN: 'old.example' });
    const server = await startRookery(settings);
    await signUp(server.url, settings['DATA_DIR'] ?? '', 'alice');
    await server.end();
  });
  after(() => remove(settings));

  /** Returns why a server with these settings does not start, without a process of its own. */
  const refusal = (changed: Settings): Promise<string> =>
    beside<string>({ ...settings, ...changed }, () =>
      expect.fail('the server should not have started'),
    ).catch(({ message }: Error) => message);

  it('is refused at the start, with the consequences and the way to proceed', async () => {
    for (const changed of [
      { LOCAL_DOMAIN: 'new.example' },
      { WEB_DOMAIN: 'web.old.example' },
      { LOCAL_HTTPS: 'false' },
      { LOCAL_DOMAIN: '' },
      { LOCAL_DOMAIN: 'new.example', LOCAL_DOMAIN_BEFORE: 'another.example' },
    ]) {
      const text = await refusal(changed);
      expect(text).to.match(
        /^The accounts of this server were made as @\.\.\.@old\.example at https:\/\/old\.example/,
      );
      expect(text).to.contain('LOCAL_DOMAIN_BEFORE=old.example');
    }
  });

  it('ends the process, which prints why', async () => {
    const started = startRookery({ ...settings, LOCAL_DOMAIN: 'new.example' });
    const printed = await started.then(
      () => expect.fail('the server should not have started'),
      ({ message }: Error) => message,
    );
    expect(printed).to.equal(
      `Rookery ended before it ran (1):\n${await refusal({ LOCAL_DOMAIN: 'new.example' })}\n`,
    );
  });

  it('is refused on the command line, which creates no account', async () => {
    const { DATA_DIR, DATABASE_URL } = settings;
    const create = ['accounts', 'create', 'eve', '--email', 'eve@example.org'];
    const made = await inTurn(create, { DATA_DIR, DATABASE_URL });
    expect(made.code).to.equal(64);
    expect(made.stderr).to.match(/^The accounts of this server were made as @...@old.example /);
  });

  it('is refused also when the address was never stored, by the ids of the accounts', async () => {
    await beside(settings, ({ db }) => db.query('delete from durable.site_address'));
    expect(await refusal({ LOCAL_DOMAIN: 'new.example' })).to.contain(
      '@...@old.example at https://old.example',
    );
  });

  it('is accepted once the operator has named the old domain, and from then on', async () => {
    const moved = { ...settings, LOCAL_DOMAIN: 'new.example' };
    for (const each of [{ ...moved, LOCAL_DOMAIN_BEFORE: 'old.example' }, moved]) {
      const server = await startRookery(each);
      expect((await send(server.url, 'GET', '/api/v2/instance')).body.domain).to.equal('new.example');
      await server.end();
    }
    expect(await refusal({})).to.contain('@...@new.example at https://new.example');
  });

  it('is accepted when it is a port of localhost, and when there are no accounts yet', async () => {
    const local = await withDatabase();
    const first = await startRookery(local);
    await first.end();
    const second = await startRookery({ ...local, LOCAL_DOMAIN: 'localhost:1234' });
    expect(second.output()).to.contain('another address of this machine');
    await second.end();
    await remove(local);
    const empty = await withDatabase({ LOCAL_DOMAIN: 'first.example' });
    await beside(empty, () => Promise.resolve());
    const third = await startRookery({ ...empty, LOCAL_DOMAIN: 'second.example' });
    await third.end();
    await remove(empty);
  });
});

/** Settings with a new database of the PostgreSQL of this process. */
const withDatabase = async (more: Settings = {}): Promise<Settings> =>
  freshSettings({ DATABASE_URL: await freshDatabase(), ...more });

/** The processes must have ended. */
async function remove(settings: Settings): Promise<void> {
  await discard(settings);
  await dropDatabase(settings['DATABASE_URL'] ?? '');
}
