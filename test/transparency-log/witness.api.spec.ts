import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { cosigner, parseCosignatureKey } from '#operations/transparency-log/cosignature.ts';
import { parseNotes } from '#operations/transparency-log/note.ts';
import { rookeryBeside } from '../support/command-line.ts';
import { describeTown } from '../support/people.ts';
import { continues, openCheckpoint } from './auditor.ts';

/** A witness as https://c2sp.org/tlog-witness describes it: it signs only a log that continues the one it knows. */
class Witness {
  known: { size: number; root: Buffer } | undefined;
  readonly plain: string[] = [];
  readonly cosigner = cosigner(Buffer.alloc(32, 5), 'witness.example/w1');
  /** Replaces its cosignature. */
  says: ((signed: string) => string) | undefined;
  readonly #server: Server;
  readonly #key: () => string;

  constructor(key: () => string) {
    this.#key = key;
    this.#server = createServer((req, res) => {
      void this.#reply(req).then(([status, body]) => {
        res.writeHead(status, { 'Content-Type': status === 409 ? 'text/x.tlog.size' : 'text/plain' });
        res.end(body);
      });
    });
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #reply(req: IncomingMessage): Promise<[number, string]> {
    const body = await text(req);
    if (req.url !== '/add-checkpoint') {
      this.plain.push(body);
      return [req.url === '/refuses' ? 403 : 204, ''];
    }
    const [head, note] = splitOnce(body, '\n\n');
    const [first = '', ...hashes] = head.split('\n');
    const old = Number(/^old (\d+)$/.exec(first)?.[1]);
    const checkpoint = openCheckpoint(note, this.#key());
    if (!checkpoint) return [403, ''];
    if (old > checkpoint.size) return [400, ''];
    const { size, root } = this.known ?? { size: 0, root: Buffer.alloc(32) };
    if (old !== size) return [409, `${size}\n`];
    const isSame = old === checkpoint.size && root.equals(checkpoint.root);
    const proof = { from: old, to: checkpoint.size, hashes, checkpoint: note };
    if (old > 0 && !isSame && !continues(proof, root, checkpoint.root)) return [422, 'the proof is wrong'];
    this.known = checkpoint;
    const signed = `${splitOnce(note, '\n\n')[0]}\n`;
    return [200, this.says?.(signed) ?? this.cosigner.cosign(signed, Math.floor(Date.now() / 1_000))];
  }
}

function splitOnce(whole: string, separator: string): [string, string] {
  const at = whole.indexOf(separator);
  return [whole.slice(0, at), whole.slice(at + separator.length)];
}

describeTown('Witnesses of the log', (town) => {
  let witness: Witness;
  let origin: string;
  let alice: Awaited<ReturnType<typeof town.person>>;
  before(async () => {
    witness = new Witness(() => town.app.transparencyLog.verifierKey);
    origin = await witness.start();
    alice = await town.person('alice');
    await alice.post('/api/v1/statuses', { status: 'one' });
    await town.waitUntilIdle();
  });
  after(() => witness.stop());

  const rookery = (...args: string[]) => rookeryBeside(town.app, 'log', ...args);
  const keyed = (path: string): string =>
    path === '/add-checkpoint' ? `${origin}${path} ${witness.cosigner.key}` : `${origin}${path}`;
  const post = (...paths: string[]) => rookery('witness', ...paths.map(keyed));
  const write = async (): Promise<void> => {
    await alice.post('/api/v1/statuses', { status: 'more' });
    await town.waitUntilIdle();
  };

  it('verify and sign that the log grows', async () => {
    for (const _ of [1, 2]) {
      const posted = await post('/add-checkpoint');
      expect(posted, posted.stdout).to.include({ code: 0 });
      expect(posted.stdout).to.match(/^ADDRESS +EVENTS +STATE\nhttp:\S+ +\d+ +signed$/m);
      await write();
    }
    const size = witness.known?.size;
    expect(await post('/add-checkpoint')).to.include({ code: 0 });
    expect(witness.known?.size).to.be.greaterThan(size ?? Infinity);
  });

  it('have their verified cosignatures published with the checkpoint', async () => {
    expect(await post('/add-checkpoint')).to.include({ code: 0 });
    const verifier = parseCosignatureKey(witness.cosigner.key);
    const read = async (path: string) => (await fetch(`${town.url}/.well-known/rookery/${path}`)).text();
    const newest = await read('checkpoint');
    expect(verifier.find(parseNotes(newest)[0]!)?.witness).to.equal(witness.cosigner.key);
    expect(openCheckpoint(newest, town.app.transparencyLog.verifierKey)).to.not.equal(undefined);
    const [cosigned] = parseNotes(await read('cosigned-checkpoints'));
    expect(verifier.find(cosigned!)?.witness).to.equal(witness.cosigner.key);
    const file = await readFile(town.app.config.transparencyLog.checkpointFile, 'utf8');
    expect(file).to.equal(newest);
    const { checkpoint } = await town.app.transparencyLog.proveInclusion(1n);
    expect(checkpoint).to.equal(newest);
  });

  it('fail when they answer the cosignature of another log, of another key, or none', async () => {
    const now = Math.floor(Date.now() / 1_000);
    const other = cosigner(Buffer.alloc(32, 6), 'witness.example/w1');
    const wrong: [says: (text: string) => string, message: RegExp][] = [
      [(text) => witness.cosigner.cosign(text.replace('rookery', 'other'), now), /does not verify/],
      [(text) => other.cosign(text, now), /no cosignature by the key/],
      [() => 'OK', /no signature/],
    ];
    for (const [says, message] of wrong) {
      witness.says = says;
      const failed = await post('/add-checkpoint');
      expect(failed.code, failed.stdout).to.equal(3);
      expect(failed.stdout).to.match(message);
      const [stored] = await town.app.db.query<{ error: string }>('select error from durable.log_witnesses');
      expect(stored?.error).to.match(message);
    }
    witness.says = undefined;
    expect((await rookery('witness', `${origin}/add-checkpoint`)).stdout).to.include('name no key');
  });

  it('can be demanded by a policy', async () => {
    expect(await post('/add-checkpoint')).to.include({ code: 0 });
    const policy = join(town.app.config.dataDir, 'policy');
    const verify = async (...lines: string[]) => {
      await writeFile(policy, `log ${town.app.transparencyLog.verifierKey}\n${lines.join('\n')}\n`);
      return rookery('verify', '--policy', policy);
    };
    const [known, unknown] = [witness.cosigner, cosigner(Buffer.alloc(32, 6), 'witness.example/w2')];
    const good = await verify(`witness w ${known.key}`, 'quorum w');
    expect(good, good.stderr).to.include({ code: 0 });
    expect(good.stdout).to.include('w cosigned the checkpoint of');
    const bad = await verify(
      `witness w ${known.key}`,
      `witness v ${unknown.key}`,
      'group g all w v',
      'quorum g',
    );
    expect(bad).to.include({ code: 1 });
    expect(bad.stderr).to.include('The quorum g of the policy is not reached: only w cosigned');
    expect((await verify('quorum nobody')).stderr).to.include('Line 2 of the policy');
  });

  it('name the size that they know, and get the proof from there', async () => {
    await town.app.db.query('delete from durable.log_witnesses');
    await write();
    expect(await post('/add-checkpoint')).to.include({ code: 0 });
  });

  it('get plain checkpoints at any other address, and may refuse them', async () => {
    expect(await post('/hook')).to.include({ code: 0 });
    const { stdout } = await rookery('checkpoint');
    expect(witness.plain).to.have.length(1);
    // Cosignatures may follow.
    expect(stdout.startsWith(witness.plain[0]!)).to.equal(true);
    const refused = await post('/refuses', '/hook');
    expect(refused.code).to.equal(3);
    expect(refused.stdout).to.match(/\/refuses +0 +The reply has the status 403/);
    expect((await rookery('witness')).stderr).to.include('set LOG_WITNESSES');
    expect((await rookery('witness', 'nowhere')).code).to.equal(64);
  });

  it('are posted to by the running server at most once in ten minutes', async () => {
    const { logWitnesses } = town.app;
    expect(
      await logWitnesses.post([{ url: `${origin}/add-checkpoint`, key: witness.cosigner.key }]),
    ).to.have.length(1);
    const [before] = await town.app.db.query<{ at: string }>(
      'select max(tried_at) as at from durable.log_witnesses',
    );
    await write();
    await town.app.contextDependencies.services.logWitnesses.postWhenDue();
    const [after] = await town.app.db.query<{ at: string }>(
      'select max(tried_at) as at from durable.log_witnesses',
    );
    expect(after).to.deep.equal(before);
  });

  it('show that the end of the log was cut off with everything that this server keeps', async () => {
    witness.known = { size: 1_000_000, root: Buffer.alloc(32) };
    const cut = await post('/add-checkpoint');
    expect(cut.code).to.equal(2);
    expect(cut.stderr).to.match(
      /knows another log: It has a checkpoint of 1000000 events, and this log has \d+/,
    );
    expect(await town.app.transparencyLog.assertUnaltered().catch((error: Error) => error.message)).to.match(
      /^The witness http\S+ knows another log/,
    );
    const size = Number((await rookery('checkpoint')).stdout.split('\n')[1]);
    witness.known = { size: size - 1, root: Buffer.alloc(32) };
    expect((await post('/add-checkpoint')).stderr).to.include('the proof is wrong');
    // The settings name no witness, so that its finding does not count.
    await town.app.contextDependencies.services.logWitnesses.postWhenDue();
    await town.app.transparencyLog.verify([], undefined);
    await town.app.transparencyLog.assertUnaltered();
  });
});
