import { expect } from 'chai';
import { type DomainAllowEvent, domainAllowStream } from '#events/domain-allows.ts';
import { carriedOut, HERE } from '../support/inbox.ts';
import { ACTIVITY_JSON, ask, type Peer, startPeer } from '../support/peer.ts';
import { suspendAccount } from '../support/remote.ts';
import { shownAt } from '../support/remote-media.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';

describe('Discovery of remote accounts and posts', function () {
  this.timeout(60_000);
  let server: TestServer;
  let peer: Peer;
  let evil: Peer;
  let alice: TestUser;
  const origins: string[] = [];

  before(async function () {
    this.timeout(120_000);
    [server, peer, evil] = await Promise.all([
      startTestServer({ LOCAL_HTTPS: 'false', ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8' }),
      startPeer(),
      startPeer(),
    ]);
    alice = await server.user('alice');
    origins.push(peer.origin, evil.origin);
  });
  after(() => Promise.all([server.close(), peer.close(), evil.close()]));

  const allows = () => Promise.resolve(true);
  const sign = (_url: URL, headers: Record<string, string>) => Promise.resolve(headers);
  const resolve = (query: string) => server.app.contextDependencies.services.resolver.resolve(query);
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const shown = async (path: string): Promise<any> => {
    const { status, body } = await server.call('GET', path, { token: alice.token });
    expect(status).equal(200);
    return body;
  };
  const accountOf = async (query: string) => {
    const found = await resolve(query);
    expect(found, query).to.have.property('account');
    return shown(`/api/v1/accounts/${found?.account ?? ''}`);
  };
  const statusOf = async (query: string) => {
    const found = await resolve(query);
    expect(found, query).to.have.property('status');
    return shown(`/api/v1/statuses/${found?.status ?? ''}`);
  };
  /** Expects that the query finds nothing and that the log is unchanged. */
  const expectRefused = async (query: string, why: string): Promise<void> => {
    await carriedOut(server);
    const before = await server.app.log.head();
    expect(await resolve(query), why).equal(undefined);
    expect(await server.app.log.head(), why).equal(before);
  };

  describe('Accounts', () => {
    it('are found once by handle and by address', async () => {
      const uri = peer.actor('carol', {
        name: 'Carol',
        summary: '<p>Hi <script>alert(1)</script><a href="javascript:x">y</a></p>',
        url: `${peer.origin}/@carol`,
        manuallyApprovesFollowers: true,
        published: '2020-01-02T03:04:05Z',
        icon: { type: 'Image', url: `${peer.origin}/carol.png` },
        attachment: [
          { type: 'PropertyValue', name: 'Web', value: '<a href="https://c.example">c</a>' },
          'x',
          null,
        ],
      });
      const carol = await accountOf(`@carol@${peer.host}`);
      expect(carol).deep.include({
        username: 'carol',
        acct: `carol@${peer.host}`,
        display_name: 'Carol',
        locked: true,
        uri,
        url: `${peer.origin}/@carol`,
        avatar: shownAt(HERE, 'avatars', `${peer.origin}/carol.png`),
        created_at: '2020-01-02T00:00:00.000Z',
      });
      expect(carol.note).equal('<p>Hi y</p>');
      expect(carol.fields[0].value).contain('href="https://c.example"');
      await carriedOut(server);
      const asked = peer.asked.length;
      const again = await Promise.all([`carol@${peer.host}`, `acct:carol@${peer.host}`, uri].map(accountOf));
      expect(again.map(({ id }) => id as string)).deep.equal([carol.id, carol.id, carol.id]);
      expect(peer.asked.length, 'a fresh account is not fetched again').equal(asked);
    });

    it('show the tabs that their profiles name, and all tabs by default', async () => {
      peer.actor('plain');
      peer.actor('tidy', { showMedia: false, showRepliesInMedia: false, showFeatured: false });
      for (const [name, isShown] of [
        ['plain', true],
        ['tidy', false],
      ] as const) {
        expect(await accountOf(`${name}@${peer.host}`), name).deep.include({
          show_media: isShown,
          show_media_replies: isShown,
          show_featured: isShown,
        });
      }
    });

    it('are created once when many requests look for them concurrently', async () => {
      peer.actor('busy');
      const found = await Promise.all(
        [`busy@${peer.host}`, `@busy@${peer.host}`, `${peer.origin}/users/busy`].flatMap((query) => [
          resolve(query),
          resolve(query),
        ]),
      );
      expect(new Set(found.map((one) => one?.account)).size).equal(1);
    });

    it('keep their handle when another actor claims it', async () => {
      peer.actor('first');
      const first = await accountOf(`first@${peer.host}`);
      const uri = peer.put('/users/second', {
        id: `${peer.origin}/users/second`,
        type: 'Person',
        preferredUsername: 'FIRST',
        inbox: 'x',
      });
      const self = { rel: 'self', type: ACTIVITY_JSON, href: uri };
      peer.finger('FIRST', { subject: `acct:FIRST@${peer.host}`, links: [self] });
      expect(await resolve(uri)).equal(undefined);
      expect((await accountOf(`first@${peer.host}`)).id).equal(first.id);
    });

    it('have a handle at another domain only when both domains agree', async () => {
      const uri = peer.actor('split');
      const self = [{ rel: 'self', type: ACTIVITY_JSON, href: uri }];
      // Its host names another domain, which does not know the account.
      peer.finger('split', { subject: `acct:split@${evil.host}`, links: self });
      await expectRefused(uri, 'a domain that does not know the account');
      evil.finger('split', {
        subject: `acct:split@${evil.host}`,
        links: [{ ...self[0], href: `${evil.origin}/x` }],
      });
      await expectRefused(`split@${evil.host}`, 'a domain that names another actor');
      const other = peer.actor('split2');
      const agreed = { subject: `acct:split2@${evil.host}`, links: [{ ...self[0], href: other }] };
      peer.finger('split2', agreed);
      evil.finger('split2', agreed);
      expect((await accountOf(`split2@${evil.host}`)).acct).equal(`split2@${evil.host}`);
    });

    it('cannot be claimed by another domain, nor use a local handle', async () => {
      const uri = peer.actor('victim');
      evil.finger('victim', {
        subject: `acct:victim@${evil.host}`,
        links: [{ rel: 'self', type: ACTIVITY_JSON, href: uri }],
      });
      // The look-up at the other domain finds the real account under its own handle.
      expect((await accountOf(`victim@${evil.host}`)).acct).equal(`victim@${peer.host}`);
      const own = evil.actor('alice');
      evil.finger('alice', {
        subject: 'acct:alice@rookery.example',
        links: [{ rel: 'self', type: ACTIVITY_JSON, href: own }],
      });
      await expectRefused(own, 'a local handle');
      await expectRefused('nobody@rookery.example.', 'a local domain in another spelling');
      await expectRefused('http://rookery.example/media/aa/bb/x.json', 'a local file');
    });

    it('are refused when they support only OStatus', async () => {
      peer.finger('ostatus', {
        subject: `acct:ostatus@${peer.host}`,
        links: [
          { rel: 'http://schemas.google.com/g/2010#updates-from', type: 'application/atom+xml', href: 'x' },
        ],
      });
      await expectRefused(`ostatus@${peer.host}`, 'OStatus');
    });

    it('are updated from their server, except while they are suspended here', async () => {
      const uri = peer.actor('changing', { name: 'Before' });
      const { id } = await accountOf(uri);
      peer.actor('changing', { name: 'After' });
      const { RemoteResolver } = await import('#interfaces/federation/remote/resolver.ts');
      const { RemoteDocuments } = await import('#interfaces/federation/remote/documents.ts');
      const { instance, services } = server.app.contextDependencies;
      const later = new RemoteResolver({
        http: services.http,
        instance,
        allows,
        onRefusal: () => undefined,
        documents: new RemoteDocuments({ http: services.http, instance, allows, sign }),
        context: () => server.app.systemContext('spec'),
        known: () => Promise.resolve({ account: id as string }),
      });
      await later.resolve(uri);
      expect((await shown(`/api/v1/accounts/${id}`)).display_name).equal('After');
      await suspendAccount(server.app, id as string);
      peer.actor('changing', { name: 'Evading' });
      await expectRefused(`${peer.origin}/users/changing?again`, 'suspended');
    });
  });

  describe('Documents', () => {
    it('count only at the address of their id (CVE-2024-23832)', async () => {
      const victim = peer.actor('target', { name: 'Genuine' });
      const fake = { id: victim, type: 'Person', preferredUsername: 'target', inbox: 'x', name: 'Fake' };
      evil.put('/users/fake', fake);
      await expectRefused(`${evil.origin}/users/fake`, 'an id of another origin');
      evil.put('/users/bounced', (_req, res) => res.redirect(`${peer.origin}/users/target`));
      expect((await accountOf(`${evil.origin}/users/bounced`)).display_name).equal('Genuine');
      // A document that names another id of its origin is fetched from there.
      peer.put('/uploads/liar', { ...fake, name: 'Liar' });
      expect((await accountOf(`${peer.origin}/uploads/liar`)).display_name).equal('Genuine');
      peer.put('/away', (_req, res) => res.redirect(`${evil.origin}/users/fake`));
      await expectRefused(`${peer.origin}/away`, 'a redirect to another origin');
    });

    it('must be valid ActivityPub of limited size at an allowed address', async () => {
      const note = { id: '', type: 'Note', content: 'x', to: PUBLIC, attributedTo: peer.actor('author') };
      const at = (path: string) => ({ ...note, id: `${peer.origin}${path}` });
      for (const type of [
        'application/json',
        'text/html',
        'application/ld+json',
        'application/activity+jsonx',
        'image/png',
      ]) {
        peer.put('/typed', at('/typed'), type);
        await expectRefused(`${peer.origin}/typed?${encodeURIComponent(type)}`, type);
      }
      const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
      const bodies: Record<string, string> = {
        huge: JSON.stringify({ ...at('/huge'), content: 'x'.repeat(1_100_000) }),
        deep: `{"id":"${peer.origin}/deep","type":"Note","x":${deep}}`,
        wide: JSON.stringify({ ...at('/wide'), x: Array.from({ length: 30_000 }, () => 1) }),
        list: '[]',
        broken: '{"id":',
        unnamed: '{"type":"Note"}',
      };
      for (const [name, body] of Object.entries(bodies)) {
        peer.put(`/${name}`, (_req, res) => void res.type(ACTIVITY_JSON).send(body));
        await expectRefused(`${peer.origin}/${name}`, name);
      }
      peer.put('/loop', (_req, res) => res.redirect('/loop'));
      peer.put('/inside', (_req, res) =>
        res.redirect(`http://[::1]:${peer.host.split(':')[1] ?? ''}/notes/x`),
      );
      peer.put('/metadata', (_req, res) => res.redirect('http://169.254.169.254/latest'));
      peer.put('/file', (_req, res) => res.redirect('file:///etc/passwd'));
      for (const path of ['/loop', '/inside', '/metadata', '/file', '/nowhere']) {
        await expectRefused(`${peer.origin}${path}`, path);
      }
    });

    it('are not fetched without https, nor from this server', async () => {
      const { RemoteDocuments } = await import('#interfaces/federation/remote/documents.ts');
      const asked: string[] = [];
      const instance = {
        ...server.app.instance,
        origin: 'https://rookery.example',
        mediaOrigin: 'https://files.example',
      };
      const documents = new RemoteDocuments({
        instance,
        allows,
        sign,
        http: {
          fetch: async (url) => {
            asked.push(url);
            return {
              url: 'http://far.example/x',
              status: 200,
              headers: {},
              body: Buffer.from('{"id":"http://far.example/x"}'),
            };
          },
        },
      });
      for (const uri of [
        'http://far.example/x',
        'https://rookery.example/media/aa/bb/x.json',
        'https://files.example/x.json',
        'https://user:secret@far.example/x',
        'ftp://far.example/x',
        'data:application/activity+json,{}',
        `https://far.example/${'x'.repeat(3_000)}`,
      ]) {
        const failure = await documents.get(uri).catch((error: unknown) => error);
        expect((failure as Error).name, uri).equal('RemoteError');
      }
      expect(asked).deep.equal([]);
      // The fetch was redirected to a forbidden address.
      const failure = await documents.get('https://far.example/x').catch((error: unknown) => error);
      expect((failure as Error).name).equal('RemoteError');
    });

    it('are given up when they arrive too slowly', async () => {
      const { RemoteDocuments } = await import('#interfaces/federation/remote/documents.ts');
      const { instance, services } = server.app.contextDependencies;
      const documents = new RemoteDocuments({ http: services.http, instance, allows, sign });
      const given = new AbortController();
      peer.put('/slow', (_req, res) => {
        res.type(ACTIVITY_JSON).write('{');
        // The headers arrived, the rest never does.
        setImmediate(() => given.abort());
      });
      const failure = await documents
        .get(`${peer.origin}/slow`, given.signal)
        .catch((error: unknown) => error);
      expect((failure as Error).name).equal('FetchError');
    });
  });

  describe('Posts', () => {
    it('are stored sanitized with their author, under an id made of their date', async () => {
      const author = peer.actor('writer');
      const { uri: parent } = (
        await server.call('POST', '/api/v1/statuses', { token: alice.token, body: { status: 'Ask me' } })
      ).body as { uri: string };
      const uri = peer.note('writer', 'full', {
        content:
          '<p onclick="x">Hello <a class="mention" href="http://rookery.example/@alice">@alice</a><img src=x onerror=y></p>',
        contentMap: { de: 'x' },
        summary: 'Birds',
        sensitive: true,
        inReplyTo: parent,
        url: `${evil.origin}/elsewhere`,
        tag: [
          { type: 'Mention', href: 'http://rookery.example/users/alice', name: '@alice' },
          { type: 'Mention', href: `${evil.origin}/users/unknown` },
          { type: 'Hashtag', name: '#Rooks' },
          { type: 'Hashtag', name: '#' },
        ],
        attachment: [
          {
            type: 'Document',
            mediaType: 'image/png',
            url: `${peer.origin}/a.png`,
            name: 'A rook',
            blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj',
            width: 4,
            height: 2,
            focalPoint: [0.5, -2],
          },
          { type: 'Document', mediaType: 'image/png', url: 'javascript:alert(1)' },
        ],
      });
      const post = await statusOf(uri);
      expect(post).deep.include({
        uri,
        url: uri,
        visibility: 'public',
        spoiler_text: 'Birds',
        sensitive: true,
        language: 'de',
        created_at: '2026-11-20T08:00:00.000Z',
      });
      expect(post.content).not.match(/onclick|onerror|img/);
      expect(post.account.uri).equal(author);
      expect(post.in_reply_to_account_id).equal(alice.id);
      expect(post.mentions.map((one: { id: string }) => one.id)).deep.equal([alice.id]);
      expect(post.tags.map((one: { name: string }) => one.name)).deep.equal(['rooks']);
      expect(post.media_attachments).to.have.length(1);
      expect(post.media_attachments[0]).deep.include({
        type: 'image',
        url: shownAt(HERE, 'attachments', `${peer.origin}/a.png`),
        remote_url: `${peer.origin}/a.png`,
        description: 'A rook',
      });
      expect(Number(BigInt(post.id as string) >> 16n)).within(
        Date.parse(post.created_at as string),
        Date.parse(post.created_at as string) + 1_000,
      );
      expect((await resolve(uri))?.status).equal(post.id);
      const found = await Promise.all([1, 2, 3].map(() => resolve(peer.note('writer', 'thrice'))));
      expect(new Set(found.map((one) => one?.status)).size).equal(1);
    });

    it('are dated now when their date is invalid or in the future', async () => {
      peer.actor('writer');
      const post = await statusOf(peer.note('writer', 'future', { published: '2090-01-01T00:00:00Z' }));
      expect(Date.parse(post.created_at as string)).at.most(Date.now());
      const odd = await statusOf(
        peer.note('writer', 'odd', {
          published: 'yesterday',
          content: 7,
          tag: 'x',
          attachment: { url: [] },
          name: 'Odd',
        }),
      );
      expect(odd.content).equal('<p>Odd</p>');
    });

    it('show the options of their polls, unless there are too many', async () => {
      peer.actor('writer');
      const options = ['Rook', 'Crow'].map((name) => ({ type: 'Note', name }));
      const post = await statusOf(
        peer.note('writer', 'poll', { type: 'Question', anyOf: options, endTime: '2090-01-01T00:00:00Z' }),
      );
      expect(post.poll).deep.include({ multiple: true, expired: false });
      expect(post.poll.options.map((one: { title: string }) => one.title)).deep.equal(['Rook', 'Crow']);
      const many = Array.from({ length: 501 }, (_, n) => ({ name: String(n) }));
      await expectRefused(peer.note('writer', 'many', { type: 'Question', oneOf: many }), 'too many options');
    });

    it('become a title and a link when they have other types', async () => {
      peer.actor('writer');
      const uri = peer.note('writer', 'article', { type: 'Article', name: 'On <rooks>', content: 'Long' });
      const { content } = await statusOf(uri);
      expect(content).contain('On &lt;rooks&gt;').contain(`href="${uri}"`).not.contain('Long');
    });

    it('must be by their author and public or unlisted', async () => {
      peer.actor('writer');
      const bad: Record<string, Record<string, unknown>> = {
        foreign: { attributedTo: `${evil.origin}/users/writer` },
        nobodys: { attributedTo: undefined },
        private: { to: [`${peer.origin}/users/writer/followers`] },
        direct: { to: ['http://rookery.example/users/alice'], cc: [] },
        unknown: { attributedTo: `${peer.origin}/users/nobody` },
        strange: { type: 'Delete' },
      };
      for (const [name, changes] of Object.entries(bad)) {
        await expectRefused(peer.note('writer', name, changes), name);
      }
      const quiet = await statusOf(peer.note('writer', 'quiet', { to: [], cc: 'as:Public' }));
      expect(quiet.visibility).equal('unlisted');
    });

    it('are refused when their account is suspended (GHSA-5h2f-wg8j-xqwp)', async () => {
      const uri = peer.actor('banned');
      const { id } = await accountOf(uri);
      await suspendAccount(server.app, id as string);
      await expectRefused(peer.note('banned', 'banned'), 'a suspended author');
    });

    it('are shortened when their texts and lists are extreme', async () => {
      const long = (length: number, text = '&') => text.repeat(length);
      peer.actor('worst', {
        name: long(9_000, '😀'),
        summary: long(100_000),
        url: [{ href: 'x' }, 7],
        attachment: Array.from({ length: 60 }, () => ({
          type: 'PropertyValue',
          name: long(3_000),
          value: long(1_000, '<h1>'),
        })),
      });
      const uri = peer.note('worst', 'worst', {
        content: long(200_000, '<h1>'),
        summary: long(10_000),
        tag: Array.from({ length: 3_000 }, (_, n) => ({ type: 'Hashtag', name: `#tag${n}` })),
      });
      const post = await statusOf(uri);
      expect(post.tags).to.have.length(100);
      expect(post.account.fields).to.have.length(20);
      // The rest of the text is not read.
      const text = await statusOf(peer.note('worst', 'text', { content: long(400_000) }));
      expect(text.content.length).at.most(500_000);
    });
  });

  it('are found by search, as accounts are', async () => {
    peer.actor('wanted', { name: 'Wanted' });
    const search = async (q: string) =>
      shown(`/api/v2/search?resolve=true&q=${encodeURIComponent(q)}`) as Promise<
        Record<string, { uri: string }[]>
      >;
    const { accounts } = await search(`@wanted@${peer.host}`);
    expect(accounts?.map(({ uri }) => uri)).deep.equal([`${peer.origin}/users/wanted`]);
    const uri = peer.note('wanted', 'looked-for');
    expect((await search(uri))['statuses']?.map((one) => one.uri)).deep.equal([uri]);
    expect((await search(peer.note('wanted', 'hidden', { to: [] })))['statuses']).deep.equal([]);
  });

  it('are exchanged only with allowed servers in limited federation mode', async () => {
    const closed = await startTestServer({
      LIMITED_FEDERATION_MODE: 'true',
      LOCAL_HTTPS: 'false',
      ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8',
    });
    try {
      peer.actor('shy');
      evil.actor('eve');
      const resolveThere = (query: string) => closed.app.contextDependencies.services.resolver.resolve(query);
      await closed.user('alice');
      const path = '/users/alice';
      await carriedOut(server);
      const asked = peer.asked.length + evil.asked.length;
      const signed = async (by: Peer, name: string) =>
        (await ask(closed.url, path, await by.sign(name, `http://rookery.example${path}`))).status;
      expect(await resolveThere(`shy@${peer.host}`)).equal(undefined);
      expect(await signed(peer, 'shy')).equal(401);
      expect(peer.asked.length + evil.asked.length).equal(asked);

      const ctx = closed.app.systemContext('spec');
      const data = { id: ctx.newId(), domain: peer.host };
      await ctx.execute(
        domainAllowStream(peer.host),
        { initialState: null, evolve: () => null },
        (): DomainAllowEvent[] => [{ type: 'DomainAllowed', data }],
      );
      await closed.waitUntilIdle();
      // By its address, because the failed look-up of the handle is not repeated soon.
      expect(await resolveThere(`${peer.origin}/users/shy`)).to.have.property('account');
      peer.actor('bold');
      expect(await signed(peer, 'bold')).equal(200);
      const before = [...evil.asked];
      expect(await resolveThere(`eve@${evil.host}`)).equal(undefined);
      peer.put('/to-eve', (_req, res) => res.redirect(`${evil.origin}/users/eve`));
      expect(await resolveThere(`${peer.origin}/to-eve`)).equal(undefined);
      expect(await signed(evil, 'eve')).equal(401);
      expect(evil.asked, 'not even by a redirect').deep.equal(before);
    } finally {
      await closed.close();
    }
  });
});
