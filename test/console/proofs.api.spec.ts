import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type {
  AuditEntry,
  CheckpointProof,
  EntryProof,
  KeptCheckpoint,
  LogCheckpoint,
} from '#mastodon/schemas/index.ts';
import { verifyFile } from '#operations/transparency-log/index.ts';
import { alertOf, headingOf, inMain, signedIn } from '../account-pages/support.ts';
import type { Browser } from '../oauth/client.ts';
import { describeTown, ok, type Person } from '../support/people.ts';
import { continues, includes, leafHash, openCheckpoint } from '../transparency-log/auditor.ts';
import { statementsOfPage } from './support.ts';

const AUDIT = '/api/v1/admin/audit';
const COMPARE = '/admin/checkpoints/compare';

describeTown('Proofs of the audit', (town) => {
  let boss: Person;
  let bob: Person;
  let auditor: Browser;
  let entry: AuditEntry;
  let first: string;
  before(async function () {
    this.timeout(120_000);
    boss = await town.staff('boss', 'Owner');
    bob = await town.person('bob');
    first = await town.app.transparencyLog.record();
    await ok(boss.post(`/api/v1/admin/accounts/${bob.id}/action`, { type: 'silence', text: 'No eggs' }));
    await town.waitUntilIdle();
    [entry] = (await ok(boss.get<AuditEntry[]>(`${AUDIT}?action[]=account.silenced`))) as [AuditEntry];
    auditor = await signedIn(town.server, 'boss');
  });

  const record = (): Promise<string> => town.app.transparencyLog.record();
  const proofOf = ({ id }: AuditEntry): Promise<EntryProof> =>
    ok(boss.get<EntryProof>(`${AUDIT}/${id}/proof`));
  const words = (texts: readonly { text: string }[]): string =>
    texts.map(({ text }) => text.replaceAll(/\s+/g, ' ').trim()).join(' | ');

  it('says that no checkpoint covers a line yet', async () => {
    // The server signs its log when it starts, which may be after the first line.
    await ok(boss.post(`/api/v1/admin/accounts/${bob.id}/unsilence`, {}));
    await town.waitUntilIdle();
    const [newest] = await ok(boss.get<AuditEntry[]>(`${AUDIT}?action[]=account.unsilenced`));
    expect((await boss.get(`${AUDIT}/${newest?.id}/proof`)).status).to.equal(404);
    const page = await auditor.open(`/admin/proofs/${newest?.id}`);
    expect(page.status).to.equal(200);
    expect(words(inMain(page, 'p'))).to.include('No signed checkpoint covers this entry yet');
  });

  it('proves a line against the newest checkpoint, as an auditor computes it', async () => {
    await record();
    const proof = await proofOf(entry);
    const { root } = openCheckpoint(proof.checkpoint, proof.key) ?? {};
    expect(root && includes(proof, leafHash(proof.leaf), root)).to.equal(true);
    expect(proof).to.deep.include({ entry, holds: true, signed: true });
    expect(JSON.parse(proof.leaf)).to.deep.include({ position: entry.position, id: entry.event_id });
    expect(proof.leaf, 'personal texts are encrypted').not.to.include('No eggs');
    const page = await auditor.open(`/admin/proofs/${entry.id}`);
    expect(headingOf(page)).to.equal(`Proof of entry ${entry.id}`);
    expect(words(inMain(page, 'li'))).to.match(
      /AccountSilenced is number \d+ of the \d+ events.*has the signature/,
    );
  });

  it('proves every event of the act in the same checkpoint, and names what each proves', async () => {
    await town.waitUntilIdle();
    await record();
    const proof = await proofOf(entry);
    expect(proof.type).to.equal('AccountSilenced');
    expect(proof.others.map(({ type }) => type)).to.deep.equal(['AccountWarned', 'StrikeMailed']);
    const { root } = openCheckpoint(proof.checkpoint, proof.key) ?? {};
    for (const other of proof.others) {
      const included = { ...proof, ...other };
      expect(root && includes(included, leafHash(other.leaf), root), other.type).to.equal(true);
      expect(other.leaf, 'personal texts are encrypted').not.to.include('No eggs');
    }
    const [warned, mailed] = proof.others.map(({ position }) => position);
    const where = Object.fromEntries(proof.facts.map(({ fact, position }) => [fact, position]));
    expect(where).to.deep.include({ action: entry.position, time: entry.position, actor: entry.position });
    expect(where).to.deep.include({ text: warned, mail: mailed, name_of_target: null, value_before: null });
    const page = await auditor.open(`/admin/proofs/${entry.id}`);
    expect(words(inMain(page, 'dl'))).to.match(
      /AccountWarned.*the text of staff, sealed.*In no proven event.*the name: @?bob/,
    );
    const address = new URL(`/admin/proofs/${entry.id}?download=event&position=${warned}`, town.url);
    const file = await fetch(address, { headers: { cookie: auditor.cookieHeader } });
    expect(file.status).to.equal(200);
    expect(file.headers.get('content-disposition')).to.include(`line-${entry.id}-${warned}.ndjson`);
  });

  it('gives a file that the command line verifies without the database', async () => {
    const { file, key } = await proofOf(entry);
    const path = `/admin/proofs/${entry.id}?download=event`;
    const cookie = auditor.cookieHeader;
    const answer = await fetch(new URL(path, town.url), { headers: { cookie } });
    expect(answer.headers.get('content-disposition')).to.include(`line-${entry.id}.ndjson`);
    expect(await answer.text()).to.equal(file);
    const folder = await mkdtemp(join(tmpdir(), 'rookery-proof-'));
    try {
      const [good, bad] = [join(folder, 'good'), join(folder, 'bad')];
      await writeFile(good, file);
      await writeFile(bad, file.replace('AccountSilenced', 'AccountSuspended'));
      const kept = [{ name: 'kept', text: await town.app.transparencyLog.newest() }];
      expect(await verifyFile(good, kept, key)).to.deep.include({ problem: undefined, agreed: 1 });
      expect((await verifyFile(bad, [], key)).problem).to.be.a('string');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('gives the proof as JSON for other programs', async () => {
    const answer = await auditor.open(`/admin/proofs/${entry.id}?download=proof`);
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    const { file: _, ...proof } = await proofOf(entry);
    expect(JSON.parse(text)).to.deep.equal(proof);
  });

  it('lists checkpoints in pages, each with a proof that the newest one continues it', async () => {
    await town.person(`carol`);
    await record();
    const { json, links } = await boss.get<LogCheckpoint[]>(`${AUDIT}/checkpoints?limit=1`);
    expect(json).to.have.lengthOf(1);
    expect(links['next']).to.include(`max_id=${json[0]?.size}`);
    const older = await ok(boss.get<LogCheckpoint[]>(`${AUDIT}/checkpoints?max_id=${json[0]?.size}`));
    expect(older.map(({ note }) => note)).to.include(first);
    // The server may have signed the empty log when it started.
    const { size = 0, note = '' } = older.findLast((each) => each.size > 0) ?? {};
    const proof = await ok(boss.get<CheckpointProof>(`${AUDIT}/checkpoints/${size}`));
    const [one, other] = [openCheckpoint(note, proof.key), openCheckpoint(proof.newest, proof.key)];
    expect(one && other && continues(proof, one.root, other.root)).to.equal(true);
    expect(proof).to.deep.include({ holds: true, signed: true, from: size });
    const list = await auditor.open('/admin/checkpoints');
    expect(inMain(list, 'a').map(({ attributes }) => attributes['href'])).to.include(
      `/admin/checkpoints/${size}`,
    );
    const page = await auditor.open(`/admin/checkpoints/${size}`);
    expect(words(inMain(page, 'li'))).to.include('Both checkpoints have the signature of this server.');
  });

  it('says whether the log still contains a kept checkpoint', async () => {
    await auditor.open(COMPARE);
    const page = await auditor.submit(COMPARE, { checkpoints: first.replaceAll('\n', '\r\n') });
    expect(page.status).to.equal(200);
    expect(words(inMain(page, 'p'))).to.match(
      /Contained The log still contains this checkpoint of \d+ events/,
    );
  });

  it('tells forged, contradicted and larger checkpoints from those of the log', async () => {
    const { origin, size } = openCheckpoint(first, (await proofOf(entry)).key)!;
    const root = Buffer.alloc(32, 7).toString('base64');
    const { sign } = town.app.transparencyLog;
    const other = sign(`${origin}\n${size}\n${root}\n`, origin);
    const larger = sign(`${origin}\n${size + 1_000_000}\n${root}\n`, origin);
    const forged = `${origin}\n${size}\n${root}\n\n${first.split('\n\n')[1]}`;
    const verdicts = await ok(
      boss.post<KeptCheckpoint[]>(`${AUDIT}/checkpoints/compare`, {
        checkpoints: [first, other, larger, forged].join('\n'),
      }),
    );
    expect(verdicts.map(({ verdict, signed }) => [verdict, signed])).to.deep.equal([
      ['contained', true],
      ['contradicted', true],
      ['ahead', true],
      ['contradicted', false],
    ]);
    await auditor.open(COMPARE);
    const page = await auditor.submit(COMPARE, { checkpoints: [other, larger, forged].join('\n') });
    const said = words(inMain(page, 'p'));
    expect(said).to.match(/log contradicts this checkpoint.*log ends before.*did not sign this checkpoint/);
  });

  for (const [what, text] of [
    ['no text', ''],
    ['other text', 'nothing of the kind'],
    ['a checkpoint without a signature', 'rookery.example\n5\nAAAA\n'],
    ['a root that is none', 'rookery.example\n5\nAAAA\n\n— rookery.example AAAAAAAA\n'],
    ['a size that is none', `rookery.example\n-5\n${'A'.repeat(43)}=\n\n— rookery.example AAAAAAAA\n`],
  ] as const) {
    it(`refuses ${what} where a kept checkpoint is wanted, and keeps what was typed`, async () => {
      expect((await boss.post(`${AUDIT}/checkpoints/compare`, { checkpoints: text })).status).to.equal(422);
      await auditor.open(COMPARE);
      const page = await auditor.submit(COMPARE, { checkpoints: text });
      expect(page.status).to.equal(422);
      expect(alertOf(page)).to.be.a('string').and.not.equal('');
      expect(inMain(page, 'textarea')[0]?.text.trim()).to.equal(text.trim());
    });
  }

  it('refuses more checkpoints than it compares at a time', async () => {
    const answer = await boss.post(`${AUDIT}/checkpoints/compare`, {
      checkpoints: Array.from({ length: 21 }, () => first).join('\n'),
    });
    expect(answer.status).to.equal(422);
  });

  it('has no page for lines and checkpoints that are not there', async () => {
    const absent = ['x', '0', '-1', '999999999', '99999999999999999999', entry.event_id];
    for (const id of [...absent, String(BigInt(entry.id) - 1n)]) {
      expect((await auditor.open(`/admin/proofs/${id}`)).status, id).to.equal(404);
    }
    for (const size of ['x', '-1', '999999.5', '999999999', '99999999999999999999']) {
      expect((await auditor.open(`/admin/checkpoints/${size}`)).status, size).to.equal(404);
    }
  });

  it('is there for roles that may see the audit log, and unknown to users without a role', async () => {
    await town.staff('mod', 'Moderator');
    const paths = [`/admin/proofs/${entry.id}`, '/admin/checkpoints', COMPARE];
    const [mod, user] = [await signedIn(town.server, 'mod'), await signedIn(town.server, 'bob')];
    for (const path of paths) {
      expect((await mod.open(path)).status, path).to.equal(200);
      expect((await user.open(path)).status, path).to.equal(404);
    }
    for (const path of [`${entry.id}/proof`, 'checkpoints', 'checkpoints/1']) {
      expect((await bob.get(`${AUDIT}/${path}`)).status, path).to.equal(403);
    }
  });

  it('records who proved a line', async () => {
    await town.waitUntilIdle();
    const lines = await ok(boss.get<AuditEntry[]>(`${AUDIT}?action[]=audit_log.viewed`));
    expect(JSON.stringify(lines)).to.include(entry.id);
  });

  it('costs at most six statements a page, and ten for proofs, however many events an act has', async () => {
    const { size } = openCheckpoint(first, (await proofOf(entry)).key)!;
    const pages = [`/admin/proofs/${entry.id}`, '/admin/checkpoints', `/admin/checkpoints/${size}`, COMPARE];
    for (const path of pages) {
      const statements = await statementsOfPage(town.app.db, () => auditor.open(path));
      const most = path === pages[0] ? 10 : 6;
      expect(statements.length, `${path}: ${statements.join(' ')}`).to.be.at.most(most);
    }
  });
});
