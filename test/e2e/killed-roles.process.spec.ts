import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { listen } from '../streaming/support.ts';
import { send, signUp } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import {
  differences,
  discard,
  freshSettings,
  type RookeryProcess,
  type Settings,
  startRookery,
} from '../support/process.ts';

type Role = 'projector' | 'first' | 'second' | 'reactor';

describe('Processes with one role each', function () {
  this.timeout(180_000);
  let common: Settings;
  const running = new Map<Role, RookeryProcess>();
  const ports = new Map<Role, string>();

  const start = async (role: Role): Promise<void> => {
    const port = ports.get(role) ?? String(await freePort());
    ports.set(role, port);
    const name = role === 'first' || role === 'second' ? 'api' : role;
    running.set(role, await startRookery({ ...common, ROLE: name, PORT: port }));
  };
  const at = (role: Role): RookeryProcess => {
    const found = running.get(role);
    if (!found) throw new Error(`${role} does not run`);
    return found;
  };

  before(async () => {
    common = await freshSettings({ LOCAL_DOMAIN: 'rookery.example', LOG_LEVEL: 'fatal' });
    for (const role of ['projector', 'first', 'second', 'reactor'] as const) await start(role);
  });
  after(async () => {
    await Promise.all([...running.values()].map((each) => each.end()));
    await discard(common);
  });

  it('lose no acknowledged post, and stream each one once, when processes are killed', async () => {
    const { token } = await signUp(at('first').url, common['DATA_DIR'] ?? '', 'alice');
    const stream = await listen(at('second').url, token, 'user');
    const acknowledged = new Map<string, string>();
    let stop = false;
    let next = 0;
    const client = async (role: Role): Promise<void> => {
      while (!stop) {
        const status = `post ${(next += 1)}`;
        const reply = await send(at(role).url, 'POST', '/api/v1/statuses', {
          token,
          body: { status },
          headers: { 'Idempotency-Key': status },
        }).catch(() => undefined);
        if (reply?.status === 200) acknowledged.set(status, reply.body.id as string);
        // Either the process is down and does not answer, or the read models are behind and it answers 503.
        else if (reply) expect(reply.status).to.equal(503);
      }
    };
    const clients = Promise.all([client('first'), client('second')]);
    const more = async (): Promise<void> => {
      const before = acknowledged.size;
      await eventually(() => expect(acknowledged.size).to.be.greaterThan(before + 20));
    };
    await more();
    for (const role of ['projector', 'first'] as const) {
      expect((await at(role).end('SIGKILL')).signal).to.equal('SIGKILL');
      await start(role);
      await more();
    }
    stop = true;
    await clients;
    const heard = new Map<string, number>();
    while ([...acknowledged.values()].some((id) => !heard.has(id))) {
      const { event, payload } = await stream.next();
      if (event === 'update') heard.set(payload.id as string, (heard.get(payload.id as string) ?? 0) + 1);
    }
    expect([...heard.values()].filter((times) => times > 1)).to.deep.equal([]);
    const me = await send(at('second').url, 'GET', '/api/v1/accounts/verify_credentials', { token });
    expect(me.body.statuses_count).to.be.at.least(acknowledged.size);
  });

  it('all go on when their shared PostgreSQL is killed, and lose nothing', async () => {
    const { token } = await signUp(at('first').url, common['DATA_DIR'] ?? '', 'bob');
    const made = await send(at('first').url, 'POST', '/api/v1/statuses', { token, body: { status: 'last' } });
    expect(made.status).to.equal(200);
    const file = join(common['DATA_DIR'] ?? '', 'postgres/cluster/postmaster.pid');
    process.kill(Number((await readFile(file, 'utf8')).split('\n')[0]), 'SIGKILL');
    await eventually(async () => {
      const body = { status: 'after' };
      const headers = { 'Idempotency-Key': 'after' };
      const next = await send(at('first').url, 'POST', '/api/v1/statuses', { token, body, headers });
      expect(next.status).to.equal(200);
    });
    // The read models lost their last rows and read them from the log again.
    await eventually(async () => {
      const read = await send(at('second').url, 'GET', `/api/v1/statuses/${made.body.id as string}`, {
        token,
      });
      expect(read.status).to.equal(200);
    });
    const exits = await Promise.all([...running.values()].map((each) => each.end()));
    const last = [...running.values()].map(({ output }) => output()).join('');
    expect(exits, last).to.deep.equal(exits.map(() => ({ code: 0, signal: null })));
    expect(await differences(common)).to.deep.equal([]);
  });
});
