import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { startEventStoreDbDouble } from '../contracts/support/eventstoredb-double.ts';
import { SELF_SIGNED } from '../contracts/support/self-signed.ts';
import { freePort } from '../support/free-port.ts';
import { discard, freshSettings, type Settings, startRookery } from '../support/process.ts';

describe('A start that cannot succeed', function () {
  this.timeout(60_000);
  let settings: Settings;
  let taken: Server;
  let port: string;

  before(async () => {
    settings = await freshSettings();
    taken = createServer().listen(0, '127.0.0.1');
    await new Promise((done) => taken.once('listening', done));
    port = String((taken.address() as AddressInfo).port);
  });
  after(async () => {
    taken.close();
    await discard(settings);
  });

  /** Asserts that the start fails with a single line that names the setting. */
  const expectRefusal = async (changed: Settings, line: RegExp): Promise<void> => {
    const started = await startRookery({ ...settings, ...changed }).catch((error: Error) => error.message);
    if (typeof started !== 'string') {
      await started.end();
      expect.fail('the server should not have started');
    }
    // PostgreSQL may have logged its own shutdown.
    const [first, ...lines] = started.trim().split('\n');
    expect(first).to.equal('Rookery ended before it ran (1):');
    const ours = lines.filter((each) => !each.includes('"msg":"FATAL:  '));
    expect(ours, started).to.have.length(1);
    expect(ours[0]).to.match(line);
  };

  it('exits and names PORT when another program uses the port', () =>
    expectRefusal({ PORT: port }, /^BIND and PORT cannot be listened on: .*EADDRINUSE/));

  it('exits and names BIND when the address does not belong to this machine', async () => {
    await expectRefusal({ BIND: '192.0.2.1' }, /^BIND and PORT cannot be listened on: .*EADDRNOTAVAIL/);
    await expectRefusal(
      { BIND: 'nowhere.invalid' },
      /^BIND and PORT cannot be listened on: .*nowhere\.invalid/,
    );
  });

  it('exits and names DATABASE_URL without its password when no database answers', async () => {
    const unusedUrl = `postgresql://rookery:hunter2@127.0.0.1:${await freePort()}/rookery`;
    await expectRefusal(
      { DATABASE_URL: unusedUrl },
      /^DATABASE_URL cannot be used: (?!.*hunter2).*ECONNREFUSED/,
    );
  });

  it('exits and names EVENTSTORE_URL when no EventStoreDB answers', async () => {
    const unusedUrl = `esdb://127.0.0.1:${await freePort()}?tls=false`;
    await expectRefusal({ EVENTSTORE_URL: unusedUrl }, /^EVENTSTORE_URL cannot be used: .*EventStoreDB/);
  });

  it('exits and names tlsCAFile, without a warning of Node, when the EventStoreDB at an IP address is not trusted', async () => {
    const double = await startEventStoreDbDouble({ tls: SELF_SIGNED });
    await expectRefusal({ EVENTSTORE_URL: double.url }, /^EVENTSTORE_URL cannot be used: .*tlsCAFile/);
    await double.kill();
  });

  it('exits and names DATA_DIR when it is not a folder', async () => {
    const file = join(settings['DATA_DIR'] ?? '', 'a-file');
    await writeFile(file, '');
    await expectRefusal({ DATA_DIR: file }, /^DATA_DIR cannot be used: .*ENOTDIR/);
  });

  it('exits and names ERASURE_LIST when it is not writable, before any erasure needs it', async () => {
    await expectRefusal({ ERASURE_LIST: '/proc/nope/erasures' }, /^ERASURE_LIST cannot be used: .*ENOENT/);
    await expectRefusal({ ERASURE_LIST: '/tmp' }, /^ERASURE_LIST cannot be used: .*EISDIR/);
  });
});
