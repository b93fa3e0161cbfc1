import { expect } from 'chai';
import type { Filter, FilterKeyword, FilterStatus, Status } from '#mastodon/schemas/index.ts';
import { alertOf, doneOf, follow, headingOf, signedIn } from '../account-pages/support.ts';
import { Browser, locationOf } from '../oauth/client.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { callAs, elementsIn, textIn, textsIn } from './notices-support.ts';

type Full = Filter & { keywords: FilterKeyword[]; statuses: FilterStatus[] };
type Sent = Record<string, string | undefined>;

const NEW = '/filters/new';
const FIELDS = { title: 'Football', 'context[]': 'home', filter_action: 'warn', expires_in: '' };
const WITH_WORD = { ...FIELDS, 'keywords[0][keyword]': 'goal', 'keywords[0][whole_word]': 'true' };

describe('The pages of filters', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;
  let bob: TestUser;
  let browser: Browser;

  before(async () => {
    server = await startTestServer();
    [alice, bob] = await Promise.all([server.user('alice'), server.user('bob')]);
  });
  beforeEach(async () => {
    browser = await signedIn(server, 'alice');
    for (const { id } of await stored()) await as('DELETE', `v2/filters/${id}`);
  });
  after(() => server.close());

  const as = <Entity>(method: string, path: string, body?: object): Promise<Entity> =>
    callAs(server, alice)<Entity>(method, path, body);
  const stored = (): Promise<Full[]> => as<Full[]>('GET', 'v2/filters');
  const make = (more: object = {}): Promise<Full> =>
    as<Full>('POST', 'v2/filters', {
      title: 'Football',
      context: ['home'],
      keywords_attributes: [{ keyword: 'goal' }],
      ...more,
    });
  const send = async (path: string, fields: Sent): Promise<Answer> => {
    await browser.open(path);
    return browser.submit(path, fields);
  };
  const valueOf = (answer: Answer, name: string): string | undefined =>
    elementsIn(answer, 'input', { name })[0]?.attributes['value'];
  const wordsIn = ({ keywords }: Full): unknown[] =>
    keywords.map(({ keyword, whole_word }) => [keyword, whole_word]);

  it('add a filter with its words, places, action and end', async () => {
    expect(textIn(await browser.open('/filters'))).to.contain('You have no filters yet.');
    const fields = {
      ...WITH_WORD,
      'context[0]': 'home',
      'context[1]': 'account',
      'context[]': undefined,
      filter_action: 'hide',
      expires_in: '3600',
      'keywords[1][keyword]': '  ',
      'keywords[1][whole_word]': 'true',
      'keywords[2][keyword]': 'off side',
    };
    const done = await follow(browser, await send(NEW, fields));
    expect(doneOf(done)).to.equal('The filter is saved.');
    const [filter, ...more] = await stored();
    expect(more).to.deep.equal([]);
    expect(filter).to.deep.include({
      title: 'Football',
      context: ['home', 'account'],
      filter_action: 'hide',
    });
    expect(filter && wordsIn(filter)).to.deep.equal([
      ['goal', true],
      ['off side', false],
    ]);
    expect(Date.parse(filter?.expires_at ?? '')).to.be.greaterThan(0);
    const [item] = textsIn(done, 'article', { class: 'filter' });
    expect(item).to.match(/^Football goal ?off side Hide completely · Home and lists, Profiles · expires /);
  });

  it('make one filter of a form that is sent twice', async () => {
    const key = valueOf(await browser.open(NEW), 'key');
    await browser.submit(NEW, { ...WITH_WORD, key });
    await send(NEW, { ...WITH_WORD, key });
    expect(await stored()).to.have.length(1);
  });

  it('add rows for keywords without saving or losing anything', async () => {
    const key = valueOf(await browser.open(NEW), 'key');
    const more = await browser.submit(NEW, { ...WITH_WORD, title: ' a <b>', more: 'true' });
    expect(more.status).to.equal(200);
    expect([valueOf(more, 'title'), valueOf(more, 'key')]).to.deep.equal([' a <b>', key]);
    expect(valueOf(more, 'keywords[0][keyword]')).to.equal('goal');
    expect(elementsIn(more, 'div', { class: 'keyword' })).to.have.length(4);
    expect(alertOf(more)).to.equal(undefined);
    expect(await stored()).to.deep.equal([]);
  });

  for (const [what, change, problem] of [
    ['a title', { title: ' ' }, "Title can't be blank."],
    ['a place', { 'context[]': undefined }, 'Context needs at least one place.'],
    ['a known place', { 'context[]': 'nonsense' }, 'Context has an unknown place.'],
    ['a word', { 'keywords[0][keyword]': '' }, 'Keywords need at least one word or phrase.'],
    [
      'a shorter word',
      { 'keywords[0][keyword]': 'x'.repeat(513) },
      'Keywords have at most 512 characters each.',
    ],
    ['a shorter title', { title: 'x'.repeat(257) }, 'Title is too long'],
    ['a known action', { filter_action: 'nonsense' }, 'Action is not one of the choices.'],
    ['a known end', { expires_in: 'tomorrow' }, 'End is not one of the choices.'],
    ['an end that is in the list', { expires_in: '-5' }, 'End is not one of the choices.'],
  ] as const) {
    it(`ask for ${what}, keep what was typed, and change nothing`, async () => {
      const refused = await send(NEW, { ...WITH_WORD, ...change });
      expect(refused.status).to.equal(422);
      expect(alertOf(refused)).to.contain(problem);
      const typed = { ...WITH_WORD, ...change };
      expect(valueOf(refused, 'title')).to.equal(typed.title);
      expect(valueOf(refused, 'keywords[0][keyword]')).to.equal(typed['keywords[0][keyword]']);
      expect(await stored()).to.deep.equal([]);
    });
  }

  for (const [what, change] of [
    ['a blank word', { 'keywords[0][keyword]': ' ' }],
    ['no words at all', { 'keywords[0][removed]': 'true' }],
    ['no places', { 'context[]': undefined }],
  ] as const) {
    it(`refuse to change a filter to ${what}`, async () => {
      const { id } = await make();
      const before = await stored();
      const refused = await send(`/filters/${id}/edit`, { ...WITH_WORD, title: 'Other', ...change });
      expect(refused.status).to.equal(422);
      expect(valueOf(refused, 'title')).to.equal('Other');
      expect(await stored()).to.deep.equal(before);
    });
  }

  it('change, add and remove words', async () => {
    const { id } = await make({
      keywords_attributes: [{ keyword: 'goal' }, { keyword: 'match' }, { keyword: 'kept' }],
    });
    const fields = {
      ...FIELDS,
      title: 'Sport',
      'keywords[0][keyword]': 'goals',
      'keywords[1][keyword]': 'match',
      'keywords[1][removed]': 'true',
      'keywords[2][keyword]': 'kept',
      'keywords[2][whole_word]': 'true',
      'keywords[3][keyword]': 'new',
      'keywords[3][whole_word]': 'true',
    };
    expect(locationOf(await send(`/filters/${id}/edit`, fields))).to.equal('/filters?done=filter_saved');
    const [filter] = await stored();
    expect(filter?.title).to.equal('Sport');
    expect(filter && wordsIn(filter)).to.deep.equal([
      ['goals', false],
      ['kept', true],
      ['new', true],
    ]);
  });

  it('leave the end of a filter as it is, or take it away', async () => {
    const { id, keywords, expires_at } = await make({ expires_in: 3_600 });
    const path = `/filters/${id}/edit`;
    const chosen = elementsIn(await browser.open(path), 'option').find(
      ({ attributes }) => 'selected' in attributes,
    );
    expect(chosen?.attributes['value']).to.equal('keep');
    const fields = { ...WITH_WORD, 'keywords[0][id]': keywords[0]?.id };
    await browser.submit(path, { ...fields, expires_in: 'keep' });
    expect((await stored())[0]?.expires_at).to.equal(expires_at);
    await send(path, { ...fields, expires_in: '' });
    expect((await stored())[0]?.expires_at).to.equal(null);
  });

  it('show long lists of words in pages, and keep those of other pages', async () => {
    const words = Array.from({ length: 81 }, (_each, index) => ({ keyword: `word${index}` }));
    const { id } = await make({ keywords_attributes: words });
    const path = `/filters/${id}/edit`;
    expect(elementsIn(await browser.open(path), 'a', { href: `${path}?offset=40` })).to.have.length(1);
    const last = await browser.open(`${path}?offset=80`);
    expect(valueOf(last, 'keywords[0][keyword]')).to.equal('word80');
    expect(elementsIn(last, 'a', { rel: 'next' })).to.have.length(0);
    await browser.submit(path, {
      ...FIELDS,
      'keywords[0][keyword]': 'word80',
      'keywords[0][removed]': 'true',
    });
    const [filter] = await stored();
    expect(filter?.keywords).to.have.length(80);
    expect((await browser.open(`${path}?offset=nonsense`)).status).to.equal(200);
  });

  it('delete a filter after a confirmation', async () => {
    const { id } = await make();
    const path = `/filters/${id}/delete`;
    expect(textIn(await browser.open(path))).to.contain('Football is deleted for good');
    expect(await stored()).to.have.length(1);
    expect(doneOf(await follow(browser, await send(path, {})))).to.equal('The filter is deleted.');
    expect(await stored()).to.deep.equal([]);
  });

  it('add a post to a filter, and take it out again', async () => {
    const { id } = await make();
    const post = await callAs(server, bob)<Status>('POST', 'v1/statuses', { status: 'Rooks <again>' });
    await server.waitUntilIdle();
    const path = `/filters/status/${post.id}`;
    expect(textIn(await browser.open(path))).to.contain('Rooks <again>');
    const added = await browser.press(`/web/v2/filters/${id}/statuses`, { status_id: post.id });
    const done = await follow(browser, added);
    expect(headingOf(done)).to.equal('Posts of Football');
    expect(textIn(done)).to.contain('Rooks <again>');
    expect(textIn(await browser.open(path))).to.contain('Is in this filter');
    const twice = await browser.press(`/web/v2/filters/${id}/statuses`, { status_id: post.id });
    expect(twice.status).to.equal(422);
    const [entry] = (await stored())[0]?.statuses ?? [];
    await browser.open(`/filters/${id}/statuses`);
    await browser.press(`/web/v2/filters/statuses/${entry?.id}/delete`);
    expect((await stored())[0]?.statuses).to.deep.equal([]);
  });

  it('make a new filter for a post, once for a form that is sent twice', async () => {
    const post = await callAs(server, bob)<Status>('POST', 'v1/statuses', { status: 'Rooks' });
    await server.waitUntilIdle();
    const path = `/filters/status/${post.id}`;
    const key = valueOf(await browser.open(path), 'key');
    const first = await browser.submit(path, { ...FIELDS, key });
    const second = await send(path, { ...FIELDS, key });
    expect(locationOf(second)).to.equal(locationOf(first));
    const [filter, ...more] = await stored();
    expect(more).to.deep.equal([]);
    expect(filter?.statuses.map(({ status_id }) => status_id)).to.deep.equal([post.id]);
    const refused = await send(path, { ...FIELDS, title: '' });
    expect(refused.status).to.equal(422);
    expect(alertOf(refused)).to.contain("Title can't be blank.");
  });

  it('say that a post of a filter is gone', async () => {
    const { id } = await make();
    const bobs = callAs(server, bob);
    const post = await bobs<Status>('POST', 'v1/statuses', { status: 'Soon gone' });
    await as('POST', `v2/filters/${id}/statuses`, { status_id: post.id });
    await bobs('DELETE', `v1/statuses/${post.id}`);
    await server.waitUntilIdle();
    const page = await browser.open(`/filters/${id}/statuses`);
    expect(page.status).to.equal(200);
    const entries = (await stored())[0]?.statuses.length ?? 0;
    const gone = textsIn(page, 'article', { class: 'item' }).filter((text) => text.includes('was deleted'));
    expect(gone).to.have.length(entries);
  });

  it('answer 404 for filters and posts of others, and for those that do not exist', async () => {
    const theirs = await callAs(server, bob)<Full>('POST', 'v2/filters', {
      title: 'Mine',
      context: ['home'],
    });
    const secret = await callAs(server, bob)<Status>('POST', 'v1/statuses', {
      status: '@bob x',
      visibility: 'direct',
    });
    await server.waitUntilIdle();
    for (const id of [theirs.id, '1', 'nonsense', '99999999999999999999']) {
      for (const page of ['edit', 'delete', 'statuses']) {
        expect((await browser.open(`/filters/${id}/${page}`)).status, page).to.equal(404);
      }
      for (const act of [`/web/v2/filters/${id}/statuses`, `/web/v2/filters/statuses/${id}/delete`]) {
        await browser.open('/filters');
        expect((await browser.press(act, { status_id: secret.id })).status, act).to.equal(404);
      }
      await browser.open('/filters');
      expect((await browser.press(`/filters/${id}/edit`, WITH_WORD)).status).to.equal(404);
    }
    for (const id of [secret.id, '1', 'nonsense']) {
      expect((await browser.open(`/filters/status/${id}`)).status).to.equal(404);
    }
  });

  it('do not take a word of another filter', async () => {
    const { id } = await make();
    const { keywords } = await make({ title: 'Other', keywords_attributes: [{ keyword: 'other' }] });
    await browser.open('/filters');
    const fields = { ...WITH_WORD, 'keywords[0][id]': keywords[0]?.id };
    expect((await browser.press(`/filters/${id}/edit`, fields)).status).to.equal(404);
    expect((await stored()).map(wordsIn)).to.deep.equal([[['goal', true]], [['other', true]]]);
  });

  it('keep what was typed when the session has ended', async () => {
    await browser.open(NEW);
    browser.cookies.clear();
    const kept = await browser.submit(NEW, { ...WITH_WORD, title: 'Not lost' });
    expect(kept.status).to.equal(403);
    expect([valueOf(kept, 'title'), valueOf(kept, 'keywords[0][keyword]')]).to.deep.equal([
      'Not lost',
      'goal',
    ]);
    expect(await stored()).to.deep.equal([]);
  });

  it('ask strangers to sign in first', async () => {
    for (const path of ['/filters', NEW, '/filters/1/edit', '/filters/status/1']) {
      const answer = await new Browser(server).open(path);
      expect(locationOf(answer)).to.equal(`/auth/sign_in?return_to=${encodeURIComponent(path)}`);
    }
  });
});
