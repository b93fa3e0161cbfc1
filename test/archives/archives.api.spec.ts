import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { expect } from 'chai';
import { modifyUser } from '#commands/accounts/index.ts';
import { eraseAccount } from '#commands/accounts/index.ts';
import { tidyArchives } from '#commands/archives/index.ts';
import { makeArchive } from '#interfaces/account-archive/make.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { ArchivePlace } from '#kernel/services/archives.ts';
import { addressOf, alertOf, doneOf, signedIn } from '../account-pages/support.ts';
import { Browser, locationOf } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { pushed } from '../push/support.ts';
import { textsMailedTo } from '../support/mails.ts';
import { suspendAccount } from '../support/remote.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { picture, uploadForm } from '../support/uploads.ts';
import { age, filesIn, kept, made } from './scene.ts';

const EXPORT = '/settings/export';
const DOWNLOAD = '/settings/export/archive';

describe('The archive of an account', function () {
  this.timeout(60_000);
  let server: TestServer;
  let dataDir: string;

  before(async () => {
    server = await startTestServer();
    ({ dataDir } = server.app.config);
  });
  after(() => server.close());

  const person = async (name: string): Promise<{ user: TestUser; browser: Browser }> => {
    const user = await server.user(name);
    return { user, browser: await signedIn(server, name) };
  };
  const post = async ({ token }: TestUser, body: object): Promise<{ id: string; uri: string }> =>
    (await server.call('POST', '/api/v1/statuses', { token, body })).body;
  const upload = async ({ token }: TestUser): Promise<{ id: string; key: string }> => {
    const body = uploadForm(await picture(60, 40));
    const answer = await server.call('POST', '/api/v2/media', { token, body });
    return { id: answer.body.id, key: new URL(answer.body.url as string).pathname.replace('/media/', '') };
  };
  const ask = async (browser: Browser): Promise<Answer> => {
    await browser.open(EXPORT);
    return browser.submit(EXPORT);
  };
  const pageOf = async (browser: Browser): Promise<string> =>
    load((await browser.open(EXPORT)).body as string)
      .all('section')
      .map(({ text }) => text.replaceAll(/\s+/g, ' '))
      .find((text) => text.includes('Archive')) ?? '';
  const hasButton = async (browser: Browser): Promise<boolean> =>
    ((await browser.open(EXPORT)).body as string).includes('Request your archive');
  const download = async (
    browser: Browser,
    method = 'GET',
    headers: Record<string, string> = {},
  ): Promise<Response> => {
    const cookie = browser.cookieHeader;
    return fetch(`${server.url}${DOWNLOAD}`, {
      method,
      headers: { Cookie: cookie, ...headers },
      redirect: 'manual',
    });
  };
  const ctx = (): CommandContext => server.app.systemContext('spec');
  const [signal, first, last] = [new AbortController().signal, { last: false }, { last: true }];

  it('is made on request, announced by mail, and given to its owner alone', async () => {
    const { user, browser } = await person('alice');
    const other = await person('mallory');
    const { id } = await upload(user);
    const [secret] = [
      await post(user, { status: 'A canaryarchive secret of @alice', visibility: 'direct' }),
      await post(user, { status: 'A picture', media_ids: [id] }),
    ];
    expect(await hasButton(browser)).to.equal(true);
    const answer = await ask(browser);
    expect([answer.status, locationOf(answer)]).to.deep.equal([303, `${EXPORT}?done=archive`]);
    expect(doneOf(await browser.open(locationOf(answer)))).to.contain('is being made');
    const archive = await made(server.app, user.id);
    expect(archive).to.deep.include({ state: 'ready', missing: 0 });

    const given = await download(browser);
    expect(given.status).to.equal(200);
    expect(Object.fromEntries(given.headers)).to.include({
      'cache-control': 'private, no-store',
      'content-length': String(archive.size),
      'content-type': 'application/gzip',
      'x-content-type-options': 'nosniff',
    });
    expect(given.headers.get('content-disposition')).to.match(
      /^attachment; filename="archive-\d{14}-\d+\.tar\.gz"$/,
    );
    const bytes = Buffer.from(await given.arrayBuffer());
    expect(bytes).to.have.length(archive.size ?? -1);
    const files = await filesIn(bytes);
    const outbox = JSON.parse(String(files.get('outbox.json')));
    expect(outbox.orderedItems).to.have.length(2);
    expect(outbox.orderedItems[0].object.id).to.equal(secret.uri);
    expect([...files.keys()].filter((name) => name.startsWith('media_attachments/'))).to.have.length(1);
    const head = await download(browser, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).to.deep.equal([200, String(archive.size)]);

    expect((await download(other.browser)).status).to.equal(404);
    expect((await download(new Browser(server))).headers.get('location')).to.contain('/auth/sign_in');
    expect(await pageOf(browser))
      .to.match(/Download your archive \(\d+\.\d kB\) Made on [-\d]{10} \d\d:\d\d UTC, kept until/)
      .and.match(/You can request the next one from/);

    await pushed(server);
    const mails = await textsMailedTo(await addressOf(server, user.id), dataDir);
    const told = mails.filter((mail) => mail.includes('Your archive from'));
    expect(told).to.have.length(1);
    expect(told[0]).to.contain(`${server.app.instance.origin}${EXPORT}`);
  });

  it('is stored encrypted where no address and no other user can read it', async () => {
    const { files, work } = await kept(dataDir);
    expect([files.length, work]).to.deep.equal([1, []]);
    const [name = ''] = files;
    const path = join(dataDir, 'archives', name);
    expect(
      ((await stat(path)).mode & 0o077) + ((await stat(join(dataDir, 'archives'))).mode & 0o077),
    ).to.equal(0);
    const bytes = await readFile(path);
    expect(bytes.subarray(0, 2).toString('hex'), 'gzip').not.to.equal('1f8b');
    const paths = [
      `/archives/${name}`,
      `/media/archives/${name}`,
      `/media/${name.slice(0, 2)}/${name.slice(2, 4)}/${name}.gz`,
      `/media/..%2farchives/xx/${name}`,
    ];
    for (const each of paths) expect((await fetch(`${server.url}${each}`)).status, each).to.equal(404);
  });

  it('resumes an interrupted download, and ignores other ranges', async () => {
    const { user, browser } = await person('alan');
    await upload(user);
    await ask(browser);
    const { size } = await made(server.app, user.id);
    const end = size ?? 0;
    const all = await download(browser);
    const bytes = Buffer.from(await all.arrayBuffer());
    expect(all.headers.get('accept-ranges')).to.equal('bytes');
    const tag = all.headers.get('etag') ?? '';
    expect(tag).to.match(/^"[\w-]+"$/);
    const part = async (headers: Record<string, string>, method = 'GET') => {
      const given = await download(browser, method, headers);
      const rest = Buffer.from(await given.arrayBuffer());
      expect(given.headers.get('content-length')).to.equal(
        String(rest.length || (method === 'HEAD' ? end : 0)),
      );
      const from = given.status < 300 && method === 'GET' ? bytes.indexOf(rest) : undefined;
      return [given.status, given.headers.get('content-range'), from, rest.length];
    };
    const rest = [206, `bytes 100-${end - 1}/${end}`, 100, end - 100];
    const whole = [200, null, 0, end];
    expect(await part({ Range: 'bytes=100-' })).to.deep.equal(rest);
    expect(await part({ Range: `bytes=100-${end + 5}` })).to.deep.equal(rest);
    expect(await part({ Range: `bytes=-${end - 100}` })).to.deep.equal(rest);
    expect(await part({ Range: 'bytes=100-', 'If-Range': tag })).to.deep.equal(rest);
    expect(await part({ Range: 'bytes=0-' })).to.deep.equal([206, `bytes 0-${end - 1}/${end}`, 0, end]);
    expect(await part({ Range: 'bytes=100-', 'If-Range': '"another"' })).to.deep.equal(whole);
    for (const range of ['bytes=100-200', 'bytes=0-1,5-', 'lines=1-', 'bytes=x-'])
      expect(await part({ Range: range }), range).to.deep.equal(whole);
    expect(await part({ Range: 'bytes=100-' }, 'HEAD')).to.deep.equal([200, null, undefined, 0]);
    expect(await part({ Range: `bytes=${end}-` })).to.deep.equal([416, `bytes */${end}`, undefined, 0]);
  });

  it('aborts the download of a changed file', async () => {
    const { user, browser } = await person('ada');
    await ask(browser);
    await made(server.app, user.id);
    const before = new Set((await kept(dataDir)).files);
    const [row] = await server.app.db.query<{ file: string }>(
      'select file from durable.archives where account_id = $1',
      [user.id],
    );
    expect(before.has(row?.file ?? '')).to.equal(true);
    const path = join(dataDir, 'archives', row?.file ?? '');
    const bytes = await readFile(path);
    bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0);
    await writeFile(path, bytes);
    for (const headers of [{}, { Range: 'bytes=100-' }]) {
      const error = await download(browser, 'GET', headers)
        .then((answer) => answer.arrayBuffer())
        .catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(Error);
    }
    await unlink(path);
    expect((await download(browser)).status, 'without its file').to.equal(404);
  });

  it('is made once in seven days, and one at a time', async () => {
    const { user, browser } = await person('bob');
    await browser.open(EXPORT);
    const answers = await Promise.all([1, 2, 3].map(() => browser.submit(EXPORT)));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([303, 422, 422]);
    for (const answer of answers) if (answer.status === 422) expect(alertOf(answer)).to.match(/already|once/);
    await made(server.app, user.id);
    expect(await hasButton(browser)).to.equal(false);
    await browser.open('/settings');
    const token = load((await browser.open(EXPORT)).body as string).one('input', { name: 'csrf_token' });
    const fields = { csrf_token: token?.attributes['value'] };
    const early = await browser.post(EXPORT, fields);
    expect(early.status).to.equal(422);
    expect(alertOf(early)).to.match(
      /^You can request an archive once in 7 days, the next one from .* UTC on$/,
    );
    expect((await browser.post(EXPORT, { csrf_token: 'wrong' })).status).to.equal(403);
    const old = (await server.app.contextDependencies.services.archives.of(user.id))?.id;

    await age(server.app, user.id, 7);
    expect(await hasButton(browser)).to.equal(true);
    const file = async () =>
      (
        await server.app.db.query<{ file: string }>(
          'select file from durable.archives where account_id = $1',
          [user.id],
        )
      )[0]?.file;
    const before = await file();
    expect((await ask(browser)).status).to.equal(303);
    expect((await made(server.app, user.id)).id).not.to.equal(old);
    const { files } = await kept(dataDir);
    expect([files.includes(before ?? ''), files.includes((await file()) ?? '')]).to.deep.equal([false, true]);
  });

  it('is kept for seven days', async () => {
    const { user, browser } = await person('carol');
    await ask(browser);
    await made(server.app, user.id);
    const before = (await kept(dataDir)).files.length;
    await age(server.app, user.id, 6);
    await tidyArchives(ctx());
    expect((await download(browser)).status).to.equal(200);
    await age(server.app, user.id, 1);
    expect((await download(browser)).status, 'before the clean-up').to.equal(404);
    expect(await pageOf(browser)).not.to.contain('Download');
    await tidyArchives(ctx());
    expect((await kept(dataDir)).files).to.have.length(before - 1);
    expect(
      await server.app.db.query('select 1 from durable.archives where account_id = $1', [user.id]),
    ).to.have.length(0);
    expect(await hasButton(browser)).to.equal(true);
  });

  it('leaves out missing files and reports their number', async () => {
    const { user, browser } = await person('dora');
    const [gone, there] = [await upload(user), await upload(user)];
    await post(user, { status: 'One', media_ids: [gone.id] });
    await post(user, { status: 'Other', media_ids: [there.id] });
    await unlink(join(dataDir, 'media', gone.key));
    await ask(browser);
    expect(await made(server.app, user.id)).to.deep.include({ state: 'ready', missing: 1 });
    expect(await pageOf(browser)).to.contain('1 of your files could not be found');
    const files = await filesIn(Buffer.from(await (await download(browser)).arrayBuffer()));
    expect([...files.keys()]).to.deep.equal([
      `media_attachments/${there.key}`,
      ...['outbox.json', 'likes.json', 'bookmarks.json', 'actor.json'],
    ]);
  });

  it('leaves out unreadable files in the last attempt', async () => {
    const { user } = await person('dick');
    const broken = await upload(user);
    await post(user, { status: 'One', media_ids: [broken.id] });
    const path = join(dataDir, 'media', broken.key);
    await unlink(path);
    await mkdir(path);
    const { archives } = server.app.contextDependencies.services;
    const id = ctx().newId();
    // Without a job, which would run at the same time.
    await archives.request(id, user.id);
    const error = await makeArchive(ctx(), id, { signal, ...first }).catch((e: unknown) => e);
    expect(error).to.have.property('code', 'EISDIR');
    await makeArchive(ctx(), id, { signal, ...last });
    expect(await made(server.app, user.id)).to.deep.include({ state: 'ready', missing: 1 });
    await rm(path, { recursive: true });
  });

  it('can be requested again immediately when it failed', async () => {
    const { user, browser } = await person('erin');
    const folder = join(dataDir, 'archives');
    // A file in place of the folder makes all writes fail, like a full disk.
    await mkdir(folder, { recursive: true });
    await rename(folder, `${folder}-aside`);
    await writeFile(folder, '');
    const { archives } = server.app.contextDependencies.services;
    // Without a job, which may run when the folder is there again.
    const id = ctx().newId();
    expect(await archives.request(id, user.id)).to.equal(true);
    expect((await archives.of(user.id))?.state).to.equal('being_made');
    expect(await pageOf(browser)).to.contain('is being made');
    const error = await makeArchive(ctx(), id, { signal, ...last }).catch((e: unknown) => e);
    expect(error).to.have.property('code');
    const failed = await archives.of(user.id);
    expect(failed?.next_at, 'from the failure on, not from the time of asking').to.equal(failed?.finished_at);
    expect(await pageOf(browser)).to.contain('could not be made. Please try again');
    expect((await download(browser)).status).to.equal(404);
    await rm(folder);
    await rename(`${folder}-aside`, folder);
    expect((await ask(browser)).status).to.equal(303);
    expect((await made(server.app, user.id)).state).to.equal('ready');
    await pushed(server);
    const mails = await textsMailedTo(await addressOf(server, user.id), dataDir);
    expect(mails.filter((mail) => mail.includes('Your archive from'))).to.have.length(1);
  });

  it('is continued after a crash, up to ten attempts', async () => {
    const { user } = await person('frank');
    const { archives } = server.app.contextDependencies.services;
    const id = ctx().newId();
    // As if the process had died before it queued the job.
    expect(await archives.request(id, user.id)).to.equal(true);
    await tidyArchives(ctx());
    await pushed(server);
    expect((await archives.of(user.id))?.state, 'a process may be working on it').to.equal('being_made');
    const left = 'update durable.archives set touched_at = now() - $2::interval, tries = $3 where id = $1';
    await server.app.db.query(left, [id, '11 minutes', 9]);
    await tidyArchives(ctx());
    expect((await made(server.app, user.id)).state).to.equal('ready');

    const { user: unlucky } = await person('fred');
    const other = ctx().newId();
    await archives.request(other, unlucky.id);
    await server.app.db.query(left, [other, '11 minutes', 10]);
    await tidyArchives(ctx());
    expect((await made(server.app, unlucky.id)).state).to.equal('failed');
  });

  it('leaves no work folder behind after a crash', async () => {
    const folder = join(dataDir, 'archives', 'work', 'left');
    const young = join(dataDir, 'archives', 'work', 'young');
    for (const path of [folder, young]) await mkdir(path, { recursive: true });
    await writeFile(join(folder, 'outbox.json'), 'x');
    const long = new Date(Date.now() - 2 * 3_600_000);
    await utimes(folder, long, long);
    await tidyArchives(ctx());
    expect((await kept(dataDir)).work).to.deep.equal(['young']);
    await rm(young, { recursive: true });
  });

  it('keeps only the result of the newest attempt', async () => {
    const { user } = await person('grace');
    const { archives } = server.app.contextDependencies.services;
    const id = ctx().newId();
    await archives.request(id, user.id);
    const before = (await kept(dataDir)).files;
    const write =
      (text: string) =>
      async ({ path, seal }: ArchivePlace): Promise<number> => {
        await pipeline([text], seal, createWriteStream(path));
        return 0;
      };
    let quick: Promise<void> | undefined;
    const slow = archives.make(
      id,
      async (place) => {
        await write('slow')(place);
        // The second attempt considers this one dead, and finishes first.
        quick = archives.make(id, write('quick'), signal);
        await quick;
        return 0;
      },
      signal,
    );
    expect(await slow.catch((error: unknown) => error)).to.have.property('code', 'ENOENT');
    await quick;
    expect((await archives.of(user.id))?.size).to.equal('quick'.length);
    expect((await kept(dataDir)).files).to.have.length(before.length + 1);
  });

  it('is deleted with its account, also while it is being made', async () => {
    const { user, browser } = await person('heidi');
    await post(user, { status: 'canaryheidi' });
    await ask(browser);
    await made(server.app, user.id);
    await pushed(server);
    const { files: before } = await kept(dataDir);
    await eraseAccount(ctx(), user.id, undefined);
    await server.waitUntilIdle();
    expect((await kept(dataDir)).files).to.have.length(before.length - 1);
    const rows = 'select 1 from durable.archives where account_id = $1';
    expect(await server.app.db.query(rows, [user.id])).to.have.length(0);

    const { user: ivan } = await person('ivan');
    const { archives, personalData } = server.app.contextDependencies.services;
    const id = ctx().newId();
    await archives.request(id, ivan.id);
    const left = await kept(dataDir);
    await archives.make(
      id,
      async ({ path, seal }) => {
        await personalData.forget(ivan.id, []);
        // The folder was deleted too, but it can still exist on the disk of another machine.
        await mkdir(dirname(path), { recursive: true });
        await pipeline(['x'], seal, createWriteStream(path));
        return 0;
      },
      signal,
    );
    expect(await kept(dataDir)).to.deep.equal(left);
  });

  it('is available to suspended and disabled users as well', async () => {
    const friend = await person('friend');
    for (const lockedOut of ['suspended', 'disabled']) {
      const { user } = await person(lockedOut);
      await server.call('POST', `/api/v1/accounts/${friend.user.id}/follow`, { token: user.token });
      const { uri } = await post(user, { status: 'Mine' });
      await server.waitUntilIdle();
      if (lockedOut === 'suspended') await suspendAccount(server.app, user.id);
      else await modifyUser(ctx(), user.id, { disabled: true });
      await server.waitUntilIdle();
      const browser = await signedIn(server, lockedOut);
      expect((await browser.open('/settings')).status).to.equal(403);
      expect((await browser.open('/settings/strikes')).status).to.equal(200);
      const answer = await ask(browser);
      expect([answer.status, locationOf(answer)]).to.deep.equal([303, `${EXPORT}?done=archive`]);
      expect((await browser.open(EXPORT)).body).not.to.contain('href="/settings"');
      await made(server.app, user.id);
      const given = await download(browser);
      expect(given.status).to.equal(200);
      const files = await filesIn(Buffer.from(await given.arrayBuffer()));
      const outbox = JSON.parse(String(files.get('outbox.json')));
      expect(outbox.orderedItems[0].object.id).to.equal(uri);
      expect(String(files.get('actor.json'))).to.contain(`"${lockedOut}"`);
      const following = await browser.open(`${EXPORT}/following_accounts.csv`);
      expect([following.status, following.body]).to.deep.equal([
        200,
        `Account address,Show boosts,Notify on new posts,Languages\r\nfriend@rookery.example,true,false,\r\n`,
      ]);
    }
  });
});
