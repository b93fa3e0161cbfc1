import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import {
  type EventStoreDbDouble,
  startEventStoreDbDouble,
} from '../contracts/support/eventstoredb-double.ts';
import { healthOf, type Reply, send, signUp } from '../support/api-client.ts';
import { inTurn, type Result } from '../support/command-line.ts';
import { freshDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import {
  discard,
  freshSettings,
  type RookeryProcess,
  type Settings,
  startRookery,
} from '../support/process.ts';

describe('A log in EventStoreDB that lost its end', function () {
  this.timeout(180_000);
  let double: EventStoreDbDouble;
  let settings: Settings;
  let alice: string;
  let dave: string;
  let end: bigint;
  /** The result of the command while a server runs. */
  let whileServed: Result;
  let mails: number;

  const dataDir = (): string => settings['DATA_DIR'] ?? '';
  const cli = (...args: string[]): Promise<Result> => inTurn(args, settings);
  const post = (server: RookeryProcess, token: string, status: string): Promise<Reply> =>
    send(server.url, 'POST', '/api/v1/statuses', { token, body: { status } });
  const countMails = async (): Promise<number> => (await readdir(join(dataDir(), 'mail'))).length;
  const rows = async <Row extends pg.QueryResultRow>(query: string): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: settings['DATABASE_URL'] });
    await client.connect();
    try {
      return (await client.query<Row>(query)).rows;
    } finally {
      await client.end();
    }
  };
  const reactorPositions = async (): Promise<bigint[]> =>
    (await rows<{ position: string }>('select position from durable.reactors')).map(({ position }) =>
      BigInt(position),
    );

  before(async () => {
    double = await startEventStoreDbDouble();
    settings = await freshSettings({
      DATABASE_URL: await freshDatabase(),
      EVENTSTORE_URL: double.url,
      LOCAL_DOMAIN: 'lost.example',
    });
    const server = await startRookery(settings);
    ({ token: alice } = await signUp(server.url, dataDir(), 'alice'));
    const { token: bob } = await signUp(server.url, dataDir(), 'bob');
    expect((await post(server, alice, 'kept')).status).to.equal(200);
    expect((await post(server, bob, 'of a user who leaves')).status).to.equal(200);
    expect((await send(server.url, 'GET', '/api/v1/timelines/home', { token: alice })).status).to.equal(200);
    expect(await cli('log', 'checkpoint')).to.include({ code: 0 });
    end = double.log.records.at(-1)?.position ?? 0n;
    // Everything from here on is lost.
    expect((await post(server, alice, 'lost')).status).to.equal(200);
    ({ token: dave } = await signUp(server.url, dataDir(), 'dave'));
    expect(await cli('accounts', 'delete', 'bob', '--yes')).to.include({ code: 0 });
    await eventually(async () =>
      expect(await rows('select from durable.subject_keys where destroyed_at is not null')).to.have.length(1),
    );
    expect(await cli('log', 'checkpoint')).to.include({ code: 0 });
    whileServed = await cli('log', 'accept-loss', '--yes');
    await server.end();
    mails = await countMails();
    double.log.truncateAfter(end);
  });
  after(async () => {
    await double.kill();
    await discard(settings);
  });

  it('cannot be accepted while a server runs', () => {
    expect(whileServed.code).to.equal(1);
    expect(whileServed.stderr).to.include('stop all its processes first');
  });

  it('prevents servers from starting, with a message that names the command', async () => {
    const refused = await startRookery(settings).catch((error: Error) => error.message);
    expect(refused)
      .to.include(`The log at EVENTSTORE_URL ends at position ${end}, and the `)
      .and.include('rookery log accept-loss')
      .and.include('Keep DATA_DIR as it is');
  });

  it('is described without --yes, and nothing changes', async () => {
    const told = await cli('log', 'accept-loss');
    expect(told.code).to.equal(1);
    expect(told.stdout).to.match(new RegExp(`^The log ends at position ${end}, with an event of 20`));
    expect(told.stdout).to.match(/At least \d+ of \d+ recorded events are lost\./);
    expect(told.stdout).to.match(/It agrees with its checkpoints up to event \d+\./);
    expect(told.stdout).to.include('Lost with them: 1 posts and 1 accounts of this server.');
    expect(told.stderr).to.include('Nothing was changed').and.include('rookery log accept-loss --yes');
    expect((await cli('projections', 'list')).stderr).to.include(
      `The log at EVENTSTORE_URL ends at position ${end}, and the `,
    );
  });

  it('prevents servers from starting while an accepted loss is not completed', async () => {
    await rows(`insert into durable.restores (backup_id, taken_at, position, kind)
      values ('0c1a2b3d-6f60-4d0e-9a53-2f5c8a5f4d11', now(), ${end}, 'lost_end')`);
    const refused = await startRookery(settings).catch((error: Error) => error.message);
    expect(refused).to.include('give "rookery log accept-loss --yes" again');
    await rows('delete from durable.restores');
  });

  describe('once it is accepted', () => {
    let accepted: Result;
    let server: RookeryProcess;

    before(async () => {
      accepted = await cli('log', 'accept-loss', '--yes');
      expect(accepted, accepted.stderr).to.include({ code: 0 });
      const head = double.log.records.at(-1)?.position ?? 0n;
      for (const position of await reactorPositions()) expect(position <= head).to.equal(true);
      server = await startRookery(settings);
    });
    after(() => server.end());

    it('serves read models of the remaining events only', async () => {
      const home = await send(server.url, 'GET', '/api/v1/timelines/home', { token: alice });
      expect((home.body as { content: string }[]).map(({ content }) => content)).to.deep.equal([
        '<p>kept</p>',
      ]);
      const lost = await send(server.url, 'GET', '/api/v1/accounts/lookup?acct=dave');
      expect(lost.status).to.equal(404);
      const owner = await send(server.url, 'GET', '/api/v1/accounts/verify_credentials', { token: dave });
      expect(owner.status).to.equal(401);
      expect((await healthOf(server.url)).body.status).to.equal('UP');
    });

    it('keeps accounts erased whose erasure was lost', async () => {
      expect(accepted.stdout).to.include('Erased again');
      const found = await send(server.url, 'GET', '/api/v1/accounts/lookup?acct=bob');
      expect(found.status).to.equal(404);
      expect(await rows("select from readmodels.accounts where erased and username = 'bob'")).to.have.length(
        1,
      );
      const statuses = await rows('select from readmodels.statuses where not deleted');
      expect(statuses).to.have.length(1);
    });

    it('lets reactors continue without repeating anything', async () => {
      expect((await post(server, alice, 'afterwards')).status).to.equal(200);
      await eventually(async () => {
        const head = double.log.records.findLast(({ stream }) => !stream.startsWith('$'))?.position ?? 0n;
        for (const position of await reactorPositions()) expect(position).to.equal(head);
      });
      expect(await rows('select from durable.set_aside_events')).to.deep.equal([]);
      expect(await countMails()).to.equal(mails);
    });

    it('is verifiable again, and the loss is in the audit log', async () => {
      const audit = await cli('audit', 'export', '--action', 'server.log_loss_accepted');
      expect(audit.stdout).to.include(String(end));
      expect(await cli('projections', 'verify', 'audit', 'statuses')).to.include({ code: 0 });
      const verified = await cli('log', 'verify');
      expect(verified, verified.stderr).to.include({ code: 0 });
    });

    it('cannot be accepted a second time', async () => {
      await server.end();
      const again = await cli('log', 'accept-loss', '--yes');
      expect(again.code).to.equal(1);
      expect(again.stderr).to.include('nothing is lost');
      server = await startRookery(settings);
    });
  });
});
