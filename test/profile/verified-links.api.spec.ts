import type { RequestListener } from 'node:http';
import { expect } from 'chai';
import { account } from '#commands/accounts/index.ts';
import { type AccountEvent, accountStream, emptyProfile } from '#events/accounts.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { startWebPage, type WebPage } from '../support/web-page.ts';

interface Field {
  name: string;
  value: string;
  verified_at: string | null;
}

describe('Verified links over the API', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;
  let web: WebPage;

  before(async function () {
    this.timeout(120_000);
    web = await startWebPage();
    server = await startTestServer({ LOCAL_HTTPS: 'false', ALLOWED_PRIVATE_ADDRESSES: '127.0.0.1' });
    alice = await server.user('alice');
  });
  beforeEach(() => (web.requests = []));
  after(async () => {
    await server.close();
    web.close();
  });

  const ALICE = 'http://rookery.example/@alice';
  const here = (path: string, host?: string): string => web.here(path, host);
  const page =
    (html: string, type = 'text/html; charset=utf-8'): RequestListener =>
    (_req, res) =>
      void res.setHeader('Content-Type', type).end(html);
  const linkingBack = page(`<a href="${ALICE}" rel="me">me</a>`);

  const save = async (...values: string[]): Promise<void> => {
    const fields_attributes = values.map((value, n) => ({ name: `Field ${n}`, value }));
    const body = { fields_attributes };
    const { status } = await server.call('PATCH', '/api/v1/accounts/update_credentials', {
      token: alice.token,
      body,
    });
    expect(status).to.equal(200);
  };
  /** Waits until no link is being checked. Links that are due later do not count. */
  const looked = async (): Promise<void> => {
    await server.waitUntilIdle();
    await eventually(async () => expect(await jobs('start_after <= now()')).to.equal(0));
    await server.waitUntilIdle();
  };
  const jobs = async (which: string): Promise<number> => {
    const { db } = server.app;
    const [schema] = await db.query<{ job: string | null }>(`select to_regclass('jobs.job')::text as job`);
    if (schema?.job == null) return 0;
    const [row] = await db.query<{ waiting: number }>(
      `select count(*)::int as waiting from jobs.job
       where name = 'link-verification' and state in ('created', 'retry', 'active') and ${which}`,
    );
    return row?.waiting ?? 0;
  };
  const get = async (path: string): Promise<{ fields: Field[]; source: { fields: Field[] } }> => {
    const { status, body } = await server.call('GET', path, { token: alice.token });
    expect(status).to.equal(200);
    return body as { fields: Field[]; source: { fields: Field[] } };
  };
  const times = async (): Promise<(string | null)[]> =>
    (await get(`/api/v1/accounts/${alice.id}`)).fields.map(({ verified_at }) => verified_at);
  /** Tells whether a link to a page with this reply is verified. */
  const isVerified = async (path: string, listener: RequestListener): Promise<boolean> => {
    web.answer = listener;
    await save(here(path));
    await looked();
    const [time] = await times();
    return time !== null;
  };

  it('are verified by a page that links back, and shown so everywhere', async () => {
    const before = Date.now();
    expect(await isVerified('/mine', linkingBack)).to.equal(true);
    const [time] = await times();
    expect(Date.parse(time ?? '')).to.be.within(before, Date.now());
    const own = await get('/api/v1/accounts/verify_credentials');
    const profile = await get('/api/v1/profile');
    for (const fields of [own.fields, own.source.fields, profile.fields]) {
      expect(fields.map(({ verified_at }) => verified_at)).to.deep.equal([time]);
    }
    const html = await server.call('GET', '/@alice', { headers: { Accept: 'text/html' } });
    expect(html.body).to.contain('Verified on');
    const { body } = await server.call('GET', '/users/alice', {
      headers: { Accept: 'application/activity+json' },
    });
    expect(JSON.stringify(body)).to.contain('/mine').and.not.to.contain('verified');
    expect(web.requests).to.deep.equal(['/mine']);
  });

  it('stay verified while they are unchanged, and are not fetched again', async () => {
    expect(await isVerified('/stays', linkingBack)).to.equal(true);
    const [time] = await times();
    web.answer = (_req, res) => void res.writeHead(404).end();
    await save('she', here('/stays'));
    await looked();
    expect(await times()).to.deep.equal([null, time]);
    expect(web.requests).to.deep.equal(['/stays']);
    await save(here('/other'));
    await looked();
    expect(await times()).to.deep.equal([null]);
    expect(web.requests).to.deep.equal(['/stays', '/other']);
    // A verified link must be found again.
    await save(here('/stays'));
    await looked();
    expect(await times()).to.deep.equal([null]);
  });

  it('are verified by a header, by a page that they redirect to, and in a truncated page', async () => {
    const byHeader: RequestListener = (_req, res) =>
      void res.writeHead(200, { 'Content-Type': 'text/html', Link: `<${ALICE}>; rel="me"` }).end('<p>Hi');
    expect(await isVerified('/header', byHeader), 'header').to.equal(true);
    const led: RequestListener = (req, res) =>
      req.url === '/home' ? linkingBack(req, res) : void res.writeHead(301, { Location: '/home' }).end();
    expect(await isVerified('/led', led), 'redirect').to.equal(true);
    const long = page(`<a href="${ALICE}" rel="me">me</a>${'<p>x'.repeat(1_000_000)}`);
    expect(await isVerified('/long', long), 'long').to.equal(true);
  });

  const hostile: Record<string, RequestListener> = {
    'links to somebody else': page('<a rel="me" href="http://rookery.example/@bob">'),
    'links to a host that looks alike': page(
      '<a rel="me" href="http://rookery.example.evil.example/@alice">',
    ),
    'links from a comment and a script': page(
      `<!-- <a rel="me" href="${ALICE}"> --><script>"<a rel='me' href='${ALICE}'>"</script>`,
    ),
    'links too far down': page(`${'<p>x'.repeat(1_000_000)}<a rel="me" href="${ALICE}">`),
    'is no HTML': page(`<a rel="me" href="${ALICE}">`, 'text/plain'),
    'is not there': (_req, res) =>
      void res.writeHead(404, { 'Content-Type': 'text/html' }).end(`<a rel="me" href="${ALICE}">`),
    'leads in circles': (req, res) => void res.writeHead(302, { Location: `${req.url}x` }).end(),
    'leads to a forbidden address': (_req, res) =>
      void res.writeHead(302, { Location: here('/secret', '127.0.0.2') }).end(),
    'leads to another scheme': (_req, res) =>
      void res.writeHead(302, { Location: 'file:///etc/passwd' }).end(),
  };
  for (const [what, listener] of Object.entries(hostile)) {
    it(`are not verified by a page that ${what}, and not fetched again`, async () => {
      const path = `/${what.replaceAll(' ', '-')}`;
      expect(await isVerified(path, listener)).to.equal(false);
      expect(web.requests).not.to.include('/secret');
      expect(await jobs('start_after > now()')).to.equal(0);
    });
  }

  it('are not fetched when they show another address than they lead to', async () => {
    const plain = here('/x');
    await save(plain.replace('//', '//rookery.example@'), `see ${plain}`, plain.replace('http', 'HTTP'));
    await looked();
    expect(web.requests).to.deep.equal([]);
    expect(await times()).to.deep.equal([null, null, null]);
  });

  it('are fetched again later when the page is unavailable, and abandoned in the end', async () => {
    const again = async (): Promise<void> => {
      await server.app.db.query(`update jobs.job set start_after = now() where name = 'link-verification'`);
      await looked();
    };
    expect(await isVerified('/down', (_req, res) => void res.writeHead(503).end())).to.equal(false);
    for (let tries = 1; tries <= 4; tries += 1) {
      expect(await jobs('start_after > now()')).to.equal(1);
      await again();
    }
    expect(web.requests).to.deep.equal(Array.from({ length: 5 }, () => '/down'));
    expect(await jobs('true')).to.equal(0);

    expect(await isVerified('/back', (_req, res) => void res.writeHead(429).end())).to.equal(false);
    web.answer = linkingBack;
    await again();
    expect((await times())[0]).to.be.a('string');

    await save(`http://127.0.0.1:${await freePort()}/`);
    await looked();
    expect(await jobs('start_after > now()')).to.equal(1);
    await save('no link');
    await again();
    expect(await jobs('true'), 'of a link that is gone').to.equal(0);
  });

  it('are fetched again when the profile is saved unchanged, once for many times', async () => {
    expect(await isVerified('/later', page('<p>not yet'))).to.equal(false);
    web.answer = linkingBack;
    for (let n = 0; n < 3; n += 1) await save(here('/later'));
    expect(await jobs('start_after > now()')).to.equal(1);
    await server.app.db.query(`update jobs.job set start_after = now() where name = 'link-verification'`);
    await looked();
    expect((await times())[0]).to.be.a('string');
    expect(web.requests).to.deep.equal(['/later', '/later']);
  });

  it('do not make the user wait for a slow page', async () => {
    let end = (): void => undefined;
    web.answer = (_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/html' }).write(`<a rel="me" href="${ALICE}">`);
      end = () => void res.end();
    };
    await save(here('/drips'));
    expect(await times()).to.deep.equal([null]);
    await eventually(() => expect(web.requests).to.deep.equal(['/drips']));
    // Changes the link during the request: the result is outdated.
    await save('no link');
    end();
    await looked();
    expect(await times()).to.deep.equal([null]);
  });

  it('leave no data that an erasure would miss', async () => {
    expect(await isVerified('/canary', (_req, res) => void res.writeHead(503).end())).to.equal(false);
    const rows = await server.app.db.query<{ row: string }>('select j::text as row from jobs.job j');
    expect(rows).not.to.have.length(0);
    expect(rows.filter(({ row }) => row.includes('canary'))).to.deep.equal([]);
  });

  describe('in remote profiles', () => {
    /** The verification times of fields with this HTML, after all of their pages were checked. */
    const timesOf = async (name: string, ...fields: [value: string, html: string][]) => {
      const ctx = server.app.systemContext('tests');
      const id = ctx.newId();
      const uri = `http://far.example/users/${name}`;
      const created: AccountEvent = {
        type: 'AccountCreated',
        data: {
          id,
          username: name,
          domain: 'far.example',
          uri,
          url: uri,
          created_at: ctx.now,
          ...emptyProfile,
          fields: fields.map(([value, html]) => ({ name: 'Web', value, html, verified_at: null })),
        },
      };
      web.answer = page(`<a href="${uri}" rel="me">me</a>`);
      await ctx.execute(accountStream(id), account, () => [created]);
      await looked();
      // Their pages are checked within ten minutes.
      await server.app.db.query(`update jobs.job set start_after = now() where name = 'link-verification'`);
      await looked();
      return (await get(`/api/v1/accounts/${id}`)).fields.map(({ verified_at }) => verified_at);
    };

    it('are verified when the page links to the remote profile', async () => {
      const address = here('/far?a=1&b=2');
      const html = `<a href="${address.replace('&', '&amp;')}" rel="me"><span class="invisible">http://</span>${address.slice(7).replace('&', '&amp;')}</a>`;
      expect(await timesOf('carol', [address, html]))
        .to.have.nested.property('[0]')
        .that.is.a('string');
    });

    it('are not fetched when the field contains anything but one link to its own address', async () => {
      const [one, other] = [here('/one'), here('/other')];
      const times = await timesOf(
        'dave',
        [one, one],
        [one, `<a href="${other}">${one}</a>`],
        [`see ${one}`, `see <a href="${one}">${one}</a>`],
      );
      expect(times).to.deep.equal([null, null, null]);
      expect(web.requests).to.deep.equal([]);
    });
  });
});
