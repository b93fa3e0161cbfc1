import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { zipOf } from '#interfaces/web/page/zip.ts';
import type { CaseEvent, CaseFile } from '#mastodon/schemas/index.ts';
import { checkpointText } from '#operations/transparency-log/checkpoint.ts';
import { leafOf } from '#operations/transparency-log/leaf.ts';
import { inclusionRanges } from '#operations/transparency-log/merkle.ts';
import { noteSigner, noteVerifier } from '#operations/transparency-log/note.ts';
import { tlogProof } from '#queries/admin/audit-case/event.ts';
import { caseFiles } from '#queries/admin/audit-case/files.ts';
import { leafHash, treeHash } from '../transparency-log/auditor.ts';
import { dice, eventsUpTo } from '../transparency-log/changes.ts';

const run = promisify(execFile);
const ORIGIN = 'log.example';
const SIZE = 21;
const signer = noteSigner(Buffer.alloc(32, 5));
const KEY = noteVerifier(ORIGIN, signer.publicKey).key;

const all = eventsUpTo(SIZE);
const leaves = all.map((event) => leafHash(leafOf(event)));
const checkpoint = signer.sign(
  checkpointText({ origin: ORIGIN, size: SIZE, root: treeHash(leaves) }),
  ORIGIN,
);

function eventOf(index: number): CaseEvent {
  const event = all[index]!;
  const hashes = inclusionRanges(index, SIZE).map(([from, to]) =>
    treeHash(leaves.slice(from, to)).toString('base64'),
  );
  const proof = { leaf_index: index, hashes, checkpoint, position: '', tree_size: SIZE, leaf_hash: '' };
  return {
    position: String(event.position),
    type: event.type,
    time: '2026-11-22T16:00:00.000Z',
    part: 'decision',
    actor: null,
    data: {},
    left_out: [],
    erased: false,
    leaf: leafOf(event),
    proof: tlogProof({ proof }),
  };
}

const files = caseFiles({
  entry: { id: '7', action: 'account.suspended' } as CaseFile['entry'],
  made_at: '2026-12-01T00:00:00.000Z',
  events: [0, 6, 20].map(eventOf),
  rules: [],
  evidence: [],
  left_out: [],
  key: KEY,
});

describe('The archive of a case', function () {
  this.timeout(60_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rookery-case-'));
    const zip = join(folder, 'case.zip');
    await writeFile(zip, zipOf(files));
    await run('python3', ['-m', 'zipfile', '-e', zip, join(folder, 'case')]);
  });
  after(() => rm(folder, { recursive: true }));

  const at = (name: string): string => join(folder, 'case', name);
  /** Runs both verifiers, outside of the repository and without its modules. */
  const verified = async (...args: string[]): Promise<(string | number)[]> =>
    Promise.all(
      [
        ['python3', at('verify.py')],
        [process.execPath, at('verify.mjs')],
      ].map(async ([program = '', script = '']) => {
        try {
          return (await run(program, [script, ...args], { cwd: folder, env: {} })).stdout;
        } catch (error) {
          const { code, stderr } = error as { code: number; stderr: string };
          return stderr.startsWith('NOT VERIFIED: ') ? code : stderr;
        }
      }),
    );

  it('contains the same bytes after it was unpacked by another program', async () => {
    for (const { name, text } of files) expect(await readFile(at(name), 'utf8'), name).to.equal(text);
    const names = await readdir(join(folder, 'case'), { recursive: true });
    expect(names.filter((name) => name.endsWith('.tlog-proof'))).to.have.lengthOf(3);
  });

  it('is verified by its own programs in Python and Node.js, which have at most 100 lines', async () => {
    for (const said of await verified()) expect(said).to.match(/event 7 of the 21[^]*All events are proven/);
    for (const said of await verified(KEY)) expect(said).to.include('All events are proven');
    for (const name of ['verify.py', 'verify.mjs']) {
      expect((await readFile(at(name), 'utf8')).trimEnd().split('\n')).to.have.length.at.most(100);
    }
  });

  it('fails verification by the key of another log', async () => {
    const other = noteVerifier(ORIGIN, noteSigner(Buffer.alloc(32, 6)).publicKey).key;
    expect(await verified(other)).to.deep.equal([1, 1]);
  });

  it('fails verification after a change of one byte of any file', async () => {
    const roll = dice(8);
    for (const { name, text } of files) {
      if (name.startsWith('verify')) continue;
      const changed = Buffer.from(text);
      const place = roll(changed.length);
      changed[place] = changed[place]! ^ 1;
      await writeFile(at(name), changed);
      expect(await verified(), `${name}, byte ${place}`).to.deep.equal([1, 1]);
      await writeFile(at(name), text);
    }
  });

  it('fails verification after a change that also changed the sums', async () => {
    const event = eventOf(6);
    const forged = [
      { leaf: event.leaf!.replace('SomethingHappened', 'SomethingElse') },
      { proof: event.proof!.replace('index 6', 'index 7') },
      { proof: event.proof!.replace(`\n${SIZE}\n`, `\n${SIZE + 1}\n`) },
      { proof: event.proof!.replace(ORIGIN, 'other.example') },
      { proof: event.proof!.replace(/\n[A-Za-z0-9+/]{43}=\n/, '\n') },
    ];
    for (const change of forged) {
      const sealed = caseFiles({
        entry: { id: '7' } as CaseFile['entry'],
        made_at: '',
        events: [{ ...event, ...change }],
        rules: [],
        evidence: [],
        left_out: [],
        key: KEY,
      });
      await rm(at('events'), { recursive: true });
      for (const { name, text } of sealed) {
        await mkdir(dirname(at(name)), { recursive: true });
        await writeFile(at(name), text);
      }
      expect(await verified(), JSON.stringify(change)).to.deep.equal([1, 1]);
    }
  });
});
