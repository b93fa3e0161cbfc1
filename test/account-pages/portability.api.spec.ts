import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { expect } from 'chai';
import { finished } from '../imports/scene.ts';
import { Browser, locationOf } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { eventually } from '../support/eventually.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { doneOf, inMain } from './support.ts';

describe('The export and import pages', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;
  let bob: TestUser;
  let browser: Browser;

  before(async () => {
    server = await startTestServer();
    alice = await server.user('alice');
    bob = await server.user('bob');
    browser = await signedIn('alice');
  });
  after(() => server.close());

  const signedIn = async (login: string): Promise<Browser> => {
    const opened = new Browser(server);
    await opened.open('/auth/sign_in');
    await opened.submit('/auth/sign_in', { login, password: `correct horse ${login}` });
    return opened;
  };
  const alertOf = ({ body }: Answer): string | undefined =>
    load(body as string)
      .one('div', { role: 'alert' })
      ?.text.trim();

  /** Submits the import form with a file. */
  const upload = async (
    content: string | Uint8Array<ArrayBuffer> | undefined,
    fields: Record<string, string> = {},
    fileName = 'accounts.csv',
  ): Promise<Answer> => {
    const page = load((await browser.open('/settings/import')).body as string);
    const form = new FormData();
    const token = page.one('input', { name: 'csrf_token' })?.attributes['value'] ?? '';
    const all = { csrf_token: token, type: 'following', mode: 'merge', ...fields };
    for (const [name, value] of Object.entries(all)) form.set(name, value);
    if (content !== undefined) form.set('file', new Blob([content], { type: 'text/csv' }), fileName);
    const cookies = browser.cookieHeader;
    return server.call('POST', '/settings/import', { body: form, headers: { Cookie: cookies } });
  };

  it("list and serve the user's own files with the number of entries", async () => {
    await server.call('POST', `/api/v1/accounts/${bob.id}/follow`, { token: alice.token });
    const overview = load((await browser.open('/settings')).body as string);
    expect(overview.all('a').map(({ attributes }) => attributes['href'])).to.include.members([
      '/settings/export',
      '/settings/import',
    ]);
    const page = load((await browser.open('/settings/export')).body as string);
    const lines = page.all('li').map(({ text }) => text.replaceAll(/\s+/g, ' ').trim());
    expect(lines).to.include('Accounts that you follow (1) following_accounts.csv');
    for (const { attributes } of page.all('a').filter((a) => a.attributes['href']?.endsWith('.csv'))) {
      const { status, headers } = await browser.open(attributes['href'] ?? '');
      expect(status, attributes['href']).to.equal(200);
      expect(headers.get('content-type')).to.contain('text/csv');
      expect(headers.get('content-disposition')).to.match(/^attachment; filename="\w+\.csv"$/);
      expect(headers.get('cache-control')).to.equal('no-store');
    }
    const { body } = await browser.open('/settings/export/following_accounts.csv');
    expect(body).to.contain('bob@rookery.example,true,false,\r\n');
    const others = await (await signedIn('bob')).open('/settings/export/following_accounts.csv');
    expect(others.body).not.to.contain('bob@');
    expect((await browser.open('/settings/export/nothing.csv')).status).to.equal(404);
    expect((await new Browser(server).open('/settings/export/following_accounts.csv')).status).to.equal(303);
  });

  it('accept a file, and show the progress and the failed lines', async () => {
    const answer = await upload('Account address\nbob\nnobody\n', { type: 'blocks' });
    expect([answer.status, locationOf(answer)]).to.deep.equal([303, '/settings/import?done=import']);
    const [begun] = await server.app.contextDependencies.services.imports.of(alice.id);
    await finished(server.app, begun?.id ?? '');
    const shown = await browser.open(locationOf(answer));
    expect(doneOf(shown)).to.contain('The import has begun');
    const [line] = inMain(shown, 'li').map(({ text }) => text.replaceAll(/\s+/g, ' ').trim());
    expect(line).to.match(/^Accounts that you block .* UTC: 1 of 2 imported 1 failed$/);
    const failures = `/settings/import/${begun?.id}/failures.csv`;
    expect((await browser.open(failures)).body).to.contain('3,,nobody,"There is no such account');
    const stranger = await signedIn('bob');
    for (const path of [failures, '/settings/import/1/failures.csv', '/settings/import/x/failures.csv']) {
      expect((await stranger.open(path)).status, path).to.equal(404);
    }
    const { body } = await server.call('GET', '/api/v1/blocks', { token: alice.token });
    expect((body as { username: string }[]).map(({ username }) => username)).to.deep.equal(['bob']);
  });

  it('ask before a file of follows blocks them', async () => {
    const begun = async (): Promise<number> =>
      (await server.app.contextDependencies.services.imports.of(alice.id)).length;
    const before = await begun();
    const follows = 'Account address,Show boosts\nbob,true\n';
    for (const asked of [
      await upload(follows, { type: 'blocks' }),
      await upload('bob\n', { type: 'mutes' }, 'following_accounts.csv'),
    ]) {
      expect(asked.status).to.equal(422);
      expect(alertOf(asked)).to.contain('seems to contain accounts to follow');
      expect(inMain(asked, 'label').map(({ text }) => text)).to.include(
        'The choice is right: import the file as that',
      );
    }
    expect(await begun()).to.equal(before);
    const certain = await upload(follows, { type: 'mutes', is_certain: 'true' });
    expect(certain.status).to.equal(303);
    const [last] = await server.app.contextDependencies.services.imports.of(alice.id);
    await finished(server.app, last?.id ?? '');
    const { body } = await server.call('GET', '/api/v1/mutes', { token: alice.token });
    expect((body as { username: string }[]).map(({ username }) => username)).to.deep.equal(['bob']);
  });

  it('refuse an invalid file with a reason and keep nothing of it', async () => {
    const uploads = async (): Promise<string[]> =>
      (await readdir(tmpdir())).filter((name) => name.startsWith('rookery-upload-'));
    const before = await uploads();
    const refused: [string | Uint8Array<ArrayBuffer> | undefined, Record<string, string>, RegExp][] = [
      [undefined, {}, /Choose a file/],
      ['', {}, /Choose a file|empty/],
      [new Uint8Array([0xff, 0xfe, 0x61]), {}, /not UTF-8/],
      ['bob\n', { type: 'followers' }, /Say what is in the file/],
      ['bob\n', { mode: 'x' }, /merge or to overwrite/],
      ['"bob\n', {}, /quote/],
    ];
    for (const [content, fields, why] of refused) {
      const answer = await upload(content, fields);
      expect(answer.status, String(why)).to.equal(422);
      expect(alertOf(answer)).to.match(why);
    }
    expect((await upload('a'.repeat(5 * 1024 * 1024 + 1))).status).to.equal(413);
    const foreign = await upload('bob\n', { csrf_token: 'wrong' });
    expect(foreign.status).to.equal(403);
    // Uploads of specs that run at the same time disappear soon as well.
    await eventually(async () => expect(before).to.include.members(await uploads()));
    expect(await server.app.contextDependencies.services.imports.of(alice.id)).to.have.length(2);
  });

  /** Sends a form up to the last bytes of its file; `finish` sends them and returns the status of the reply. */
  const beginUpload = async (): Promise<{
    sent: ClientRequest;
    finish: () => Promise<number | undefined>;
  }> => {
    const page = load((await browser.open('/settings/import')).body as string);
    const form = new FormData();
    form.set('csrf_token', page.one('input', { name: 'csrf_token' })?.attributes['value'] ?? '');
    for (const [name, value] of Object.entries({ type: 'blocks', mode: 'merge' })) form.set(name, value);
    form.set('file', new Blob(['bob\n'.repeat(10_000)], { type: 'text/csv' }), 'blocks.csv');
    const written = new Response(form);
    const body = Buffer.from(await written.arrayBuffer());
    const sent = request(`${server.url}/settings/import`, {
      method: 'POST',
      agent: false,
      headers: {
        Cookie: browser.cookieHeader,
        'Content-Type': written.headers.get('content-type') ?? '',
        'Content-Length': body.length,
        Expect: '100-continue',
      },
    });
    // The server asks for the body when it begins to read it.
    sent.flushHeaders();
    await once(sent, 'continue');
    const replied = once(sent, 'response') as Promise<[IncomingMessage]>;
    replied.catch(() => undefined);
    sent.write(body.subarray(0, -100));
    return {
      sent,
      finish: async () => {
        sent.end(body.subarray(-100));
        const [reply] = await replied;
        reply.resume();
        return reply.statusCode;
      },
    };
  };

  it('refuse a second file until the first one has been stored or its connection has ended', async () => {
    const type = { type: 'blocks' };
    const expectRefused = async (): Promise<void> => {
      const answer = await upload('bob\n', type);
      expect([answer.status, alertOf(answer)]).to.deep.equal([
        422,
        'A file is being read; wait until it is done, and send this one again',
      ]);
    };
    const first = await beginUpload();
    await expectRefused();
    expect(await first.finish()).to.equal(303);
    const second = await beginUpload();
    await expectRefused();
    second.sent.destroy();
    await eventually(async () => expect((await upload('bob\n', type)).status).to.equal(303));
  });

  it('refuse a file of a user who may import no more today before they read it', async () => {
    const { app } = server;
    const { imports } = app.contextDependencies.services;
    const input = { account_id: alice.id, type: 'blocks' as const, overwrite: false, byOperator: true };
    for (let n = 0; n < 10; n += 1) {
      const id = app.systemContext('spec').newId();
      await imports.begin({ ...input, id }, [], []);
      await imports.finish(id);
    }
    // The file is above the limit, so a server that reads it replies with 413.
    const answer = await upload('a'.repeat(5 * 1024 * 1024 + 1));
    expect([answer.status, alertOf(answer)]).to.deep.equal([422, 'You can import 10 files in 24 hours']);
  });
});
