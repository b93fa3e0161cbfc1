import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { type Person, startTown, type Town } from '../support/people.ts';
import { post } from '../timelines/support.ts';

/** Debian's Python, whose package `python3-mastodon` contains the client library. */
const PYTHON = '/usr/bin/python3';
const isInstalled = spawnSync(PYTHON, ['-c', 'import mastodon']).status === 0;

/**
 * Prints a line for each callback, and the error that ends the stream. The instance names another origin than
 * the test server's.
 */
const LISTENER = `
import sys
from mastodon import Mastodon, StreamListener
class Listener(StreamListener):
    def on_update(self, status): print('update', status['content'], flush=True)
    def handle_heartbeat(self): print('heartbeat', flush=True)
client = Mastodon(access_token=sys.argv[2], api_base_url=sys.argv[1], version_check_mode='none')
client._Mastodon__get_streaming_base = lambda: sys.argv[1]
print('healthy', client.stream_healthy(), flush=True)
client.stream_user(Listener())
`;

describe('Mastodon.py', function () {
  this.timeout(120_000);
  let town: Town;
  let alice: Person;
  let client: ChildProcess;
  const lines: string[] = [];

  before(async function () {
    if (!isInstalled) return this.skip();
    town = await startTown();
    alice = await town.person('alice');
    client = spawn(PYTHON, ['-c', LISTENER, town.url, alice.token], { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [client.stdout, client.stderr])
      if (stream) createInterface(stream).on('line', (line) => lines.push(line));
  });
  after(async () => {
    client?.kill('SIGKILL');
    await town?.close();
  });

  const beats = (): number => lines.filter((line) => line === 'heartbeat').length;
  const listening = (): void => {
    expect(client.exitCode, lines.join('\n')).to.equal(null);
  };

  it('keeps a stream of server-sent events open by heartbeats', async () => {
    for (const text of ['first', 'second']) {
      const before = beats();
      await eventually(() => (listening(), expect(beats()).to.be.greaterThan(before)));
      await post(alice, text);
      await eventually(() => expect(lines).to.include(`update <p>${text}</p>`));
    }
    listening();
  });
});
