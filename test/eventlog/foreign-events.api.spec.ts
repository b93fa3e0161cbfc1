import { expect } from 'chai';
import { accountStream } from '#events/accounts.ts';
import {
  type EventStoreDbDouble,
  startEventStoreDbDouble,
} from '../contracts/support/eventstoredb-double.ts';
import { rookeryBeside } from '../support/command-line.ts';
import { ok, type Person, startTown, type Town } from '../support/people.ts';

const bytes = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** The most usual names of event sourcing are those of Rookery too. */
const STREAMS = ['account-123', 'list-5', 'tag-x', 'operation-x'];

describe('A server beside another program that writes to streams with the same names', function () {
  this.timeout(60_000);
  let double: EventStoreDbDouble;
  let town: Town;
  let alice: Person;
  before(async () => {
    double = await startEventStoreDbDouble();
    for (const stream of STREAMS) foreign(stream);
    town = await startTown({ EVENTSTORE_URL: double.url });
    alice = await town.person('alice');
  });
  after(async () => {
    // This rebuilds every read model from the log and compares it with the live one.
    await town.close();
    await double.kill();
  });

  function foreign(stream: string): void {
    const revision = (double.log.stream(stream)?.length ?? 0) - 1;
    double.log.append(stream, revision, [
      {
        id: crypto.randomUUID(),
        type: 'AccountOpened',
        contentType: 'application/json',
        data: bytes({ owner: 'somebody', balance: 1 }),
        metadata: bytes({ $correlationId: crypto.randomUUID() }),
      },
    ]);
  }
  const rookery = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await rookeryBeside(town.app, ...args);
    expect(code, stdout + stderr).to.equal(0);
    return stdout;
  };

  it('starts, and stays healthy while the other program writes', async () => {
    for (const stream of STREAMS) foreign(stream);
    await ok(alice.post('/api/v1/statuses', { status: 'beside each other' }));
    await town.waitUntilIdle();
    await ok(town.nobody.get('/health'));
  });

  it('changes an account into whose stream the other program has written', async () => {
    const profile = async (): Promise<{ display_name: string }> =>
      ok(alice.get<{ display_name: string }>(`/api/v1/accounts/${alice.id}`));
    for (const display_name of ['Alice A', 'Alice B']) {
      foreign(accountStream(alice.id));
      await ok(alice.patch('/api/v1/accounts/update_credentials', { display_name }));
      expect((await profile()).display_name).to.equal(display_name);
    }
  });

  it('records and verifies a log without the events of the other program', async () => {
    foreign('account-123');
    await town.app.transparencyLog.record();
    expect(await rookery('log', 'verify')).to.include('Unaltered');
  });

  it('names the streams to the operator until the other program is gone', async () => {
    const before = await rookery('doctor');
    expect(before).to.match(/^state +WARNING$/m);
    for (const stream of STREAMS) expect(before).to.include(`${stream} (AccountOpened)`);
    for (const stream of STREAMS.slice(1)) double.log.tombstone(stream);
    const after = await rookery('doctor');
    expect(after).to.include('account-123 (AccountOpened)');
    for (const stream of STREAMS.slice(1)) expect(after).not.to.include(stream);
  });
});
