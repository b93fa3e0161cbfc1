import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { AuditEntry } from '#mastodon/schemas/index.ts';
import { readManifest } from '#operations/backup/index.ts';
import { connectEmbedded } from '#storage/embedded/embedded.ts';
import { openDatabase } from '#storage/postgres/db.ts';
import { type Reply, send, signUp } from '../support/api-client.ts';
import { inTurn, type Result, runRookery } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { still } from '../support/pictures.ts';
import {
  differences,
  discard,
  freshSettings,
  type RookeryProcess,
  type Settings,
  startRookery,
} from '../support/process.ts';
import { uploadForm } from '../support/uploads.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
/** A word in the texts of the user who is erased after the backup. */
const CANARY = 'nightjar';

/** A machine is lost after its backup and after an account was erased. Another machine replaces it. */
describe('The restore drill', function () {
  this.timeout(240_000);
  let folder: string;
  let old: Settings;
  let machine: Settings;
  let rookery: RookeryProcess | undefined;
  let alice: string;
  let bob: string;
  let kept: { id: string; picture: string };
  let gone: { id: string; account: string; picture: string };
  let whileCopied: Reply[];
  let backup: Result;

  const dir = (): string => join(folder, 'backup');
  const list = (): string => join(folder, 'erasures.ndjson');
  const checkpoints = (): string => join(folder, 'checkpoints.txt');
  const command = (settings: Settings, ...args: string[]): Promise<Result> => inTurn(args, settings);
  const onTheOld = (...args: string[]): Promise<Result> => command(old, ...args);

  before(async function () {
    this.timeout(240_000);
    folder = await mkdtemp(join(tmpdir(), 'rookery-drill-'));
    old = await freshSettings({ LOG_LEVEL: 'fatal', LOCAL_DOMAIN: 'drill.example', LOCAL_HTTPS: 'false' });
    rookery = await startRookery({ ...old, ERASURE_LIST: list() });
    const dataDir = old['DATA_DIR'] ?? '';
    alice = (await signUp(rookery.url, dataDir, 'alice')).token;
    bob = (await signUp(rookery.url, dataDir, 'bob')).token;
    kept = await postWithPicture(rookery.url, alice, 'heather', 'green');
    const theirs = await postWithPicture(rookery.url, bob, `the ${CANARY} sings`, 'red');
    const { body: me } = await send(rookery.url, 'GET', '/api/v1/accounts/verify_credentials', {
      token: bob,
    });
    gone = { ...theirs, account: me.id as string };
    await send(rookery.url, 'PATCH', '/api/v1/accounts/update_credentials', {
      token: bob,
      body: { note: `I hear the ${CANARY}` },
    });

    // The server accepts posts while it is backed up.
    let copying = true;
    const posting = (async () => {
      const replies: Reply[] = [];
      while (copying) replies.push(await post(rookery?.url ?? '', alice, `busy ${replies.length}`));
      return replies;
    })();
    backup = await runRookery(['backup', dir()], old);
    copying = false;
    whileCopied = await posting;

    await onTheOld('accounts', 'delete', 'bob', '--yes').then(({ code, stderr }) =>
      expect([code, stderr]).to.deep.equal([0, '']),
    );
    await eventually(async () => {
      expect(await readFile(list(), 'utf8')).to.contain(`"subject":"${gone.account}"`);
    });
    await post(rookery.url, alice, 'after the backup');
    await rookery.end('SIGKILL');
    machine = await freshSettings({
      LOG_LEVEL: 'fatal',
      LOCAL_DOMAIN: 'drill.example',
      LOCAL_HTTPS: 'false',
    });
  });
  after(async () => {
    await rookery?.end();
    await Promise.all([discard(old), discard(machine), rm(folder, { recursive: true, force: true })]);
  });

  it('backs up a running server and reports the contents', async () => {
    expect(backup.code, backup.stderr).to.equal(0);
    expect(backup.stdout).to.match(/\d+ events up to position \d+, as of 20/);
    expect(backup.stdout).to.match(/\d+ rows of \d+ tables, \d+ files of media/);
    expect(whileCopied.every(({ status }) => status === 200)).to.equal(true);
    const manifest = await readManifest(dir());
    expect(manifest).to.deep.include({ local_domain: 'drill.example', keys: true, media: 'files' });
    expect(manifest.media_list?.rows).to.be.greaterThan(1);
  });

  it('has a log that auditors verify without a database', async () => {
    const plain = join(folder, 'log.ndjson');
    await writeFile(plain, gunzipSync(await readFile(join(dir(), 'log.ndjson.gz'))));
    const key = (await onTheOld('log', 'key')).stdout.trim();
    const verify = (): Promise<Result> =>
      command({}, 'log', 'verify', '--file', plain, '--checkpoint', checkpoints(), '--key', key);
    const lines = gunzipSync(await readFile(join(dir(), 'log_checkpoints.ndjson.gz'))).toString();
    const notes = lines
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { note: string }).note);
    await writeFile(checkpoints(), notes.at(-1) ?? '');
    const ofThen = await verify();
    expect(ofThen.code, ofThen.stderr).to.equal(0);
    expect(ofThen.stdout).to.match(/^Unaltered: \d+ events, .* 1 checkpoint\(s\) agree/m);
    await writeFile(checkpoints(), (await onTheOld('log', 'checkpoint')).stdout);
    const ofToday = await onTheOld('log', 'verify', '--checkpoint', checkpoints());
    expect(ofToday.code, ofToday.stderr).to.equal(0);
    // Today's checkpoint covers more events than the backup contains.
    const short = await verify();
    expect(short.code).to.equal(2);
    expect(short.stderr).to.match(/ends after \d+ events/);
  });

  it('is refused without the list of accounts erased since', async () => {
    const silently = await command(machine, 'restore', dir());
    expect(silently).to.deep.include({ code: 64, stdout: '' });
    expect(silently.stderr).to.match(/--erasures FILE/);
    const mistyped = await command(machine, 'restore', dir(), '--erasures', `${list()}x`);
    expect(mistyped.stderr).to.match(/^There is no file/);
  });

  it('is refused under another domain', async () => {
    const elsewhere = { ...machine, LOCAL_DOMAIN: 'other.example' };
    const { code, stderr } = await command(elsewhere, 'restore', dir(), '--no-erasures');
    expect([code, stderr]).to.deep.equal([
      64,
      'This is a backup of drill.example: set LOCAL_DOMAIN to that, not to other.example\n',
    ]);
  });

  it('restores everything on another machine, except the erased account', async () => {
    const { code, stdout, stderr } = await runRookery(['restore', dir(), '--erasures', list()], machine);
    expect(code, stderr).to.equal(0);
    expect(stdout).to.match(/Unaltered: \d+ events, [1-9]\d* checkpoint\(s\) agree/);
    expect(stdout).to.contain('Erased again: 1 of 1');
    expect(stderr).to.match(/Restoring: \d+ of \d+ rows, \d+ rows\/s/);
    const log = await command(machine, 'log', 'verify');
    expect(log.code, log.stderr).to.equal(0);
    const models = await command(machine, 'projections', 'verify');
    expect(models.code, models.stderr).to.equal(0);
    expect(await clearTexts(machine, CANARY)).to.deep.equal([]);
    const audit = await command(machine, 'audit', 'export', '--action', 'server.restored', 'account.erased');
    const lines = audit.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditEntry);
    expect(lines.map(({ action, actor }) => [action, actor.kind, actor.name])).to.deep.equal([
      ['server.restored', 'operator', null],
      ['account.erased', 'automation', 'restore'],
    ]);
  });

  it('is refused over existing data', async () => {
    const { code, stderr } = await command(machine, 'restore', dir(), '--erasures', list());
    expect(code).to.equal(1);
    expect(stderr).to.match(/There is something in eventlog.events already/);
  });

  it('serves the same posts, with the same tokens, passwords and pictures', async () => {
    rookery = await startRookery(machine);
    const { url } = rookery;
    const me = await send(url, 'GET', '/api/v1/accounts/verify_credentials', { token: alice });
    expect([me.status, me.body.username]).to.deep.equal([200, 'alice']);
    const post = await send(url, 'GET', `/api/v1/statuses/${kept.id}`, { token: alice });
    expect(post.body.content).to.contain('heather');
    expect((await fetch(`${url}${kept.picture}`)).status).to.equal(200);
    const texts = await ownTexts(url, alice, me.body.id as string);
    expect(texts).to.include('<p>heather</p>').and.not.to.include('<p>after the backup</p>');
    // Posts acknowledged before the snapshot are complete, without a gap.
    const busy = texts.flatMap((text) => /busy (\d+)/.exec(text)?.[1] ?? []).map(Number);
    expect(busy.sort((a, b) => a - b)).to.deep.equal(busy.map((_each, index) => index));
  });

  it('contains no token, profile, post or picture of the erased account', async () => {
    const { url = '' } = rookery ?? {};
    const me = await send(url, 'GET', '/api/v1/accounts/verify_credentials', { token: bob });
    expect(me.status).to.equal(401);
    expect((await send(url, 'GET', `/api/v1/statuses/${gone.id}`, { token: alice })).status).to.equal(404);
    expect((await fetch(`${url}${gone.picture}`)).status).to.equal(404);
    const profile = await send(url, 'GET', `/api/v1/accounts/${gone.account}`, { token: alice });
    expect(JSON.stringify(profile.body)).not.to.contain(CANARY);
    // The list on this machine contains the account as well.
    expect(await readFile(join(machine['DATA_DIR'] ?? '', 'erasures.ndjson'), 'utf8')).to.contain(
      gone.account,
    );
  });

  it('continues with new posts and checkpoints, and with read models equal to rebuilt ones', async () => {
    const { url = '' } = rookery ?? {};
    expect((await post(url, alice, 'a new morning')).status).to.equal(200);
    await rookery?.end();
    const checkpoint = await command(machine, 'log', 'checkpoint');
    expect(checkpoint.stdout).to.match(/^drill\.example\n/);
    expect((await command(machine, 'log', 'verify')).code).to.equal(0);
    expect(await differences(machine)).to.deep.equal([]);
  });
});

const post = (url: string, token: string, status: string): Promise<Reply> =>
  send(url, 'POST', '/api/v1/statuses', { token, body: { status } });

async function postWithPicture(
  url: string,
  token: string,
  status: string,
  color: string,
): Promise<{ id: string; picture: string }> {
  const form = uploadForm(await still(color), {}, { type: 'image/png' });
  const { body: media } = await send(url, 'POST', '/api/v2/media', { token, body: form });
  const body = { status, media_ids: [media.id] };
  const reply = await eventually(async () => {
    const posted = await send(url, 'POST', '/api/v1/statuses', { token, body });
    expect(posted.status, JSON.stringify(posted.body)).to.equal(200);
    return posted.body;
  });
  return { id: reply.id as string, picture: new URL(reply.media_attachments[0].url as string).pathname };
}

async function ownTexts(url: string, token: string, account: string): Promise<string[]> {
  const texts: string[] = [];
  for (let query = 'limit=40'; ;) {
    const { body } = await send(url, 'GET', `/api/v1/accounts/${account}/statuses?${query}`, { token });
    const page = body as { id: string; content: string }[];
    const last = page.at(-1);
    if (!last) return texts;
    texts.push(...page.map(({ content }) => content));
    query = `limit=40&max_id=${last.id}`;
  }
}

/** The tables that contain a word in clear text. */
async function clearTexts({ DATA_DIR = '' }: Settings, word: string): Promise<string[]> {
  const embedded = await connectEmbedded(DATA_DIR, silent);
  const db = openDatabase({ url: embedded.url, max: 1, applicationName: 'spec' });
  try {
    const tables = await db.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname in ('readmodels', 'durable', 'eventlog', 'jobs')`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await db.query(`select 1 from ${name} t where t::text ilike '%${word}%' limit 1`);
      if (rows.length > 0) found.push(name);
    }
    return found;
  } finally {
    await db.close();
    await embedded.stop();
  }
}
