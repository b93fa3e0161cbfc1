import { expect } from 'chai';
import { account } from '#commands/accounts/index.ts';
import { addRule, changeSettings } from '#commands/instance/index.ts';
import { type AccountEvent, accountStream, emptyProfile } from '#events/accounts.ts';
import { describeTown, type Person, startTown } from '../support/people.ts';
import { suspendAccount } from '../support/remote.ts';
import { post, remotePost } from '../timelines/support.ts';
import { open as openPage, type Opened } from './support.ts';

const HERE = 'https://rookery.example';

describeTown('Pages', function (town) {
  this.timeout(60_000);
  let alice: Person;

  before(async function () {
    this.timeout(120_000);
    alice = await town.person('alice');
  });

  const open = (path: string, headers?: Record<string, string>): Promise<Opened> =>
    openPage(town, path, headers);
  /** An account of another server with these addresses. */
  const remote = async (username: string, uri: string, url: string): Promise<string> => {
    const ctx = town.app.systemContext('spec');
    const id = ctx.newId();
    const event: AccountEvent = {
      type: 'AccountCreated',
      data: { id, username, domain: 'far.example', uri, url, created_at: ctx.now, ...emptyProfile },
    };
    await ctx.execute(accountStream(id), account, () => [event]);
    await town.waitUntilIdle();
    return id;
  };

  describe('about a hashtag', () => {
    it('show public posts, also remote ones, and are not indexed', async () => {
      const far = await remote('tagger', 'https://far.example/users/tagger', 'https://far.example/@tagger');
      await post(alice, 'all about #Rooks');
      await post(alice, 'quietly about #rooks', { visibility: 'unlisted' });
      await post(alice, 'for followers: #rooks', { visibility: 'private' });
      await remotePost(town, far, {
        content: '<p>rooks from afar</p>',
        tags: [{ name: 'rooks', normal: 'rooks' }],
      });
      const { status, page } = await open('/tags/Rooks');
      expect(status).to.equal(200);
      expect(page.one('h1')?.text).to.equal('#Rooks');
      expect(page.posts()).to.have.length(2);
      expect(page.posts()[0]).to.contain('rooks from afar');
      expect(page.posts()[1]).to.contain('all about #Rooks');
      expect(page.meta('robots')).to.equal('noindex, noarchive');
      expect(page.link('alternate', { type: 'application/rss+xml' })).to.equal(`${HERE}/tags/rooks.rss`);
      expect((await open('/tags/nothing')).page.posts()).to.deep.equal([]);
    });

    it('are found in other scripts, and are missing for text that is no hashtag', async () => {
      await post(alice, 'ワタリガラス #カラス');
      expect((await open(`/tags/${encodeURIComponent('カラス')}`)).page.posts()).to.have.length(1);
      for (const tag of ['-', '%20', '1', 'a%20b', 'x'.repeat(600), '%3Cb%3E']) {
        expect((await open(`/tags/${tag}`)).status, tag).to.equal(404);
      }
      expect((await open('/tags/%E0%A4%A')).status).to.equal(400);
    });

    it('are a collection for programs', async () => {
      const { status, headers } = await open('/tags/rooks', { Accept: 'application/activity+json' });
      expect([status, headers.get('content-type')]).to.deep.equal([
        200,
        'application/activity+json; charset=utf-8',
      ]);
    });

    it('are closed while public timelines are', async () => {
      await changeSettings(town.app.systemContext('spec'), { timeline_preview: false });
      for (const path of ['/tags/rooks', '/tags/rooks.rss']) {
        const { status, text } = await open(path);
        expect(status, path).to.equal(401);
        expect(text).not.to.contain('all about');
      }
      expect((await open('/@alice')).status).to.equal(200);
      await changeSettings(town.app.systemContext('spec'), { timeline_preview: true });
      expect((await open('/tags/rooks')).status).to.equal(200);
    });
  });

  it('link to remote accounts and posts at their own origin only (GHSA-xqw8-4j56-5hj6)', async () => {
    const id = await remote('good', 'https://far.example/users/good', 'https://far.example/@good');
    const post = await remotePost(town, id, { content: '<p>there</p>' });
    for (const [path, there] of [
      ['/@good@far.example', 'https://far.example/@good'],
      ['/@Good@FAR.example', 'https://far.example/@good'],
      [`/@good@far.example/${post}`, `https://far.example/posts/${post}`],
      ['/@alice@rookery.example', `${HERE}/@alice`],
    ] as const) {
      const { status, headers } = await open(path);
      expect([status, headers.get('location')], path).to.deep.equal([302, there]);
    }
    const elsewhere = [
      'https://evil.example/@x',
      'http://far.example/@x',
      'https://far.example:444/@x',
      'https://far.example@evil.example/',
      'https://user@far.example/@x',
      'javascript:alert(1)',
      'data:text/html,x',
    ];
    for (const [index, url] of elsewhere.entries()) {
      const name = `bad${index}`;
      const badId = await remote(name, `https://far.example/users/${name}`, url);
      const bad = await remotePost(town, badId, { url });
      for (const path of [`/@${name}@far.example`, `/@${name}@far.example/${bad}`]) {
        const { status, headers } = await open(path);
        expect([status, headers.get('location')], url).to.deep.equal([404, null]);
      }
    }
    const hidden = await remotePost(town, id, { visibility: 'private' });
    for (const path of [
      ...[
        '/@nobody@far.example',
        '/@good@other.example',
        '/@good@',
        '/@@far.example',
        '/@good%40far.example%2F..%2F',
      ],
      ...[
        `/@good@far.example/${hidden}`,
        `/@alice@far.example/${post}`,
        '/@good@far.example/1',
        '/@good@far.example/x',
      ],
      ...['/@good@far.example.rss', '/@good@far.example/with_replies', `/@good/${post}`, '/@good'],
    ]) {
      expect((await open(path)).status, path).to.equal(404);
    }
    await suspendAccount(town.app, id);
    expect((await open('/@good@far.example')).status).to.equal(404);
    expect((await open(`/@good@far.example/${post}`)).status).to.equal(404);
  });

  it('are refused for suspended accounts, gone for erased ones, and missing for unknown ones', async () => {
    const admin = await town.staff('admin', 'Owner');
    const eve = await town.person('eve', { display_name: 'Eve E.' });
    const id = await post(eve, 'I was here');
    await town.suspend(eve);
    const paths = ['/@eve', `/@eve/${id}`, '/@eve.rss', '/@eve/media', '/@eve/1'];
    const allAnswer = async (expected: number): Promise<void> => {
      for (const path of paths) {
        const { status, text, headers } = await open(path);
        expect([status, headers.get('cache-control')], path).to.deep.equal([expected, 'no-store']);
        expect(text).not.to.contain('Eve E.').and.not.to.contain('I was here');
      }
    };
    await allAnswer(403);
    expect((await admin.delete(`/api/v1/admin/accounts/${eve.id}`)).status).to.equal(200);
    await town.waitUntilIdle();
    await allAnswer(410);
    for (const path of [
      '/@nobody',
      '/@nobody.rss',
      '/@nobody/1',
      '/@',
      '/@a.b',
      '/@alice/nothing',
      '/@alice/with_replies/1',
    ]) {
      expect((await open(path)).status, path).to.equal(404);
    }
  });

  it('describe this server and the way in on the front page', async () => {
    const ctx = town.app.systemContext('spec');
    await changeSettings(ctx, {
      title: 'The <Rookery>',
      short_description: 'Birds & friends',
      contact_email: 'staff@rookery.example',
      contact_account_id: alice.id,
      registrations: 'approved',
      privacy_policy: { content: '<p>Nothing is kept.</p>', updated_at: ctx.now },
    });
    await addRule(town.app.systemContext('spec'), { text: 'Be <kind>', hint: '' });
    const { status, text, page } = await open('/');
    expect(status).to.equal(200);
    expect(text).not.to.contain('<Rookery>').and.not.to.contain('<kind>');
    expect(page.one('h1')?.text).to.equal('The <Rookery>');
    expect(page.one('title')?.text).to.equal('The <Rookery>');
    expect(page.one('main')?.text)
      .to.contain('Birds & friends')
      .and.to.contain('Be <kind>')
      .and.to.contain('rookery.example');
    expect(page.one('main')?.text)
      .to.contain('Ask for an account')
      .and.to.contain('moderators review each sign-up');
    expect(page.meta('og:title')).to.equal('The <Rookery>');
    const links = page.all('a').map(({ attributes }) => attributes['href']);
    expect(links).to.include.members([
      'mailto:staff@rookery.example',
      `${HERE}/@alice`,
      '/about',
      '/privacy-policy',
    ]);
    for (const path of ['/about', '/privacy-policy']) expect((await open(path)).status, path).to.equal(200);
    await changeSettings(town.app.systemContext('spec'), {
      registrations: 'closed',
      registrations_message: '<p>Full.</p>',
    });
    expect((await open('/')).page.one('main')?.text).to.contain('Full.');
  });

  it('show collections at their address', async () => {
    const friend = await town.person('friend', { discoverable: true, display_name: 'A friend' });
    const { json } = await alice.post<{ collection: { id: string; url: string } }>('/api/v1/collections', {
      name: 'Birds <watched>',
      description: 'People with rooks',
      sensitive: false,
      discoverable: true,
      account_ids: [friend.id],
    });
    expect(json.collection.url).to.equal(`${HERE}/collections/${json.collection.id}`);
    const { status, page, text } = await open(`/collections/${json.collection.id}`);
    expect(status).to.equal(200);
    expect(text).not.to.contain('<watched>');
    expect(page.one('h1')?.text).to.equal('Birds <watched>');
    expect(page.all('li').map((each) => each.text.replaceAll(/\s+/g, ' ').trim())).to.include(
      'A friend @friend@rookery.example',
    );
    expect((await open('/collections/1')).status).to.equal(404);
    expect((await open('/collections/x')).status).to.equal(404);
  });

  it('reply to HEAD, and JSON where there is no page', async () => {
    const head = await fetch(`${town.url}/@alice`, { method: 'HEAD', headers: { Accept: 'text/html' } });
    expect([head.status, await head.text()]).to.deep.equal([200, '']);
    for (const path of ['/nothing', '//evil.example', '/@alice//evil.example']) {
      const { status, headers } = await open(path);
      expect([status, headers.get('location')], path).to.deep.equal([404, null]);
    }
    expect((await town.nobody.post('/@alice')).status).to.equal(404);
  });
});

describe('Pages of a server for members only', function () {
  this.timeout(60_000);

  /** The link to the sign-in names the page that the visitor asked for. */
  const anywhere = (text = ''): string => text.replace(/return_to=[^"]*/, '');

  it('show nothing of accounts, not even their existence', async () => {
    const town = await startTown({ LIMITED_FEDERATION_MODE: 'true' });
    try {
      const alice = await town.person('alice');
      const id = await post(alice, 'among us #rooks');
      const paths = [
        '/@alice',
        '/@nobody',
        `/@alice/${id}`,
        '/@alice/1',
        '/tags/rooks',
        '/@alice.rss',
        '/tags/rooks.rss',
      ];
      const answers = await Promise.all(
        [...paths, '/@alice/media', '/@far@far.example', '/collections/1'].map((path) =>
          openPage(town, path),
        ),
      );
      for (const { status, text } of answers) {
        expect(status).to.equal(401);
        expect(anywhere(text)).to.equal(anywhere(answers[0]?.text)).and.not.to.contain('alice');
      }
      for (const path of ['/', '/about']) expect((await openPage(town, path)).status, path).to.equal(200);
      const asked = await openPage(town, '/@alice', { Accept: 'application/activity+json' });
      expect([asked.status, asked.headers.get('content-type')]).to.deep.equal([
        401,
        'application/json; charset=utf-8',
      ]);
    } finally {
      await town.close();
    }
  });
});

describe('Rate limits of pages', function () {
  this.timeout(60_000);

  it('refuse further requests for a while, with a page that says so', async () => {
    const town = await startTown({ RATE_LIMITS: 'on', RATE_LIMIT_EXEMPT_LOOPBACK: 'off' });
    try {
      const statuses = await Promise.all(
        Array.from({ length: 320 }, async (_, index) => {
          const path = ['/', '/@alice', '/tags/x', '/@alice.rss'][index % 4];
          const { status, text, headers } = await openPage(town, path!);
          if (status === 429) {
            expect(text).to.contain('Too many requests');
            expect(Number(headers.get('retry-after'))).to.be.above(0);
          }
          return status;
        }),
      );
      expect(statuses.filter((status) => status === 429)).to.have.length.within(1, 40);
    } finally {
      await town.close();
    }
  });
});
