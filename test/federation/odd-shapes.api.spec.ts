import { expect } from 'chai';
import { deliver, expectIgnored, type Json, send } from '../support/inbox.ts';
import { ACTIVITY_JSON, type Peer } from '../support/peer.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { ALICE, inboxScene } from './inbox-scene.ts';

const MARK = '\uFEFF';

describe('Unusual shapes of documents', function () {
  this.timeout(60_000);
  const scene = inboxScene();
  const { accountOf, as, by, note: noteOf, resolve, sent } = scene;
  let server: TestServer;
  let peer: Peer;
  let alice: TestUser;

  before(async function () {
    this.timeout(120_000);
    ({ server, peer, alice } = await scene.start());
    peer.actor('author');
    await scene.follow(alice, 'author');
  });
  after(() => scene.close());

  const note = (changes: Json = {}): Json & { id: string } => noteOf('author', changes);
  const find = async (uri: string): Promise<string | undefined> =>
    (
      await server.app.db.query<{ id: string }>('select id from statuses where uri = $1 and not deleted', [
        uri,
      ])
    )[0]?.id;
  const shown = async (uri: string): Promise<Json> => {
    const id = await find(uri);
    expect(id, uri).not.equal(undefined);
    return (await as(alice, 'GET', `/api/v1/statuses/${id}`)) as Json;
  };
  /** Delivers a post and returns it as alice sees it. */
  const taken = async (object: Json & { id: string }): Promise<Json> => {
    await deliver(server, by('author'), sent('author', 'Create', object));
    return shown(object.id);
  };
  const filesOf = (post: Json): Json[] => post['media_attachments'] as Json[];

  describe('A text', () => {
    it('is the name of a note without content, picture and quote', async () => {
      const named = note({ content: undefined, name: ' Rooks <b>&</b>\ncrows ' });
      expect((await taken(named))['content']).equal('<p>Rooks &lt;b&gt;&amp;&lt;/b&gt; crows</p>');
      const mapped = note({ content: '<p> </p>', nameMap: { fr: 'Corbeaux' } });
      expect(await taken(mapped)).deep.include({ content: '<p>Corbeaux</p>', language: 'fr' });
      expect((await taken(note({ name: 'A title' })))['content'], 'with content').equal('<p>Rooks</p>');
      const attachment = { type: 'Image', url: `${peer.origin}/rook.png` };
      const pictured = await taken(note({ content: '', name: 'rook.png', attachment }));
      expect(pictured['content'], 'with a picture').equal('');
    });

    it('is needed by a note without anything else to show', async () => {
      for (const changes of [{ content: '' }, { content: null }, { content: '<p><img src="/x.png"></p>' }]) {
        const empty = note(changes);
        await expectIgnored(server, by('author'), sent('author', 'Create', empty), JSON.stringify(changes));
        expect(await resolve(peer.note('author', `empty${JSON.stringify(changes).length}`, changes))).equal(
          undefined,
        );
      }
      expect(await taken(note({ content: '', summary: 'Spiders' }))).deep.include({
        spoiler_text: 'Spiders',
      });
    });

    it('is the name of a question without content', async () => {
      const oneOf = [
        { type: 'Note', name: 'yes' },
        { type: 'Note', name: 'no' },
      ];
      const asked = await taken(note({ type: 'Question', content: undefined, name: 'Rooks?', oneOf }));
      expect(asked['content']).equal('<p>Rooks?</p>');
      expect((asked['poll'] as { options: Json[] }).options.map(({ title }) => title)).deep.equal([
        'yes',
        'no',
      ]);
    });

    it('has the language of the equal entry of its map, else of the first one', async () => {
      const contentMap = { en: '<p>Rooks</p>', de: '<p>Krähen</p>' };
      const language = async (changes: Json): Promise<unknown> => (await taken(note(changes)))['language'];
      expect(await language({ content: '<p>Krähen</p>', contentMap })).equal('de');
      expect(await language({ content: '<p>Corbeaux</p>', contentMap })).equal('en');
      expect(await language({ content: { '@value': '<p>Krähen</p>', '@language': 'nl' } })).equal('nl');
      const mapOnly = await taken(note({ content: undefined, contentMap }));
      expect(mapOnly).deep.include({ content: '<p>Rooks</p>', language: 'en' });
      expect(await language({ contentMap: { 'no such language': '<p>Rooks</p>' } })).equal(null);
    });

    it('may be in a map or a value object when it is about a picture', async () => {
      const url = `${peer.origin}/rook.png`;
      for (const said of [
        { nameMap: { en: 'A rook' } },
        { name: { '@value': 'A rook', '@language': 'en' } },
        { name: ['A rook'] },
        { summaryMap: { en: 'A rook' }, name: 'rook.png' },
      ]) {
        const post = await taken(note({ attachment: { type: 'Image', url, ...said } }));
        expect(filesOf(post)[0]?.['description'], JSON.stringify(said)).equal('A rook');
      }
      const icon = { type: 'Image', url, nameMap: { en: 'A rook' } };
      const account = await accountOf(peer.actor('described', { icon, name: { '@value': 'Described' } }));
      expect(await as(alice, 'GET', `/api/v1/accounts/${account}`)).deep.include({
        avatar_description: 'A rook',
        display_name: 'Described',
      });
    });

    it('shows attached links, unless it has a link itself, which the attached one previews', async () => {
      const attachment = { type: 'Link', href: 'https://rooks.example/?a=1&b=2', name: '<b>Not shown</b>' };
      const { content } = await taken(note({ attachment }));
      expect(content).match(
        /^<p>Rooks<\/p><p><a href="https:\/\/rooks\.example\/\?a=1&amp;b=2" rel="nofollow noopener" target="_blank">https:\/\/rooks\.example\/\?a=1&amp;b=2<\/a><\/p>$/,
      );
      const linked = '<p><a href="https://short.example/1">short</a></p>';
      expect((await taken(note({ attachment, content: linked })))['content']).not.contain('rooks.example');
      const mention = `<p><a href="${ALICE}" class="u-url mention">@alice</a></p>`;
      expect((await taken(note({ attachment, content: mention })))['content']).contain('rooks.example');
      const script = { type: 'Link', href: 'javascript:alert(1)' };
      expect((await taken(note({ attachment: script })))['content']).equal('<p>Rooks</p>');
      const many = Array.from({ length: 50 }, (_, n) => ({
        type: 'Link',
        href: `https://rooks.example/${n}`,
      }));
      expect(String((await taken(note({ attachment: many })))['content']).split('<a ').length).equal(5);
    });

    it('says when and where when it is about an event', async () => {
      const location = {
        type: 'Place',
        name: 'The <Nest>',
        address: { type: 'PostalAddress', streetAddress: 'Tree 1', addressLocality: 'Berlin' },
      };
      const times = { startTime: '2026-12-02T18:00:00+01:00', endTime: '2026-12-02T20:30:00+01:00' };
      const event = { type: 'Event', name: 'Rooks meet', content: undefined };
      const { content } = await taken(note({ ...event, ...times, location }));
      expect(content).contain(
        '<p>Rooks meet</p><p>📅 2026-12-02 18:00 +01:00 – 2026-12-02 20:30 +01:00</p>' +
          '<p>📍 The &lt;Nest&gt;, Tree 1, Berlin</p>',
      );
      const bare = await taken(note({ ...event, startTime: '2026-12-02T18:00:00Z', location: ['Here'] }));
      expect(bare['content']).contain('<p>📅 2026-12-02 18:00 UTC</p><p>📍 Here</p>');
      const odd = await taken(note({ ...event, startTime: 'soon<script>', location: { name: 7 } }));
      expect(odd['content']).match(/^<p>Rooks meet<\/p><p><a /);
    });
  });

  describe('A picture', () => {
    it('is shown by an Image object', async () => {
      const [page, url] = [`${peer.origin}/pages/7`, `${peer.origin}/photos/7`];
      const links = [
        { type: 'Link', mediaType: 'text/html', href: page },
        { type: 'Link', mediaType: 'image/png', href: url },
      ];
      const image = { type: 'Image', name: 'A rook', content: undefined };
      const post = await taken(note({ ...image, url: links, width: 40, height: 30 }));
      expect(post).deep.include({ url: page });
      expect(filesOf(post)[0]).deep.include({ type: 'image', remote_url: url, description: 'A rook' });
      for (const form of [`${url}.jpg`, { mediaType: 'image/jpeg', url: `${url}.jpg` }]) {
        const changes = typeof form === 'string' ? { url: form } : form;
        const files = filesOf(await taken(note({ ...image, ...changes })));
        expect(files.map((file) => file['remote_url'])).deep.equal([`${url}.jpg`]);
      }
      expect(filesOf(await taken(note({ ...image, url: page }))), 'only a page').deep.equal([]);
    });
  });

  describe('A list', () => {
    it('counts as its only entry in object and actor', async () => {
      const one = note();
      const author = `${peer.origin}/users/author`;
      await deliver(server, by('author'), sent('author', 'Create', [one], { actor: [author] }));
      expect((await shown(one.id))['content']).equal('<p>Rooks</p>');
      const { id, uri } = await as(alice, 'POST', '/api/v1/statuses', { status: 'Rooks' });
      const like = sent('author', 'Like', [uri], { actor: [{ id: author, type: 'Person' }] });
      await deliver(server, by('author'), like);
      const favourites = async (): Promise<unknown> =>
        ((await as(alice, 'GET', `/api/v1/statuses/${id}`)) as Json)['favourites_count'];
      expect(await favourites()).equal(1);
      await deliver(server, by('author'), sent('author', 'Undo', [{ ...like, id: undefined }]));
      expect(await favourites()).equal(0);
    });

    it('may have five notes in a Create, an Update or a Delete, and each is handled by itself', async () => {
      const notes = [note(), note({ attributedTo: `${peer.origin}/users/stranger` }), note()];
      await deliver(server, by('author'), sent('author', 'Create', notes));
      const known = await Promise.all(notes.map(({ id }) => find(id)));
      expect(known.map((id) => id !== undefined)).deep.equal([true, false, true]);
      const edited = [notes[0], notes[2]].map((object) => ({
        ...object,
        content: '<p>Crows</p>',
        updated: new Date().toISOString(),
      }));
      await deliver(server, by('author'), sent('author', 'Update', edited));
      for (const { id } of edited) expect((await shown(String(id)))['content']).equal('<p>Crows</p>');
      await deliver(
        server,
        by('author'),
        sent(
          'author',
          'Delete',
          edited.map(({ id }) => id),
        ),
      );
      expect(await Promise.all(edited.map(({ id }) => find(String(id))))).deep.equal([undefined, undefined]);
      const many = Array.from({ length: 8 }, () => note());
      await deliver(server, by('author'), sent('author', 'Create', many));
      const found = (await Promise.all(many.map(({ id }) => find(id)))).filter((id) => id !== undefined);
      expect(found.length).equal(5);
    });
  });

  it('may begin with a byte order mark, which is ignored', async () => {
    const marked = (path: string, document: Json, type = ACTIVITY_JSON): string =>
      peer.put(path, (_req, res) => void res.set('Content-Type', type).send(MARK + JSON.stringify(document)));
    const id = `${peer.origin}/marked`;
    marked('/marked', { ...note(), id });
    expect((await resolve(id))?.status).match(/^\d+$/);
    const sentMarked = note();
    const activity = MARK + JSON.stringify(sent('author', 'Create', sentMarked));
    expect((await send(server, by('author'), activity)).status).equal(202);
    await deliver(server, by('author'), sent('author', 'Create', note()));
    expect((await shown(sentMarked.id))['content']).equal('<p>Rooks</p>');
  });

  it('turn an account into a group, and back', async () => {
    const group = async (changes: Json): Promise<unknown> => {
      const uri = peer.actor('rookery', changes);
      const id = await accountOf(uri);
      const object = { ...changes, id: uri, preferredUsername: 'rookery', inbox: `${uri}/inbox` };
      await deliver(server, by('rookery'), sent('rookery', 'Update', object));
      return ((await as(alice, 'GET', `/api/v1/accounts/${id}`)) as Json)['group'];
    };
    expect(await group({ type: 'Group' })).equal(true);
    expect(await group({ type: 'Person' })).equal(false);
    expect(await group({ type: ['Group', 'Service'] })).equal(true);
    expect((await as(alice, 'GET', `/api/v1/accounts/${alice.id}`)) as Json).deep.include({ group: false });
  });
});
