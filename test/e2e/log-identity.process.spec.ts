import { expect } from 'chai';
import pg from 'pg';
import {
  type EventStoreDbDouble,
  startEventStoreDbDouble,
} from '../contracts/support/eventstoredb-double.ts';
import { send, signUp } from '../support/api-client.ts';
import { inTurn } from '../support/command-line.ts';
import { freshDatabase } from '../support/database.ts';
import { discard, freshSettings, type Settings, startRookery } from '../support/process.ts';

describe('A server and the log that its read models were made from', function () {
  this.timeout(120_000);
  let inDatabase: Settings;
  let inEventStoreDb: Settings;
  let double: EventStoreDbDouble;
  const all: Settings[] = [];

  /** Starts a server on its own database, signs a user up and kills it before it can clean up. */
  const killedServer = async (more: Settings = {}): Promise<Settings> => {
    const settings = await freshSettings({ DATABASE_URL: await freshDatabase(), ...more });
    all.push(settings);
    const server = await startRookery(settings);
    await signUp(server.url, settings['DATA_DIR'] ?? '', 'alice');
    await server.end('SIGKILL');
    return settings;
  };

  before(async () => {
    double = await startEventStoreDbDouble();
    [inDatabase, inEventStoreDb] = await Promise.all([
      killedServer(),
      killedServer({ EVENTSTORE_URL: double.url }),
    ]);
  });
  after(async () => {
    await double.kill();
    await Promise.all(all.map(discard));
  });

  /** Returns the error that the operator reads when a start is refused. */
  const refusal = async (settings: Settings): Promise<string> => {
    const started = await startRookery(settings).catch((error: Error) => error.message);
    if (typeof started === 'string') return started;
    await started.end();
    return expect.fail('the server should not have started');
  };
  const without = ({ EVENTSTORE_URL: _, ...settings }: Settings): Settings => settings;

  const expectRefusal = (text: string, setting: string, difference: string): void => {
    expectWhole(text);
    expect(text).to.include(setting).and.include(`the read models are made of: ${difference}`);
  };
  const expectWhole = (text: string): void => {
    expect(text).to.match(/^Rookery ended before it ran \(1\):\n/);
    // The message is four lines long and has no stack trace.
    expect(text.trim().split('\n')).to.have.length(4);
    // DATA_DIR holds the keys. Without them all personal data is lost.
    expect(text).to.include('Keep DATA_DIR as it is').and.not.to.include('empty DATA_DIR');
  };

  it('refuses to start on a new, empty log at EVENTSTORE_URL', async () => {
    const empty = await startEventStoreDbDouble();
    const text = await refusal({ ...inDatabase, EVENTSTORE_URL: empty.url });
    expectRefusal(text, 'EVENTSTORE_URL names a log', 'it has no events');
    await empty.kill();
  });

  it('refuses to start on the log of another server', async () => {
    const text = await refusal({ ...inDatabase, EVENTSTORE_URL: double.url });
    expectRefusal(text, 'EVENTSTORE_URL names a log', 'it begins with another event');
  });

  it('refuses to start on the empty log in the database when its own is in EventStoreDB', async () => {
    const text = await refusal(without(inEventStoreDb));
    expectRefusal(text, 'EVENTSTORE_URL is not set', 'it has no events');
  });

  it('refuses commands of the command line, which change nothing', async () => {
    const { code, stdout, stderr } = await inTurn(
      ['accounts', 'create', 'bob', '--email', 'bob@example.org'],
      without(inEventStoreDb),
    );
    expect({ code, stdout }).to.deep.equal({ code: 64, stdout: '' });
    expect(stderr).to.match(/^EVENTSTORE_URL is not set/);
  });

  it('starts as before on the right log', async () => {
    for (const settings of [inDatabase, inEventStoreDb]) {
      const server = await startRookery(settings);
      const found = await send(server.url, 'GET', '/api/v1/accounts/lookup?acct=alice');
      expect(found.status).to.equal(200);
      await server.end();
    }
  });

  it('refuses to start on a log that lost its end, and lets the operator examine it', async () => {
    const settings = await killedServer();
    const cli = (...args: string[]) => inTurn(args, settings);
    // The read models may not have had the last event when the process was killed. This command waits until
    // they do.
    expect(await cli('projections', 'verify', 'audit')).to.include({ code: 0 });
    expect(await cli('log', 'checkpoint')).to.include({ code: 0 });
    const client = new pg.Client({ connectionString: settings['DATABASE_URL'] });
    await client.connect();
    await client.query(
      'delete from eventlog.events where position = (select max(position) from eventlog.events)',
    );
    const { rows } = await client.query<{ head: string }>(
      'select max(position) as head from eventlog.events',
    );
    await client.end();
    const head = Number(rows[0]?.head);
    const text = await refusal(settings);
    expectWhole(text);
    expect(text)
      .to.include(`The log in the database ends at position ${head}, and the `)
      .and.include(` is at position ${head + 1}.`)
      .and.include('rookery log accept-loss')
      .and.not.include('EVENTSTORE_URL');
    const listed = await cli('projections', 'list');
    expect(listed.code).to.equal(1);
    expect(text).to.include(listed.stderr);
    const verified = await cli('log', 'verify');
    expect(verified.code).to.equal(2);
    expect(verified.stderr).to.include(`the checkpoint of ${head + 1} events`);
  });

  it('names the read model whose position is beyond the end of the log, and no other engine', async () => {
    const settings = await killedServer();
    const client = new pg.Client({ connectionString: settings['DATABASE_URL'] });
    await client.connect();
    await client.query(`update durable.projections set position = 5000 where name = 'polls'`);
    const text = await refusal(settings);
    expectWhole(text);
    expect(text)
      .to.match(
        /The log in the database ends at position \d+, and the read model polls is at position 5000\./,
      )
      .and.not.include('EVENTSTORE_URL');
    await client.query('update eventlog.events set id = gen_random_uuid() where position = 1');
    await client.end();
    const mixed = await inTurn(['projections', 'list'], settings);
    expect(mixed.code).to.equal(1);
    expect(mixed.stderr)
      .to.include(
        'The log in the database is not the one that the read models are made of: it begins with another',
      )
      .and.not.include('EVENTSTORE_URL');
  });
});
