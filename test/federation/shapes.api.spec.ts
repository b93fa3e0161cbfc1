import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { actorWithInbox, deliver, expectIgnored, HERE, type Json, PUBLIC, send } from '../support/inbox.ts';
import { ACTIVITY_JSON, type Peer, PUBLIC_KEY } from '../support/peer.ts';
import { remoteAccount } from '../support/remote.ts';
import { shownAt } from '../support/remote-media.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { ALICE, inboxScene } from './inbox-scene.ts';

describe('Shapes that other software sends', function () {
  this.timeout(60_000);
  const scene = inboxScene();
  const { accountOf, as, by, sent } = scene;
  let server: TestServer;
  let peer: Peer;
  let alice: TestUser;
  /** The actor that alice follows. */
  let author: string;
  let made = 0;

  before(async function () {
    this.timeout(120_000);
    ({ server, peer, alice } = await scene.start());
    author = peer.actor('author');
    await scene.follow(alice, 'author');
  });
  after(() => scene.close());

  const note = (changes: Json = {}): Json => ({
    id: `${peer.origin}/objects/${(made += 1)}`,
    type: 'Note',
    attributedTo: author,
    content: '<p>Rooks</p>',
    published: '2026-11-20T08:00:00Z',
    to: [PUBLIC],
    cc: [`${author}/followers`],
    ...changes,
  });
  const find = async (uri: unknown): Promise<string | undefined> =>
    (
      await server.app.db.query<{ id: string }>('select id from statuses where uri = $1 and not deleted', [
        uri,
      ])
    )[0]?.id;
  /** Delivers a post and returns it as alice sees it. */
  const taken = async (object: Json, more: Json = {}): Promise<Json> => {
    await deliver(server, by('author'), sent('author', 'Create', object, more));
    const id = await find(object['id']);
    expect(id, JSON.stringify(object).slice(0, 200)).not.equal(undefined);
    return (await as(alice, 'GET', `/api/v1/statuses/${id}`)) as Json;
  };
  const without = (object: Json, ...names: string[]): Json =>
    Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
  const options = (...names: string[]) =>
    names.map((name) => ({ type: 'Note', name, replies: { type: 'Collection', totalItems: 2 } }));

  describe('Posts', () => {
    it('take audience and date from the activity when the object lacks them (Discourse)', async () => {
      const open = without(note(), 'to', 'cc', 'published', 'attributedTo');
      const activity = { to: [PUBLIC], published: '2026-11-19T08:00:00Z' };
      expect(await taken(open, activity)).deep.include({
        visibility: 'public',
        created_at: '2026-11-19T08:00:00.000Z',
      });
      const followers = without(note({ cc: null }), 'to');
      expect(await taken(followers, { to: `${author}/followers` })).deep.include({ visibility: 'private' });
      const own = note({ to: [`${author}/followers`], cc: [] });
      expect(await taken(own, { to: [PUBLIC] }), "the object's own audience counts").deep.include({
        visibility: 'private',
      });
    });

    it('may name the public collection and links in any form', async () => {
      for (const to of [PUBLIC, 'as:Public', ['Public'], [{ id: PUBLIC }]]) {
        expect((await taken(note({ to, cc: [] })))['visibility'], JSON.stringify(to)).equal('public');
      }
      expect((await taken(note({ to: `${author}/followers`, cc: 'as:Public' })))['visibility']).equal(
        'unlisted',
      );
      const page = `${peer.origin}/pages/1`;
      for (const url of [
        page,
        [page, 'https://elsewhere.example/1'],
        { type: 'Link', mediaType: 'text/html', href: page },
        [
          { type: 'Link', mimeType: 'video/mp4', href: `${peer.origin}/a.mp4` },
          { type: 'Link', mimeType: 'text/html', href: page },
        ],
      ]) {
        expect((await taken(note({ url })))['url'], JSON.stringify(url)).equal(page);
      }
    });

    it('may have text only in a map of languages, or in one language', async () => {
      const mapped = without(note({ contentMap: { fr: '<p>Corbeaux</p>' } }), 'content');
      expect(await taken(mapped)).deep.include({ content: '<p>Corbeaux</p>', language: 'fr' });
      const warned = note({ summaryMap: { fr: 'Oiseaux' } });
      expect(await taken(warned)).deep.include({ spoiler_text: 'Oiseaux', sensitive: true });
      expect(await taken(note({ sensitive: true, summary: null }))).deep.include({
        spoiler_text: '',
        sensitive: true,
      });
    });

    it('get warnings as plain text in one line', async () => {
      const summary = ' a<b & "q" <i>x</i>\n&amp; \u202Ey ';
      expect((await taken(note({ summary })))['spoiler_text']).equal('a<b & "q" <i>x</i> &amp; y');
    });

    it('are dated now when their date is missing, invalid or in the future', async () => {
      for (const published of [undefined, null, 7, 'tomorrow', '2199-01-01T00:00:00Z']) {
        const { created_at } = await taken(note({ published }));
        expect(Date.now() - Date.parse(String(created_at)), String(published)).lessThan(60_000);
      }
      const { created_at } = await taken(note({ published: '2026-11-20T08:00:00.123456' }));
      expect(created_at, 'without a zone').equal('2026-11-20T08:00:00.123Z');
    });

    it('may have attachments whose address is a text, a link or a list', async () => {
      const url = `${peer.origin}/rook.png`;
      for (const file of [
        { type: 'Document', mediaType: 'image/png', url },
        { type: 'Image', url: [{ type: 'Link', href: url, mediaType: 'image/png' }] },
        { type: 'Image', url: { type: 'Link', href: url } },
        { type: 'Image', url: { type: 'Image', url: [{ type: 'Link', href: url }] } },
      ]) {
        const { media_attachments: files } = await taken(note({ attachment: file }));
        const urls = (files as Json[]).map((one) => one['remote_url']);
        expect(urls, JSON.stringify(file)).deep.equal([url]);
      }
      const { media_attachments: none } = await taken(
        note({ attachment: ['x', null, 7, { type: 'Link', href: url }, { type: 'Image', url: 'data:,x' }] }),
      );
      expect(none).deep.equal([]);
    });

    it('keep words apart when tables, lists and boxes are removed, and keep formulas as TeX', async () => {
      const content = [
        '<table><tr><th>Bird</th><td>Rook</td></tr><tr><td>Crow</td></tr></table>',
        '<details><summary>More</summary>hidden</details><div>one</div><div>two</div>',
        '<dl><dt>term</dt><dd>meaning</dd></dl>',
        '<p>so <math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>x</mi></mrow>',
        '<annotation encoding="application/x-tex">x^2 &lt; 2</annotation></semantics></math></p>',
      ].join('');
      const text = String((await taken(note({ content })))['content']).replaceAll(/\s+/g, ' ');
      expect(text).equal('Bird Rook Crow More hidden one two term meaning <p>so $x^2 &lt; 2$</p>');
    });

    it('are shortened, not refused, when text, tags or attachments are very long', async () => {
      const tag = [
        ...Array.from({ length: 3_000 }, (_, n) => ({ type: 'Hashtag', name: `#tag${n}` })),
        ...Array.from({ length: 500 }, (_, n) => ({ type: 'Mention', href: `https://a.example/u/${n}` })),
      ];
      const attachment = Array.from({ length: 300 }, (_, n) => ({
        type: 'Image',
        url: `${peer.origin}/${n}.png`,
      }));
      const content = `<p>${'שלום عالم '.repeat(30_000)}</p>`;
      const post = await taken(note({ content, tag, attachment }));
      expect((post['tags'] as Json[]).length).within(1, 1_000);
      expect((post['media_attachments'] as Json[]).length).within(1, 16);
      expect(String(post['content']).length).within(1_000, 500_000);
      const whole = `<p>${'Rook '.repeat(12_000)}</p>`;
      expect((await taken(note({ content: whole })))['content']).equal(whole);
      const open = `<p>cut <a href="${peer.origin}/${'x'.repeat(500_000)}`;
      expect((await taken(note({ content: open })))['content']).equal('<p>cut </p>');
    });
  });

  describe('Questions', () => {
    const poll = async (changes: Json): Promise<Json> =>
      (await taken(note({ type: 'Question', ...changes })))['poll'] as Json;

    it('may have both lists of options, one of them empty (Pleroma)', async () => {
      const one = await poll({ oneOf: options('a', 'b'), anyOf: [], closed: '2090-01-01T00:00:00.785333' });
      expect(one).deep.include({ multiple: false, votes_count: 4, expires_at: '2090-01-01T00:00:00.785Z' });
      expect(await poll({ anyOf: options('a', 'b'), oneOf: [] })).deep.include({ multiple: true });
    });

    it('may tell in either form that they are closed', async () => {
      const asked = { oneOf: options('a', 'b'), endTime: '2090-01-01T00:00:00Z' };
      expect(await poll(asked)).deep.include({ expired: false });
      for (const closed of ['2026-11-20T09:00:00Z', true]) {
        expect(await poll({ ...asked, closed }), String(closed)).deep.include({ expired: true });
      }
      expect(await poll({ ...asked, closed: false })).deep.include({ expired: false });
      expect(await poll({ oneOf: options('a') })).deep.include({ expired: false, expires_at: null });
    });

    it('have options in plain text, and votes repeat that text exactly', async () => {
      const names = ['Birnen <b>', 'a & "q" &amp; <i>x</i>'];
      const arrivals: Json[] = [];
      actorWithInbox(peer, 'author', arrivals);
      const asked = await poll({ oneOf: options(...names) });
      expect((asked['options'] as Json[]).map(({ title }) => title)).deep.equal(names);
      const { id } = asked as { id: string };
      await as(alice, 'POST', `/api/v1/polls/${id}/votes`, { choices: [1] });
      await eventually(() => {
        const ballot = arrivals.find(({ type }) => type === 'Create');
        expect((ballot?.['object'] as Json)['name']).equal(names[1]);
      });
    });

    it('are posts without a poll when they have no options', async () => {
      expect((await taken(note({ type: 'Question', oneOf: [], anyOf: [] })))['poll']).equal(null);
    });
  });

  describe('Quotes', () => {
    it('are read from every known property and link', async () => {
      const quoted = note();
      await taken(quoted);
      const uri = quoted['id'];
      const link = {
        type: 'Link',
        mediaType: 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
        href: uri,
        name: 'RE: it',
        rel: ['https://misskey-hub.net/ns#_misskey_quote'],
      };
      for (const changes of [
        { quote: uri },
        { quote: { id: uri, type: 'Note' } },
        { quoteUrl: uri },
        { quoteUri: uri },
        { _misskey_quote: uri },
        { tag: link },
        {
          tag: [
            { type: 'Hashtag', name: '#x' },
            { ...link, rel: 'https://w3id.org/fep/044f#quote' },
          ],
        },
      ]) {
        const { quote } = await taken(note(changes));
        expect(quote, JSON.stringify(changes)).deep.include({ state: 'accepted' });
      }
      for (const tag of [
        { ...link, rel: 'x' },
        { ...link, mediaType: 'text/html' },
      ]) {
        expect((await taken(note({ tag })))['quote'], JSON.stringify(tag)).equal(null);
      }
    });
  });

  describe('Actors', () => {
    const shown = async (name: string, changes: Json): Promise<Json> =>
      (await as(alice, 'GET', `/api/v1/accounts/${await accountOf(peer.actor(name, changes))}`)) as Json;

    it('may have pictures, links and fields in any form', async () => {
      const url = `${peer.origin}/face.png`;
      for (const [n, icon] of [
        url,
        { type: 'Image', url },
        [
          { type: 'Image', url, width: 48 },
          { type: 'Image', url: `${peer.origin}/large.png` },
        ],
        { type: 'Image', url: { type: 'Link', href: url } },
        { type: 'Image', url: [{ type: 'Link', href: url }] },
      ].entries()) {
        const { avatar } = await shown(`pictured${n}`, { icon });
        expect(avatar, JSON.stringify(icon)).equal(shownAt(HERE, 'avatars', url));
      }
      const page = `${peer.origin}/@linked`;
      const linked = await shown('linked', {
        url: [
          { type: 'Link', mediaType: 'application/rss+xml', href: `${page}.rss` },
          { type: 'Link', mediaType: 'text/html', href: page },
        ],
        attachment: { type: 'PropertyValue', name: 'Site', value: 'https://rooks.example' },
        tag: { type: 'Emoji', name: ':rook:', icon: { type: 'Image', url } },
        name: null,
        summary: null,
      });
      expect(linked).deep.include({ url: page, display_name: '', note: '' });
      expect((linked['fields'] as Json[])[0]).deep.include({ name: 'Site' });
    });

    it('may have only required members, any actor type, and dots, dashes and capitals in the username', async () => {
      const bare = { followers: undefined, featured: undefined, outbox: undefined, endpoints: null };
      for (const [name, type] of [
        ['alice.bsky.social', 'Person'],
        ['Mixed_Case-1', ['Person', 'schema:Person']],
        ['channel', 'Group'],
        ['bot', 'Service'],
        ['relay', 'Application'],
        ['club', 'Organization'],
      ] as const) {
        const { acct } = await shown(name, { ...bare, type });
        expect(acct).equal(`${name}@${peer.host}`);
      }
    });

    it('can be mentioned in every spelling of their domain', async () => {
      await remoteAccount(server.app, 'ulla', 'xn--bcher-kva.example');
      for (const domain of ['bücher.example', 'BÜCHER.example', 'xn--bcher-kva.example']) {
        const body = { status: `Read this, @ulla@${domain}`, visibility: 'direct' };
        const { mentions, content } = await as(alice, 'POST', '/api/v1/statuses', body);
        expect(mentions.map((one: Json) => one['acct'])).deep.equal(['ulla@xn--bcher-kva.example']);
        expect(content).contain('https://xn--bcher-kva.example/users/ulla');
      }
    });

    it('are known under an id with a replacement character for half a surrogate pair', async () => {
      const [uri, key] = [`${peer.origin}/half/\ud800`, `${peer.origin}/half/key`];
      const publicKey = { id: key, owner: uri, publicKeyPem: PUBLIC_KEY };
      const half = { id: uri, type: 'Person', preferredUsername: 'half', inbox: `${peer.origin}/inbox` };
      peer.put(`/half/${encodeURIComponent('\ufffd')}`, { ...half, publicKey });
      peer.put('/half/key', publicKey);
      const self = { rel: 'self', type: ACTIVITY_JSON, href: uri };
      peer.finger('half', { subject: `acct:half@${peer.host}`, links: [self] });
      const follow = sent('half', 'Follow', ALICE, { actor: uri });
      await deliver(server, by('half'), follow, { keyId: key });
      const followers = (await as(alice, 'GET', `/api/v1/accounts/${alice.id}/followers`)) as Json[];
      const found = followers.find(({ username }) => username === 'half');
      expect(found?.['uri']).equal(`${peer.origin}/half/\ufffd`);
    });

    it('are ignored without a usable inbox or username', async () => {
      for (const [n, changes] of [
        { inbox: undefined },
        { inbox: 'https://elsewhere.example/inbox' },
        { preferredUsername: undefined },
        { preferredUsername: 'a b' },
        { preferredUsername: { '@value': 'a' } },
        { type: 'Tombstone' },
      ].entries()) {
        expect(await accountOf(peer.actor(`odd${n}`, changes)), JSON.stringify(changes)).equal('');
      }
    });
  });

  describe('Activities', () => {
    it('are accepted and ignored with an unknown type or shape, and do not block later ones', async () => {
      const video = `${peer.origin}/videos/1`;
      for (const activity of [
        sent('author', 'EmojiReact', `${HERE}/users/alice/statuses/1`, { content: '👍' }),
        sent('author', 'Dislike', video),
        sent('author', 'View', video),
        sent('author', 'Join', `${HERE}/events/1`),
        sent('author', 'Announce', { id: `${peer.origin}/creates/1`, type: 'Create', object: note() }),
        sent('author', 'Announce', [video]),
        sent('author', 'Create', {
          id: `${peer.origin}/chat/1`,
          type: 'ChatMessage',
          content: 'hi',
          to: [ALICE],
        }),
        sent('author', 'Create', { type: 'Note', content: 'nameless' }),
        sent('author', 'Create', [note()]),
        sent('author', 'Undo', { type: 'Dislike', object: video }),
        sent('author', 'Undo', null),
        sent('author', 'Undo', sent('author', 'Delete', video)),
        sent('author', 'Delete', { type: 'Tombstone' }),
        sent('author', 'Update', { id: video, type: 'CacheFile' }),
        sent('author', 'Add', video, { target: { id: `${author}/featured` } }),
        sent('author', 'Flag', null),
        sent('author', 'Move', author, { target: [] }),
        sent('author', 'Block', { id: 7 }),
        sent('author', 'Follow', PUBLIC),
        sent('author', 'Accept', `${peer.origin}/follows/1`),
        sent('author', 'Reject', {}),
      ]) {
        const { status, body } = await send(server, by('author'), activity);
        expect(status, `${JSON.stringify(activity)}: ${body}`).equal(202);
      }
      await taken(note());
      const [failed] = await server.app.db.query<{ n: number }>(
        'select count(*)::int as n from durable.inbox_activities where attempts > 0',
      );
      expect(failed?.n).equal(0);
    });

    it('are refused without a type or an actor', async () => {
      const activity = sent('author', 'Create', note());
      for (const changes of [
        { type: undefined },
        { type: 7 },
        { type: [] },
        { actor: 7 },
        { actor: 'x' },
        { actor: null },
      ]) {
        const { status } = await send(server, by('author'), { ...activity, ...changes });
        expect(status, JSON.stringify(changes)).equal(400);
      }
    });

    it('such as a Like with an emoji count as a favourite (Misskey)', async () => {
      const { id, uri } = await as(alice, 'POST', '/api/v1/statuses', { status: 'Rooks' });
      const react = {
        content: ':rook:',
        _misskey_reaction: ':rook:',
        tag: { type: 'Emoji', name: ':rook:' },
      };
      await deliver(server, by('author'), sent('author', 'Like', uri, react));
      expect((await as(alice, 'GET', `/api/v1/statuses/${id}`)).favourites_count).equal(1);
    });

    it('such as EmojiReact count as a favourite only with a star or a heart (Pleroma)', async () => {
      const { id, uri } = await as(alice, 'POST', '/api/v1/statuses', { status: 'Rooks' });
      const count = async (): Promise<number> =>
        ((await as(alice, 'GET', `/api/v1/statuses/${id}`)) as { favourites_count: number }).favourites_count;
      const react = (content: unknown): Json => sent('author', 'EmojiReact', uri, { content });
      for (const content of ['\u{1F44D}', ':rook:', '\u2B50\u2B50', '', 7]) {
        await expectIgnored(server, by('author'), react(content), String(content));
      }
      for (const content of ['\u2B50', '\u2764\uFE0F']) {
        const reaction = react(content);
        await deliver(server, by('author'), reaction);
        expect(await count(), content).equal(1);
        const other = sent('author', 'Undo', react('\u{1F44D}'));
        await expectIgnored(server, by('author'), other, 'another reaction');
        await deliver(server, by('author'), sent('author', 'Undo', reaction));
        expect(await count(), content).equal(0);
      }
    });

    it('such as Flag may carry the reason in the summary (Lemmy) or none, and objects instead of ids', async () => {
      const mod = await server.user('mod', { role: 'Admin', scopes: ['read', 'admin:read'] });
      const { uri } = await as(alice, 'POST', '/api/v1/statuses', { status: 'Rooks' });
      const reports = () => as(mod, 'GET', `/api/v1/admin/reports?target_account_id=${alice.id}`);
      await deliver(server, by('author'), sent('author', 'Flag', uri, { summary: 'Bad rooks' }));
      await deliver(server, by('author'), sent('author', 'Flag', [ALICE, { id: uri, type: 'Note' }]));
      const content = 'Posts <b> & worse';
      await deliver(server, by('author'), sent('author', 'Flag', uri, { content }));
      const filed = (await reports()) as Json[];
      expect(filed.map((one) => one['comment'])).have.members(['Bad rooks', '', content]);
      for (const { statuses } of filed) expect(statuses).to.have.length(1);
    });

    it('such as Undo can withdraw the Accept of a follow (Misskey)', async () => {
      const uri = peer.actor('fickle');
      const id = await accountOf(uri);
      await as(alice, 'POST', `/api/v1/accounts/${id}/follow`);
      const accept = sent('fickle', 'Accept', { type: 'Follow', actor: ALICE, object: uri });
      await deliver(server, by('fickle'), accept);
      const following = async () =>
        ((await as(alice, 'GET', `/api/v1/accounts/relationships?id[]=${id}`)) as Json[])[0]?.['following'];
      expect(await following()).equal(true);
      await deliver(server, by('author'), sent('author', 'Undo', accept));
      expect(await following(), 'by another account').equal(true);
      await deliver(server, by('fickle'), sent('fickle', 'Undo', accept));
      expect(await following()).equal(false);
    });

    it('such as Announce may contain the post, which is fetched from its server (Lemmy)', async () => {
      const page = peer.note('author', 'page', { type: 'Page', name: 'Rooks and crows' });
      const held = { id: page, type: 'Page', name: 'Forged', attributedTo: author, to: [PUBLIC] };
      await deliver(server, by('author'), sent('author', 'Announce', held, { to: [PUBLIC] }));
      // The author's profile, not the home timeline, where the post itself may replace the reblog.
      const [first] = await as(alice, 'GET', `/api/v1/accounts/${await accountOf(author)}/statuses?limit=1`);
      expect(first.reblog.content).contain('Rooks and crows');
    });

    it('such as Announce around an activity bring replies into threads and are no reblogs (Lemmy)', async () => {
      const page = peer.note('author', 'thread', { type: 'Page', name: 'Jackdaws' });
      await deliver(server, by('author'), sent('author', 'Announce', page, { to: [PUBLIC] }));
      const [newest] = (await as(alice, 'GET', '/api/v1/timelines/home?limit=1')) as Json[];
      peer.actor('commenter');
      peer.actor('outsider');
      await accountOf(`${peer.origin}/users/outsider`);
      const comment = (text: string, more: Json = {}): string =>
        peer.note('commenter', 'comment', { inReplyTo: page, content: text, ...more });
      const uri = comment('Crows, too');
      const held = {
        id: uri,
        type: 'Note',
        attributedTo: `${peer.origin}/users/commenter`,
        content: 'Forged',
      };
      const act = (type: string, object: unknown): Json => sent('commenter', type, object, { to: [PUBLIC] });
      const answer = act('Create', { ...held, inReplyTo: page, to: [PUBLIC] });
      const theirs = sent('outsider', 'Announce', answer, { to: [PUBLIC] });
      await expectIgnored(server, by('outsider'), theirs, 'by an account without local followers');
      const announce = (object: Json): Json => sent('author', 'Announce', object, { to: [PUBLIC] });
      await deliver(server, by('author'), announce(answer));
      const texts = async (): Promise<unknown[]> => {
        const { descendants } = await as(alice, 'GET', `/api/v1/statuses/${await find(page)}/context`);
        return (descendants as Json[]).map(({ content }) => content);
      };
      expect(await texts()).deep.equal(['Crows, too']);
      comment('Ravens, too', { updated: new Date().toISOString() });
      await deliver(server, by('author'), announce(act('Update', { ...held, to: [PUBLIC] })));
      expect(await texts()).deep.equal(['Ravens, too']);
      const ours = await as(alice, 'POST', '/api/v1/statuses', { status: 'Rooks' });
      for (const other of [act('Like', ours.uri), act('Delete', uri), act('Create', ours.uri)]) {
        await expectIgnored(server, by('author'), announce(other), String(other['type']));
      }
      const since = (await as(alice, 'GET', `/api/v1/timelines/home?since_id=${newest?.['id']}`)) as Json[];
      expect(
        since.map(({ id }) => id),
        'besides',
      ).deep.equal([ours.id]);
    });
  });
});
