import { expect } from 'chai';
import type { SettingName } from '#commands/instance/index.ts';
import { addRule, changeSettings, editRule, publishTerms, readSetting } from '#commands/instance/index.ts';
import { VERSION } from '#config/version.ts';
import type { Instance, V1Instance } from '#mastodon/schemas/index.ts';
import { still } from '../support/pictures.ts';
import { remoteAccount } from '../support/remote.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';

describe('the pages about this server', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;

  before(async () => {
    server = await startTestServer();
    alice = await server.user('alice');
    await server.user('bob', { confirmed: false });
    for (const visibility of ['public', 'unlisted', 'private']) {
      await server.call('POST', '/api/v1/statuses', {
        token: alice.token,
        body: { status: `A ${visibility} post`, visibility },
      });
    }
    await remoteAccount(server.app, 'carol', 'far.example');
    await remoteAccount(server.app, 'dave', 'away.example');
    await remoteAccount(server.app, 'erin', 'far.example');
    await server.waitUntilIdle();
  });
  after(() => server.close());

  const get = (path: string, token?: string): Promise<Answer> => server.call('GET', path, { token });
  const v2 = async (): Promise<Instance> => (await get('/api/v2/instance')).body as Instance;
  const set = async (name: SettingName, value: Buffer | string): Promise<void> => {
    const ctx = server.app.systemContext('spec');
    await changeSettings(ctx, await readSetting(ctx, name, Buffer.from(value)));
  };

  it('show the default settings, with the enforced limits', async () => {
    const instance = await v2();
    expect(instance).to.deep.include({
      domain: 'rookery.example',
      title: 'rookery.example',
      version: `4.7.0 (compatible; Rookery ${VERSION})`,
      description: '',
      usage: { users: { active_month: 2 } },
      icon: [],
      languages: ['en'],
      api_versions: { mastodon: 11 },
      contact: { email: '', account: null },
      rules: [],
      registrations: {
        enabled: true,
        approval_required: false,
        reason_required: false,
        message: null,
        min_age: null,
        url: null,
      },
    });
    const { configuration } = instance;
    expect(configuration.urls).to.deep.equal({
      streaming: 'wss://rookery.example',
      status: null,
      about: 'https://rookery.example/about',
      privacy_policy: 'https://rookery.example/privacy-policy',
      terms_of_service: null,
    });
    expect(configuration.vapid.public_key).to.equal(server.app.instance.vapidPublicKey);
    expect(configuration.translation.enabled).to.equal(false);
    expect(configuration.limited_federation).to.equal(false);
    expect(configuration.timelines_access.live_feeds).to.deep.equal({ local: 'public', remote: 'public' });
    const body = { status: 'x'.repeat(configuration.statuses.max_characters + 1) };
    const refused = await server.call('POST', '/api/v1/statuses', { token: alice.token, body });
    expect(refused.status).to.equal(422);
  });

  it('count users, posts and servers', async () => {
    const { body } = await get('/api/v1/instance');
    expect((body as V1Instance).stats).to.deep.equal({ user_count: 1, status_count: 3, domain_count: 2 });
    expect(body).to.include({ uri: 'rookery.example', registrations: true, approval_required: false });
    expect((body as V1Instance).urls).to.deep.equal({ streaming_api: 'wss://rookery.example' });
  });

  it('follow the settings at once', async () => {
    await set('title', '  The   Rookery ');
    await set('short_description', 'Black birds & friends');
    await set('contact_email', 'Staff@Rookery.Example');
    await set('contact_account', '@alice');
    await set('status_page_url', 'https://status.rookery.example');
    await set('languages', 'en, de pt-BR');
    await set('registrations', 'closed');
    await set('registrations_message', 'Come back <b>later</b><script>alert(1)</script>');
    await set('timeline_preview', 'false');
    const instance = await v2();
    expect(instance).to.include({ title: 'The Rookery', description: 'Black birds & friends' });
    expect(instance.contact.email).to.equal('staff@rookery.example');
    expect(instance.contact.account).to.include({ id: alice.id, acct: 'alice', statuses_count: 3 });
    expect(instance.configuration.urls.status).to.equal('https://status.rookery.example/');
    expect(instance.languages).to.deep.equal(['en', 'de', 'pt-BR']);
    expect(instance.registrations).to.include({ enabled: false, message: 'Come back <b>later</b>' });
    expect(instance.configuration.timelines_access.hashtag_feeds.local).to.equal('authenticated');
    const { body } = await get('/api/v1/instance');
    expect(body).to.include({ title: 'The Rookery', description: 'Black birds &amp; friends' });
    expect((body as V1Instance).contact_account).to.include({ id: alice.id });
    await set('registrations', 'approved');
    expect((await v2()).registrations).to.include({ enabled: true, approval_required: true, message: null });
  });

  it('show the banner and the icon, in all their sizes', async () => {
    const picture = await still('#123456', { width: 300, height: 300 });
    await set('thumbnail', picture);
    await set('thumbnail_description', 'A dark blue square');
    await set('icon', picture);
    const { thumbnail, icon } = await v2();
    expect(thumbnail).to.include({ description: 'A dark blue square' });
    expect(thumbnail.blurhash).to.match(/^[^\s]{20,}$/);
    expect(thumbnail.url).to.equal(thumbnail.versions?.['@1x']);
    expect(((await get('/api/v1/instance')).body as V1Instance).thumbnail).to.equal(thumbnail.url);
    expect(icon.map(({ size }) => size)).to.include.members(['36x36', '512x512']);
    for (const url of [thumbnail.url, thumbnail.versions?.['@2x'] ?? '', icon[0]?.src ?? '']) {
      const { status, headers } = await get(new URL(url).pathname);
      expect([status, headers.get('content-type')]).to.deep.equal([200, 'image/png']);
    }
    await set('thumbnail_description', '');
    expect((await v2()).thumbnail.description).to.equal(null);
  });

  it('refuse settings that cannot be, and change nothing', async () => {
    const before = await server.app.log.head();
    const wrong: [SettingName, string][] = [
      ['title', 'x'.repeat(101)],
      ['contact_email', 'nobody'],
      ['contact_account', 'nobody'],
      ['status_page_url', 'javascript:alert(1)'],
      ['status_page_url', 'nowhere'],
      ['languages', 'en,klingon-language'],
      ['languages', ''],
      ['registrations', 'maybe'],
      ['timeline_preview', 'perhaps'],
      ['thumbnail', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
      ['icon', 'no picture'],
      ['privacy_policy', 'x'.repeat(200_001)],
    ];
    for (const [name, value] of wrong) {
      const failed = await set(name, value).then(
        () => undefined,
        (error: unknown) => error as { code: string },
      );
      expect(failed?.code, `${name} ${value.slice(0, 40)}`).to.be.oneOf(['invalid', 'not_found']);
    }
    expect(await server.app.log.head()).to.equal(before);
  });

  it('list the rules in their order, with hints and translations', async () => {
    expect((await get('/api/v1/instance/rules')).body).to.deep.equal([]);
    await addRule(server.app.systemContext('spec'), { text: 'Be kind', hint: 'To everybody' });
    await editRule(server.app.systemContext('spec'), { id: 1, language: 'de', text: 'Sei nett' });
    await server.waitUntilIdle();
    const rules = [
      {
        id: '1',
        text: 'Be kind',
        hint: 'To everybody',
        translations: { de: { text: 'Sei nett', hint: '' } },
      },
    ];
    expect((await get('/api/v1/instance/rules')).body).to.deep.equal(rules);
    expect((await v2()).rules).to.deep.equal(rules);
    expect(((await get('/api/v1/instance')).body as V1Instance).rules).to.deep.equal(rules);
  });

  it('show the longer texts as HTML that does nothing, once they are there', async () => {
    expect((await get('/api/v1/instance/extended_description')).body).to.deep.equal({
      content: '<p>Black birds &amp; friends</p>',
      updated_at: null,
    });
    const unwritten = await get('/api/v1/instance/privacy_policy');
    const { content: standard } = unwritten.body as { content: string };
    expect(standard).to.contain('rookery.example').and.to.contain('<h2>What is stored</h2>');
    expect((await get('/privacy-policy')).body).to.include('What is stored');
    await set('extended_description', 'One <&>\n\nTwo https://example.com');
    await set(
      'privacy_policy',
      '<h2 onclick="x()">We</h2><p>keep <a href="javascript:x()">it</a></p><img src=x onerror=x()><script>x()</script>',
    );
    const described = await get('/api/v1/instance/extended_description');
    expect((described.body as { content: string }).content).to.match(
      /^<p>One &lt;&amp;&gt;<\/p><p>Two <a href="https:\/\/example\.com"/,
    );
    const policy = await get('/api/v1/instance/privacy_policy');
    const clean = '<h2>We</h2><p>keep <a rel="noopener">it</a></p>';
    expect((policy.body as { content: string }).content).to.equal(clean);
    expect((await v2()).configuration.urls.privacy_policy).to.equal('https://rookery.example/privacy-policy');
    expect((await get('/privacy-policy')).body).to.include(clean);
  });

  it('are found where apps look for them still', async () => {
    for (const [old, now] of [
      ['/about/more', '/about'],
      ['/terms', '/privacy-policy'],
    ] as const) {
      const { status, headers } = await get(old);
      expect([status, headers.get('location')], old).to.deep.equal([301, now]);
    }
  });

  it('show the terms in force, and those of a day', async () => {
    expect((await get('/api/v1/instance/terms_of_service')).status).to.equal(404);
    expect((await get('/terms-of-service')).status).to.equal(404);
    const publish = async (text: string, effectiveDate: string): Promise<void> => {
      await publishTerms(server.app.systemContext('spec'), { text, effectiveDate });
      await server.waitUntilIdle();
    };
    await publish('Later', '2999-01-01');
    const later = {
      effective_date: '2999-01-01',
      effective: false,
      content: '<p>Later</p>',
      succeeded_by: null,
    };
    expect((await get('/api/v1/instance/terms_of_service')).body).to.deep.equal(later);
    await publish('Latest', '2999-02-01');
    const succeeded = { ...later, succeeded_by: '2999-02-01' };
    expect((await get('/api/v1/instance/terms_of_service')).body).to.deep.equal(succeeded);
    expect((await get('/api/v1/instance/terms_of_service/2999-01-01')).body).to.deep.equal(succeeded);
    expect((await get('/terms-of-service/2999-01-01')).body).to.include('<p>Later</p>');
    for (const day of ['2999-03-01', 'today', '2999-02-30', '0000-01-01', '9999-12-31']) {
      expect((await get(`/api/v1/instance/terms_of_service/${day}`)).status, day).to.equal(404);
      expect((await get(`/terms-of-service/${day}`)).status, day).to.equal(404);
    }
    expect((await v2()).configuration.urls.terms_of_service).to.equal(
      'https://rookery.example/terms-of-service',
    );
  });

  it('have a page for people, with everything escaped', async () => {
    await set('short_description', '<script>alert(1)</script>');
    const { status, body, headers } = await get('/about');
    expect([status, headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
    expect(body).to.include('The Rookery').and.include('Be kind').and.include('staff@rookery.example');
    expect(body).to.not.include('<script>');
  });

  it('list the servers that are known, unless the staff keeps that to itself', async () => {
    expect((await get('/api/v1/instance/peers')).body).to.deep.equal(['away.example', 'far.example']);
    const found = async (q: string) => (await get(`/api/v1/peers/search?q=${encodeURIComponent(q)}`)).body;
    expect(await found('FAR')).to.deep.equal(['far.example']);
    expect(await found('far.')).to.deep.equal(['far.example']);
    expect(await found('ar.example')).to.deep.equal([]);
    for (const none of ['', ' ', '%', 'a b', 'x'.repeat(500)]) expect(await found(none)).to.deep.equal([]);
    expect((await get('/api/v1/peers/search')).body).to.deep.equal([]);
    expect((await get(`/api/v1/peers/search?q=${'x'.repeat(501)}`)).status).to.equal(422);
    await set('peers_api_enabled', 'false');
    expect((await get('/api/v1/peers/search?q=far')).status).to.equal(404);
    expect((await get('/api/v1/instance/peers')).status).to.equal(404);
  });

  it('tell of 12 weeks in texts, unless the staff keeps that to itself', async () => {
    const weeks = (await get('/api/v1/instance/activity')).body as Record<string, string>[];
    expect(weeks).to.have.length(12);
    expect(weeks[0]).to.include({ statuses: '2', logins: '2', registrations: '2' });
    expect(weeks[1]).to.include({ statuses: '0', logins: '0', registrations: '0' });
    const starts = weeks.map(({ week }) => Number(week));
    expect(starts.map((start) => new Date(start * 1_000).getUTCDay())).to.deep.equal(Array(12).fill(1));
    expect(starts.every((start, index) => index === 0 || starts[index - 1] === start + 604_800)).to.equal(
      true,
    );
    await set('activity_api_enabled', 'false');
    expect((await get('/api/v1/instance/activity')).status).to.equal(404);
  });

  it('name the languages of posts', async () => {
    const languages = (await get('/api/v1/instance/languages')).body as { code: string; name: string }[];
    expect(languages).to.deep.include({ code: 'de', name: 'German' });
    expect(languages.length).to.be.within(180, 250);
    expect(languages.map(({ code }) => code)).to.not.include('iw');
  });

  it('are NodeInfo as well', async () => {
    const { body } = await get('/.well-known/nodeinfo');
    const { links } = body as { links: { rel: string; href: string }[] };
    expect(links[0]).to.deep.equal({
      rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0',
      href: 'https://rookery.example/nodeinfo/2.0',
    });
    for (const { rel, href } of links) {
      const reply = await get(new URL(href).pathname);
      expect(reply.headers.get('content-type')).to.equal(`application/json; profile="${rel}#"`);
      expect(reply.body).to.deep.include({
        version: rel.split('/').at(-1),
        protocols: ['activitypub'],
        openRegistrations: true,
        usage: { users: { total: 1, activeMonth: 2, activeHalfyear: 2 }, localPosts: 3 },
      });
      expect((reply.body as { software: object }).software).to.include({ name: 'rookery', version: VERSION });
      // Apps made with megalodon sign in nowhere else, unless they know the name of the software.
      expect((reply.body as { metadata: object }).metadata).to.deep.include({
        upstream: { name: 'mastodon' },
      });
    }
    expect((await get('/nodeinfo/1.0')).status).to.equal(404);
  });
});

describe('a server with limited federation', function () {
  this.timeout(60_000);
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ LIMITED_FEDERATION_MODE: 'true' });
  });
  after(() => server.close());

  it('tells strangers no more than what apps need to sign in', async () => {
    const alice = await server.user('alice');
    for (const path of ['', '/rules', '/peers', '/activity', '/extended_description', '/terms_of_service']) {
      const stranger = await server.call('GET', `/api/v1/instance${path}`);
      expect([stranger.status, stranger.body], path).to.deep.equal([
        401,
        { error: 'This API requires an authenticated user' },
      ]);
      const user = await server.call('GET', `/api/v1/instance${path}`, { token: alice.token });
      expect(user.status, path).to.be.oneOf([200, 404]).and.not.equal(401);
    }
    const { status, body } = await server.call('GET', '/api/v2/instance');
    expect(status).to.equal(200);
    expect((await server.call('GET', '/nodeinfo/2.0')).status).to.equal(200);
    const { usage, configuration } = body as Instance;
    expect([usage.users.active_month, configuration.limited_federation]).to.deep.equal([0, true]);
  });
});
