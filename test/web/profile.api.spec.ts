import { expect } from 'chai';
import type { Profile } from '#mastodon/schemas/index.ts';
import { alertOf, doneOf, follow, headingOf, inMain, signedIn } from '../account-pages/support.ts';
import { type Browser, locationOf } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { picture } from '../support/uploads.ts';
import { valueOf } from './filled-form.ts';
import { sendProfileForm } from './profile-form.ts';

const PATH = '/settings/profile';

describe('The profile in the settings', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;
  let browser: Browser;

  before(async () => {
    server = await startTestServer();
    [alice] = await Promise.all([server.user('alice'), server.user('bob')]);
    browser = await signedIn(server, 'alice');
  });
  after(() => server.close());

  const profileOf = async ({ token } = alice): Promise<Profile> => {
    await server.waitUntilIdle();
    return (await server.call('GET', '/api/v1/profile', { token })).body as Profile;
  };
  type Typed = Omit<Parameters<typeof sendProfileForm>[3], 'action'>;
  const save = async (typed: Typed, page?: Answer): Promise<Answer> =>
    sendProfileForm(server, browser, page ?? (await browser.open(PATH)), { action: PATH, ...typed });
  const saved = async (typed: Typed): Promise<Answer> => {
    const answer = await save(typed);
    expect([answer.status, locationOf(answer)], alertOf(answer)).to.deep.equal([303, `${PATH}?done=profile`]);
    return browser.open(locationOf(answer));
  };
  const besideOf = ({ body }: Answer, name: string): string | undefined =>
    load(body as string).one('p', { id: `${name}-problem` })?.text;
  const png = async (name = 'a.png'): Promise<{ data: Buffer; name: string; type: string }> => ({
    data: await picture(40, 40, 'png'),
    name,
    type: 'image/png',
  });

  it('takes all that the form has, and shows it again', async () => {
    const page = await saved({
      type: {
        display_name: 'Alice <b>',
        note: 'Rooks\r\nand crows',
        avatar_description: 'A rook',
        attribution_domains: 'https://rooks.example/\r\n*.crows.example',
        'fields_attributes[0][name]': 'Website',
        'fields_attributes[0][value]': 'https://alice.example',
        'fields_attributes[3][name]': 'Pronouns',
        'fields_attributes[3][value]': 'she',
      },
      tick: ['locked', 'bot', 'discoverable', 'indexable', 'noindex', 'hide_collections'],
      untick: ['show_media'],
    });
    expect(doneOf(page)).to.equal('Your profile is saved.');
    const profile = await profileOf();
    expect(profile).to.include({ display_name: 'Alice <b>', note: 'Rooks\nand crows', show_media: false });
    expect(profile).to.include({ locked: true, bot: true, discoverable: true, indexable: true });
    expect(profile).to.include({ hide_collections: true, show_featured: true });
    expect(profile.attribution_domains).to.deep.equal(['rooks.example', 'crows.example']);
    expect(profile.fields.map(({ name, value }) => [name, value])).to.deep.equal([
      ['Website', 'https://alice.example'],
      ['Pronouns', 'she'],
    ]);
    const { body } = await server.call('GET', `/api/v1/accounts/${alice.id}`);
    expect(body).to.include({ noindex: true, avatar_description: 'A rook' });

    expect(valueOf(page, 'display_name', PATH)).to.equal('Alice <b>');
    expect(valueOf(page, 'note', PATH)).to.equal('Rooks\r\nand crows');
    expect(valueOf(page, 'fields_attributes[1][name]', PATH)).to.equal('Pronouns');
    expect(valueOf(page, 'fields_attributes[3][value]', PATH)).to.equal('');
    expect([valueOf(page, 'locked', PATH), valueOf(page, 'show_media', PATH)]).to.deep.equal([
      'true',
      undefined,
    ]);
    const off = ['locked', 'bot', 'discoverable', 'indexable', 'noindex', 'hide_collections'];
    await saved({
      untick: off,
      type: { 'fields_attributes[0][name]': '', 'fields_attributes[0][value]': '' },
    });
    const after = await profileOf();
    expect(after).to.include({ locked: false, bot: false, discoverable: false });
    expect(after.fields).to.have.length(1);
  });

  it('changes nothing when it is saved as it was shown', async () => {
    const before = await server.app.log.head();
    await saved({});
    await server.waitUntilIdle();
    expect(await server.app.log.head()).to.equal(before);
  });

  it('takes pictures, shows them, and removes them', async () => {
    const page = await saved({ files: { avatar: await png(), header: await png('h.png') } });
    const { avatar, header } = await profileOf();
    const shown = load(page.body as string)
      .all('img')
      .map(({ attributes }) => attributes['src']);
    expect(shown).to.include.members([avatar, header]);
    const without = await saved({ tick: ['remove_avatar'] });
    expect(await profileOf()).to.include({ avatar: null, header });
    expect(load(without.body as string).one('input', { name: 'remove_avatar' })).to.equal(undefined);
    // A new picture counts more than the wish to remove the old one.
    await saved({ tick: ['remove_header'], files: { header: await png('new.png') } });
    expect((await profileOf()).header).not.to.equal(null);
  });

  it('says beside the field that a file is no picture, and keeps what was typed', async () => {
    const before = await profileOf();
    const text = { data: Buffer.from('not a picture'), name: 'rook.png', type: 'image/png' };
    const answer = await save({ type: { display_name: 'Typed' }, files: { avatar: text } });
    expect(answer.status).to.equal(422);
    expect(alertOf(answer)).to.equal('Nothing is saved yet: see what is said in the form.');
    expect(besideOf(answer, 'avatar')).to.match(/^The picture .*\.$/);
    expect(valueOf(answer, 'display_name', PATH)).to.equal('Typed');
    expect(await profileOf()).to.deep.equal(before);
  });

  it('names all that is too long or wrong at once, each beside its field', async () => {
    const before = await profileOf();
    const answer = await save({
      type: {
        display_name: 'x'.repeat(41),
        note: 'x'.repeat(501),
        header_description: 'x'.repeat(151),
        attribution_domains: 'no domain',
        'fields_attributes[0][name]': '',
        'fields_attributes[0][value]': 'without a label',
      },
      tick: ['bot'],
    });
    expect(answer.status).to.equal(422);
    expect(besideOf(answer, 'display_name')).to.equal('Display name is too long (maximum is 40 characters).');
    for (const name of ['note', 'header_description', 'attribution_domains', 'rows']) {
      expect(besideOf(answer, name), name).to.be.a('string');
    }
    expect(valueOf(answer, 'fields_attributes[0][value]', PATH)).to.equal('without a label');
    expect(valueOf(answer, 'bot', PATH)).to.equal('true');
    expect(await profileOf()).to.deep.equal(before);
    const again = await save({ type: { display_name: 'x'.repeat(40) }, untick: ['bot'] }, answer);
    expect(again.status, 'the rest is still wrong').to.equal(422);
  });

  it('features hashtags and takes them away again', async () => {
    await browser.open(PATH);
    const added = await browser.submit(PATH, { name: '#Rooks' }, 'value="feature"');
    const page = await follow(browser, added);
    expect((await profileOf()).featured_tags.map(({ name }) => name)).to.deep.equal(['Rooks']);
    expect(inMain(page, 'button').map(({ attributes }) => attributes['aria-label'])).to.include(
      'Remove #Rooks',
    );
    const wrong = await browser.submit(PATH, { name: 'no hashtag!' }, 'value="feature"');
    expect([wrong.status, valueOf(wrong, 'display_name', PATH)]).to.deep.equal([
      422,
      (await profileOf()).display_name,
    ]);
    expect(wrong.body).to.contain('value="no hashtag!"');
    await browser.open(PATH);
    await follow(browser, await browser.submit(PATH, {}, 'value="unfeature"'));
    expect((await profileOf()).featured_tags).to.deep.equal([]);
    await browser.open(PATH);
    const gone = await browser.post(PATH, {
      csrf_token: valueOf(await browser.open(PATH), 'csrf_token', PATH),
      step: 'unfeature',
      id: '1',
    });
    expect(gone.status).to.equal(404);
  });

  it('keeps the form when the session has ended, and saves it once the user is back', async () => {
    const own = await signedIn(server, 'bob');
    const page = await own.open(PATH);
    await own.submit('/auth/sign_out');
    const type = { display_name: 'Bob again', 'fields_attributes[0][name]': 'Web' };
    const kept = await sendProfileForm(server, own, page, { action: PATH, type });
    expect([kept.status, headingOf(kept)]).to.deep.equal([403, 'Profile']);
    expect(valueOf(kept, 'display_name', PATH)).to.equal('Bob again');
    expect(valueOf(kept, 'fields_attributes[0][name]', PATH)).to.equal('Web');
    const link = load(kept.body as string).one('a', { target: '_blank' })?.attributes['href'] ?? '';
    await own.open(link);
    await own.submit('/auth/sign_in', { login: 'bob', password: 'correct horse bob' });
    const refused = await sendProfileForm(server, own, kept, { action: PATH });
    expect([refused.status, valueOf(refused, 'display_name', PATH)]).to.deep.equal([403, 'Bob again']);
    expect((await sendProfileForm(server, own, refused, { action: PATH })).status).to.equal(303);
    const { body } = await server.call('GET', '/api/v1/accounts/lookup?acct=bob');
    expect((body as { display_name: string }).display_name).to.equal('Bob again');
  });

  it('refuses a form of a tab in which another user was signed in', async () => {
    const shared = await signedIn(server, 'bob');
    const page = await shared.open(PATH);
    await shared.submit('/auth/sign_out');
    await shared.open('/auth/sign_in');
    await shared.submit('/auth/sign_in', { login: 'alice', password: 'correct horse alice' });
    const before = await profileOf();
    const answer = await sendProfileForm(server, shared, page, {
      action: PATH,
      type: { display_name: 'Meant for bob' },
    });
    expect(answer.status).to.equal(403);
    expect(alertOf(answer)).to.contain('signed in as another account');
    expect(answer.body).to.contain('Meant for bob').and.to.contain('@alice@');
    expect(await profileOf()).to.deep.equal(before);
  });
});

describe('The preferences in the settings', function () {
  this.timeout(60_000);
  const PREFERENCES = '/settings/preferences';
  let server: TestServer;
  let alice: TestUser;
  let browser: Browser;

  before(async () => {
    server = await startTestServer();
    alice = await server.user('alice');
    browser = await signedIn(server, 'alice');
  });
  after(() => server.close());

  const preferences = async (): Promise<Record<string, unknown>> => {
    await server.waitUntilIdle();
    return (await server.call('GET', '/api/v1/preferences', { token: alice.token })).body as Record<
      string,
      unknown
    >;
  };
  const save = async (type: Record<string, string>): Promise<Answer> => {
    await browser.open(PREFERENCES);
    return browser.submit(PREFERENCES, type);
  };

  it('stores the defaults of posts and how posts are shown', async () => {
    const done = await follow(
      browser,
      await save({
        'posting:default:visibility': 'unlisted',
        'posting:default:language': 'de',
        'posting:default:quote_policy': 'followers',
        'posting:default:sensitive': 'true',
        'reading:expand:media': 'hide_all',
        'reading:expand:spoilers': 'true',
      }),
    );
    expect(doneOf(done)).to.equal('Your preferences are saved.');
    expect(await preferences()).to.deep.equal({
      'posting:default:visibility': 'unlisted',
      'posting:default:language': 'de',
      'posting:default:quote_policy': 'followers',
      'posting:default:sensitive': true,
      'reading:expand:media': 'hide_all',
      'reading:expand:spoilers': true,
      'reading:aggregate:reblogs': false,
      'reading:autoplay:gifs': false,
    });
    expect(valueOf(done, 'posting:default:visibility', PREFERENCES)).to.equal('unlisted');
    expect(valueOf(done, 'posting:default:language', PREFERENCES)).to.equal('de');
    expect(valueOf(done, 'reading:expand:media', PREFERENCES)).to.equal('hide_all');
    expect(valueOf(done, 'reading:autoplay:gifs', PREFERENCES)).to.equal(undefined);
    await save({ 'posting:default:language': '', 'reading:autoplay:gifs': 'true' });
    expect(await preferences()).to.include({
      'posting:default:visibility': 'unlisted',
      'posting:default:sensitive': false,
      'reading:autoplay:gifs': true,
    });
  });

  it('refuses values that it does not know, and shows what was chosen', async () => {
    const before = await preferences();
    for (const [name, value] of [
      ['posting:default:visibility', 'everybody'],
      ['posting:default:language', 'xx-nothing'],
      ['posting:default:quote_policy', 'friends'],
      ['reading:expand:media', 'x'.repeat(100)],
    ] as const) {
      const answer = await save({ 'reading:expand:spoilers': 'true', [name]: value });
      expect(answer.status, name).to.equal(422);
      expect(alertOf(answer), name).to.be.a('string').and.not.equal('');
      expect(valueOf(answer, 'reading:expand:spoilers', PREFERENCES)).to.equal('true');
    }
    expect(await preferences()).to.deep.equal(before);
  });
});
