import { expect } from 'chai';
import { status as statusDecider } from '#commands/statuses/status.ts';
import { StatusCreated, type StatusEvent, statusStream } from '#events/statuses.ts';
import type { Search, Status } from '#mastodon/schemas/index.ts';
import { type Answer, type Client, describeTown, type Person } from '../support/people.ts';
import { remoteAccount } from '../support/remote.ts';

describeTown('Searching for statuses', function (town) {
  this.timeout(120_000);
  let me: Person;
  let open: Person;
  let shy: Person;
  let far: string;
  before(async () => {
    me = await town.person('me');
    open = await town.person('open', { indexable: true });
    shy = await town.person('shy');
    far = await remoteAccount(town.app, 'far', 'far.example');
  });

  const post = async (author: Person, status: string, more: object = {}): Promise<string> => {
    const { status: code, json } = await author.post<Status>('/api/v1/statuses', { status, ...more });
    expect(code, JSON.stringify(json)).to.equal(200);
    return json.id;
  };
  const search = async (q: string, more = '', who: Client = me): Promise<Answer<Search>> => {
    await town.waitUntilIdle();
    return who.get<Search>(`/api/v2/search?q=${encodeURIComponent(q)}${more}`);
  };
  const found = async (q: string, more = '&type=statuses', who: Client = me): Promise<string[]> => {
    const { status, json } = await search(q, more, who);
    expect(status, `${q} ${JSON.stringify(json)}`).to.equal(200);
    return json.statuses.map(({ id }) => id);
  };
  /** A post of another server, as federation makes it known. */
  const farPost = async (change: object): Promise<string> => {
    const ctx = town.app.systemContext('spec');
    const id = ctx.newId();
    const uri = `https://far.example/users/far/statuses/${id}`;
    const data = {
      ...StatusCreated.samples[5],
      id,
      account_id: far,
      local: false,
      uri,
      url: `https://far.example/@far/${id}`,
      text: null,
      conversation_id: id,
      poll: null,
      created_at: ctx.now,
      tags: [],
      ...change,
    };
    const event = { type: 'StatusCreated', data } as unknown as StatusEvent;
    await ctx.execute(statusStream(id), statusDecider, () => [event], { isNew: true });
    await ctx.waitForReadModels();
    return id;
  };

  it('finds public posts of discoverable accounts, newest first', async () => {
    const first = await post(open, 'The magpie collects');
    const second = await post(open, 'Another magpie');
    await post(shy, 'My magpie is nobody’s business');
    await post(open, 'An unlisted magpie', { visibility: 'unlisted' });
    await post(open, 'A magpie for followers', { visibility: 'private' });
    expect(await found('magpie')).to.deep.equal([second, first]);
    expect(await found('magpie', '')).to.deep.equal([second, first]);
    expect(await found('magpie', '&type=accounts')).to.deep.equal([]);
  });

  it('hides them as soon as their author is no longer discoverable', async () => {
    const changing = await town.person('changing', { indexable: true });
    const id = await post(changing, 'A wagtail');
    expect(await found('wagtail')).to.deep.equal([id]);
    await town.change(changing, { indexable: false });
    expect(await found('wagtail')).to.deep.equal([]);
    expect(await found('wagtail', '&type=statuses', changing)).to.deep.equal([id]);
  });

  it('finds posts that the viewer wrote, is mentioned in, favourited, bookmarked, reblogged or voted in', async () => {
    const poll = { options: ['yes', 'no'], expires_in: 3_600 };
    const own = await post(me, 'A heron of mine, @me', { visibility: 'direct' });
    const mentioning = await post(shy, '@me a heron for you', { visibility: 'direct' });
    const favourited = await post(shy, 'A heron to like');
    const bookmarked = await post(shy, 'A heron to keep', { visibility: 'unlisted' });
    const reblogged = await post(shy, 'A heron to share');
    const voted = await post(shy, 'Heron?', { poll });
    const hidden = await post(shy, 'A heron that I had nothing to do with', { poll });
    expect(await found('heron')).to.deep.equal([mentioning, own]);
    await me.post(`/api/v1/statuses/${favourited}/favourite`);
    await me.post(`/api/v1/statuses/${bookmarked}/bookmark`);
    await me.post(`/api/v1/statuses/${reblogged}/reblog`);
    const { json } = await me.get<Status>(`/api/v1/statuses/${voted}`);
    await me.post(`/api/v1/polls/${json.poll?.id}/votes`, { choices: [0] });
    const all = [voted, reblogged, bookmarked, favourited, mentioning, own];
    expect(await found('heron')).to.deep.equal(all);
    expect(await found('heron in:library')).to.deep.equal(all);
    expect(await found('in:library', '&type=statuses&limit=40')).to.include.members(all);
    expect(await found('heron in:public')).to.deep.equal([]);
    expect(await found('heron', '&type=statuses', open)).to.deep.equal([]);
    await me.post(`/api/v1/statuses/${favourited}/unfavourite`);
    expect(await found('heron')).to.deep.equal(all.filter((id) => id !== favourited));
    expect(await found('heron', '&type=statuses', shy)).to.include(hidden);
  });

  it('stops finding a favourited post that its author hides from the viewer', async () => {
    const author = await town.person('hiding');
    await author.post(`/api/v1/accounts/${me.id}/follow`);
    await me.post(`/api/v1/accounts/${author.id}/follow`);
    const id = await post(author, 'A secret kingfisher', { visibility: 'private' });
    await me.post(`/api/v1/statuses/${id}/bookmark`);
    expect(await found('kingfisher')).to.deep.equal([id]);
    await author.post(`/api/v1/accounts/${me.id}/block`);
    expect(await found('kingfisher')).to.deep.equal([]);
    expect(await found('in:library kingfisher')).to.deep.equal([]);
  });

  it('leaves out blocked and muted authors, and deleted posts', async () => {
    const noisy = await town.person('noisy', { indexable: true });
    const id = await post(noisy, 'A loud bittern');
    expect(await found('bittern')).to.deep.equal([id]);
    await me.post(`/api/v1/accounts/${noisy.id}/mute`);
    expect(await found('bittern')).to.deep.equal([]);
    await me.post(`/api/v1/accounts/${noisy.id}/unmute`);
    expect(await found('bittern')).to.deep.equal([id]);
    await noisy.delete(`/api/v1/statuses/${id}`);
    expect(await found('bittern')).to.deep.equal([]);
    expect(await found('bittern', '&type=statuses', noisy)).to.deep.equal([]);
  });

  it('finds nothing without a user', async () => {
    await post(open, 'Everybody sees this avocet');
    expect(await found('avocet', '&type=statuses', town.nobody)).to.deep.equal([]);
    expect(await found('avocet', '', await town.appOnly())).to.deep.equal([]);
  });

  it('finds edited posts by their new words only', async () => {
    const id = await post(open, 'A dunlin');
    await open.put(`/api/v1/statuses/${id}`, { status: 'A sanderling' });
    expect(await found('dunlin')).to.deep.equal([]);
    expect(await found('sanderling')).to.deep.equal([id]);
  });

  it('searches warnings, options of polls and descriptions', async () => {
    const poll = { options: ['Plover', 'Lapwing'], expires_in: 3_600 };
    const asked = await post(open, 'Which?', { poll, spoiler_text: 'Turnstone ahead' });
    expect(await found('lapwing')).to.deep.equal([asked]);
    expect(await found('turnstone plover')).to.deep.equal([asked]);
    expect(await found('turnstone has:poll')).to.deep.equal([asked]);
    expect(await found('turnstone -has:poll')).to.deep.equal([]);
  });

  it('matches all words, by their prefix, in any case and accents', async () => {
    const id = await post(open, 'Żółty Ångström Café 42');
    for (const q of ['zolty', 'CAFÉ', 'cafe angstrom', 'caf', '42 żółty', 'Café, zolty!', '+cafe']) {
      expect(await found(q), q).to.deep.equal([id]);
    }
    for (const q of ['afé', 'cafe croissant', 'c', 'cafes', '4', '"caf"']) {
      expect(await found(q), q).to.deep.equal([]);
    }
  });

  it('accepts quotations and exclusions', async () => {
    const one = await post(open, 'red kite over the hill');
    const two = await post(open, 'kite red under the hill');
    expect(await found('"red kite"')).to.deep.equal([one]);
    expect(await found('“red kite”')).to.deep.equal([one]);
    expect(await found('"kite red"')).to.deep.equal([two]);
    expect(await found('"red kite over')).to.deep.equal([one]);
    expect(await found('kite -under')).to.deep.equal([one]);
    expect(await found('kite -"red kite"')).to.deep.equal([two]);
    expect(await found('kite -hill')).to.deep.equal([]);
  });

  it('does not match properties of a post as words', async () => {
    const one = await post(open, 'A language of linnets', { language: 'en', sensitive: true });
    await post(open, 'A linnet', { language: 'en', sensitive: true });
    for (const q of ['language', 'lang', '"language"']) expect(await found(q), q).to.deep.equal([one]);
    expect(await found('linnet is has')).to.deep.equal([]);
  });

  it('finds texts without spaces by any part of them', async () => {
    const japanese = await post(open, '東京都でカラスを見た。Tokyoの朝');
    const korean = await post(open, '까마귀가 날아간다');
    const thai = await post(open, 'นกกาบินอยู่');
    for (const q of [
      '東京',
      '京都',
      'カラス',
      '都',
      '見た',
      '朝',
      '東京 朝',
      'tokyo',
      '"東京都で"',
      'ﾗｽ',
      '「カラス」',
    ]) {
      expect(await found(q), q).to.deep.equal([japanese]);
    }
    for (const q of ['東都', '京東', 'スカ', '"朝 tokyo"']) expect(await found(q), q).to.deep.equal([]);
    expect(await found('까마귀')).to.deep.equal([korean]);
    expect(await found('กา')).to.deep.equal([thai]);
  });

  it('finds posts by author', async () => {
    const mine = await post(me, 'A siskin of mine');
    const opens = await post(open, 'A siskin of open');
    const fars = await farPost({ content: '<p>A siskin from afar</p>' });
    for (const q of ['from:open', 'from:@open', 'from:open@rookery.example', 'FROM:@OPEN@rookery.example']) {
      expect(await found(`siskin ${q}`), q).to.deep.equal([opens]);
    }
    expect(await found('siskin from:me')).to.deep.equal([mine]);
    expect(await found('siskin -from:me')).to.deep.equal([opens]);
    expect(await found('from:open', '&type=statuses&limit=1')).to.deep.equal([opens]);
    // A remote account that is not discoverable.
    expect(await found('siskin from:@far@far.example')).to.deep.equal([]);
    await me.post(`/api/v1/statuses/${fars}/bookmark`);
    expect(await found('siskin from:far@far.example')).to.deep.equal([fars]);
    expect(await found('siskin', `&type=statuses&account_id=${open.id}`)).to.deep.equal([opens]);
    expect(await found('siskin', '&type=statuses&account_id=1')).to.deep.equal([]);
    expect(await found('siskin', '&type=statuses&account_id=x')).to.deep.equal([]);
  });

  it('reports an unknown author and unknown prefixes', async () => {
    for (const q of [
      'from:stranger',
      'rook from:@open@far.example',
      'from:"stranger"',
      'from:me@far.example',
    ]) {
      for (const type of ['', '&type=statuses']) expect((await search(q, type)).status, q).to.equal(404);
    }
    expect((await search('from:me', '', town.nobody)).status).to.equal(404);
    for (const q of ['by:open', 'rook with:cats', 'has:wings', 'is:late', 'in:trees', 'before:noon']) {
      expect((await search(q)).status, q).to.equal(422);
    }
    for (const q of ['during:2026-02-30', '-in:library', '-before:2026', 'language:nothing-at-all']) {
      expect((await search(q, '&type=statuses')).status, q).to.equal(422);
    }
    // A search without posts has no prefix search.
    expect((await search('by:open', '&type=accounts')).status).to.equal(200);
    // These terms are no prefixes.
    for (const q of [
      ':rook:',
      '12:30',
      'rook: hello',
      'std::sort',
      '://',
      '-',
      '""',
      '"',
      '+-"',
      'x"y',
      '&|!()<->',
      "'",
      '\\',
    ]) {
      expect((await search(q)).status, q).to.equal(200);
    }
  });

  it('finds posts by their properties', async () => {
    await town.change({ ...open, id: far }, { indexable: true });
    const anchor = '<a href="https://wren.invalid/nest" rel="nofollow">nest</a>';
    const link = await farPost({ content: `<p>Wren: ${anchor}</p>`, language: 'pt-BR' });
    const reply = await post(shy, '@me Wren again #birds', { in_reply_to_id: link, language: 'en' });
    const sensitive = await post(open, 'Wren, hidden', { spoiler_text: 'Birds', language: 'en' });
    const media = (type: string): object => ({
      id: '1',
      type,
      file: 'https://far.example/1',
      preview: null,
      remote_url: 'https://far.example/1',
      meta: null,
      description: 'A fledgling',
      blurhash: null,
    });
    const image = await farPost({
      content: '<p>Wren</p>',
      media: [media('image'), media('gifv')],
      language: null,
    });
    const sound = await farPost({ content: '<p>Wren</p>', media: [media('audio')], language: null });
    const expected: Record<string, string[]> = {
      'has:link': [link],
      'is:reply': [reply],
      'is:sensitive': [sensitive],
      'has:media': [sound, image],
      'has:image': [image],
      'has:video': [image],
      'HAS:Audio': [sound],
      'has:embed': [],
      'language:en': [sensitive, reply],
      'language:pt': [link],
      'language:pt-BR': [link],
      'language:pt-PT': [],
      '-has:media -is:reply': [sensitive, link],
      '-has:embed has:media': [sound, image],
      'has:media fledgling': [sound, image],
    };
    for (const [q, ids] of Object.entries(expected)) expect(await found(`wren ${q}`), q).to.deep.equal(ids);
  });

  it('finds posts by date', async () => {
    const old = await farPost({ content: '<p>Whimbrel</p>', created_at: '2024-02-29T23:30:00.000Z' });
    const now = await farPost({ content: '<p>Whimbrel</p>', created_at: '2026-11-20T08:00:00.000Z' });
    const expected: Record<string, string[]> = {
      'before:2024-03-01': [old],
      'before:2024-02-29': [],
      'after:2024-02-29': [now],
      'after:2024-02-28 before:2025': [old],
      'during:2024-02-29': [old],
      'during:2024-02': [old],
      'during:2024': [old],
      'during:2026-11-20': [now],
      'before:2026-11-20T08:00': [old],
      'after:2026-11-20T08:59:59+01:00': [now],
      // PostgreSQL does not support these years.
      'before:0000': [],
      'after:0000': [now, old],
      'after:9999': [],
      'before:9999-12-31T23:59:59-12:00': [now, old],
    };
    for (const [q, ids] of Object.entries(expected)) {
      expect(await found(`whimbrel ${q}`), q).to.deep.equal(ids);
    }
    expect(await found('during:2024-02-29')).to.deep.equal([old]);
  });

  it('returns pages of one type, by ids and by offset', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) ids.unshift(await post(open, `Curlew number ${n}`));
    const paged = (more: string): Promise<string[]> => found('curlew', `&type=statuses&limit=2${more}`);
    expect(await paged('')).to.deep.equal(ids.slice(0, 2));
    expect(await paged('&offset=2')).to.deep.equal(ids.slice(2, 4));
    expect(await paged('&offset=5')).to.deep.equal(ids.slice(5));
    expect(await paged('&offset=6')).to.deep.equal([]);
    expect(await paged('&offset=1000000')).to.deep.equal([]);
    expect(await paged(`&max_id=${ids[1]}`)).to.deep.equal(ids.slice(2, 4));
    expect(await paged(`&max_id=${ids[1]}&offset=1`)).to.deep.equal(ids.slice(3, 5));
    expect(await paged(`&min_id=${ids[4]}`)).to.deep.equal(ids.slice(2, 4));
    expect(await paged(`&min_id=${ids[4]}&max_id=${ids[2]}`)).to.deep.equal([ids[3]]);
    expect(await found('curlew', `&limit=2&offset=2&max_id=${ids[1]}`)).to.deep.equal(ids.slice(0, 2));
    expect(await found('curlew', '&type=statuses&limit=1000')).to.deep.equal(ids);
  });

  it('fills a page past many unwanted posts', async () => {
    const loud = await town.person('loud', { indexable: true });
    const id = await post(open, 'A quiet grebe');
    for (let n = 0; n < 9; n += 1) await post(loud, `Grebe ${n}`);
    await me.post(`/api/v1/accounts/${loud.id}/block`);
    expect(await found('grebe', '&type=statuses&limit=1')).to.deep.equal([id]);
  });

  it('bounds the length and complexity of a search', async () => {
    expect((await search('x'.repeat(501))).status).to.equal(200);
    for (const q of [
      'rook '.repeat(100),
      `"${'京'.repeat(490)}"`,
      '-a '.repeat(160),
      '('.repeat(500),
      'a|b&'.repeat(80),
    ]) {
      expect((await search(q.trim(), '&type=statuses')).status, q).to.equal(200);
    }
  });
});
