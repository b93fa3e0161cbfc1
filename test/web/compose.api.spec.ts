import { expect } from 'chai';
import { alertOf, doneOf, follow, headingOf, signedIn } from '../account-pages/support.ts';
import { Browser, locationOf } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { picture } from '../support/uploads.ts';
import { sendForm, valueOf, valuesOf } from './filled-form.ts';
import { callAs } from './notices-support.ts';

// Replies are checked against their schema.
type Json = Answer['body'];

describe('The composer', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;
  let bob: TestUser;
  let browser: Browser;

  before(async () => {
    server = await startTestServer();
    alice = await server.user('alice');
    bob = await server.user('bob');
    browser = await signedIn(server, 'alice');
  });
  after(() => server.close());

  const api = async (method: string, path: string, body?: object, user = alice): Promise<Json> => {
    return callAs(server, user)<Json>(method, path, body);
  };
  const postsOf = async (user = alice): Promise<Json[]> => {
    await server.waitUntilIdle();
    return api('GET', `v1/accounts/${user.id}/statuses`, undefined, user);
  };
  const newest = async (): Promise<Json> => (await postsOf())[0];
  const open = (path = '/publish'): Promise<Answer> => browser.open(path);
  const send = (page: Answer, typed: Parameters<typeof sendForm>[3] = {}): Promise<Answer> =>
    sendForm(server, browser, page, typed);
  const posted = (answer: Answer): void => expect(answer.status, alertOf(answer)).to.equal(303) as never;

  it('offers the defaults of the user', async () => {
    await api('PATCH', 'v1/accounts/update_credentials', {
      source: { privacy: 'unlisted', language: 'de', sensitive: true },
    });
    const page = await open();
    expect(headingOf(page)).to.equal('New post');
    expect(valueOf(page, 'visibility')).to.equal('unlisted');
    expect(valueOf(page, 'language')).to.equal('de');
    expect(valuesOf(page, 'sensitive')).to.deep.equal(['true']);
    expect(valueOf(page, 'quote_approval_policy')).to.equal('public');
    await api('PATCH', 'v1/accounts/update_credentials', {
      source: { privacy: 'public', language: 'en', sensitive: false },
    });
    const { attributes } = load(page.body).one('form', { class: 'compose' })!;
    expect(attributes['data-count-max']).to.equal('500');
  });

  it('offers the language of a browser that names a region', async () => {
    for (const [locale, language] of Object.entries({ 'en-US': 'en', 'pt-BR': 'pt', 'zh-TW': 'zh-TW' })) {
      const name = `newcomer_${language.slice(0, 2)}`;
      const newcomer = await server.user(name, { locale });
      expect((await api('GET', 'v1/preferences', undefined, newcomer))['posting:default:language']).to.equal(
        language,
      );
      const own = await signedIn(server, name);
      const page = await own.open('/publish');
      expect(valueOf(page, 'language'), locale).to.equal(language);
      await sendForm(server, own, page, { type: { status: 'Hello' } });
      const [post] = await postsOf(newcomer);
      expect(post.language).to.equal(language);
    }
  });

  it('posts all that was typed, and leads to the new post', async () => {
    const answer = await send(await open(), {
      type: {
        status: 'Hello\r\nworld',
        spoiler_text: 'Greetings',
        visibility: 'private',
        language: 'fr',
        quote_approval_policy: 'nobody',
      },
    });
    posted(answer);
    const post = await newest();
    expect(post).to.include({ spoiler_text: 'Greetings', visibility: 'private', language: 'fr' });
    expect(post.content).to.equal('<p>Hello<br />world</p>');
    expect(post.application).to.equal(null);
    expect(locationOf(answer)).to.equal(`/@alice/${post.id}?done=posted`);
  });

  it('refuses a private mention that reaches no account, and shows it again with the handle that is wrong', async () => {
    const before = (await postsOf()).length;
    for (const [status, wrong] of [
      ['@bob@☃.net psst', 'Text mentions @bob@☃.net, which is not the handle of an account'],
      ['@bob and @new@unknown.invalid', 'Text mentions @new@unknown.invalid, '],
      ['psst', 'Text must mention at least one account, because only mentioned accounts see this post'],
    ] as const) {
      const refused = await send(await open(), { type: { status, visibility: 'direct' } });
      expect(refused.status).to.equal(422);
      expect(alertOf(refused)).to.contain(wrong);
      expect(valueOf(refused, 'status')).to.equal(status);
    }
    expect((await postsOf()).length).to.equal(before);
  });

  it('leads back to the local page that the composer was opened from', async () => {
    const type = { status: 'Back' };
    const answer = await send(await open('/publish?return_to=%2Fhome'), { type });
    expect(locationOf(answer)).to.equal('/home?done=posted');
    expect(doneOf(await open('/home?done=posted'))).to.equal('Your post is published.');
    const away = await send(await open('/publish?return_to=https%3A%2F%2Fevil.example'), { type });
    expect(locationOf(away)).to.match(/^\/@alice\/\d+\?done=posted$/);
    const forged = await send(await open(), { type: { ...type, return_to: '//evil.example' } });
    expect(locationOf(forged)).to.match(/^\/@alice\/\d+\?done=posted$/);
  });

  it('posts once when its form is sent twice, with a picture too', async () => {
    const before = (await postsOf()).length;
    const added = await send(await open(), {
      press: 'upload',
      files: [{ data: await picture(60, 40), name: 'a.jpg' }],
    });
    const type = { status: 'Only once' };
    const [one, two] = await Promise.all([send(added, { type }), send(added, { type })]);
    const later = await send(added, { type });
    expect([one, two, later].map(({ status }) => status)).to.deep.equal([303, 303, 303]);
    expect(new Set([one, two, later].map(locationOf)).size).to.equal(1);
    expect((await postsOf()).length).to.equal(before + 1);
    expect((await newest()).media_attachments).to.have.length(1);
  });

  it('uploads files, describes them, orders and removes them, and keeps the text meanwhile', async () => {
    const files = await Promise.all(
      [20, 30, 40].map(async (width) => ({ data: await picture(width, 20), name: `${width}.jpg` })),
    );
    let page = await send(await open(), { press: 'upload', files, type: { status: 'Three' } });
    expect(page.status).to.equal(200);
    expect(valueOf(page, 'status')).to.equal('Three');
    const [a = '', b = '', c = ''] = valuesOf(page, 'media_ids[]');
    expect(load(page.body).all('img', { alt: 'File 1' })).to.have.length(1);
    page = await send(page, { press: `up-${c}`, type: { [`description_${b}`]: 'The middle one' } });
    expect(valuesOf(page, 'media_ids[]')).to.deep.equal([a, c, b]);
    page = await send(page, { press: `remove-${a}` });
    expect(valuesOf(page, 'media_ids[]')).to.deep.equal([c, b]);
    expect(valueOf(page, `description_${b}`)).to.equal('The middle one');
    posted(await send(page, { type: { [`focus_${c}`]: '0.6,0.6', sensitive: ['false', 'true'] } }));
    const post = await newest();
    expect(post.content).to.equal('<p>Three</p>');
    expect(post.sensitive).to.equal(true);
    expect(post.media_attachments.map(({ id }: { id: string }) => id)).to.deep.equal([c, b]);
    expect(post.media_attachments[0].meta.focus).to.deep.equal({ x: 0.6, y: 0.6 });
    expect(post.media_attachments[1].description).to.equal('The middle one');
    expect(post.media_attachments[1].meta.focus).to.equal(undefined);
  });

  it('posts the files that are chosen without adding them first', async () => {
    const files = [{ data: await picture(24, 24, 'png'), name: 'a.png' }];
    posted(await send(await open(), { files, type: { status: 'At once' } }));
    expect((await newest()).media_attachments).to.have.length(1);
  });

  it('keeps text and files when one file is no picture, and when there are too many', async () => {
    const before = (await postsOf()).length;
    const good = { data: await picture(24, 24), name: 'good.jpg' };
    const type = { status: 'With files' };
    const bad = { data: Buffer.from('no picture at all'), name: 'notes.txt' };
    const page = await send(await open(), { files: [good, bad], type });
    expect(page.status).to.equal(422);
    expect(alertOf(page)).to.match(/^notes\.txt: .*(?:verified|invalid)/);
    expect(valueOf(page, 'status')).to.equal('With files');
    expect(valuesOf(page, 'media_ids[]')).to.have.length(1);
    const many = await send(page, { files: [good, good, good, good] });
    expect(many.status).to.equal(422);
    expect(alertOf(many)).to.equal('A post can have at most 4 files.');
    expect(valuesOf(many, 'media_ids[]')).to.have.length(4);
    const flood = await send(await open(), { files: Array.from({ length: 9 }, () => good), type });
    expect(flood.status).to.equal(422);
    expect(valueOf(flood, 'status')).to.equal('With files');
    expect((await postsOf()).length).to.equal(before);
    posted(await send(many));
    expect((await newest()).media_attachments).to.have.length(4);
  });

  it('refuses a picture that is too large without losing the text', async () => {
    const data = Buffer.concat([await picture(24, 24, 'png'), Buffer.alloc(16 * 1024 * 1024)]);
    const page = await send(await open(), { files: [{ data, name: 'huge.png' }], type: { status: 'Huge' } });
    expect(page.status).to.equal(422);
    expect(alertOf(page)).to.equal('huge.png: file size must be less than 16 MB');
    expect(valueOf(page, 'status')).to.equal('Huge');
  });

  it('says which file is gone, and posts without it', async () => {
    const other = await api('POST', 'v1/statuses', { status: 'mine' }, bob);
    const page = await send(await open(), { type: { status: 'Gone', 'media_ids[]': [other.id, 'x'] } });
    expect(page.status).to.equal(422);
    expect(alertOf(page)).to.equal('A file was left out: it is no longer there. Please add it again.');
    expect(valuesOf(page, 'media_ids[]')).to.deep.equal([]);
    posted(await send(page));
  });

  it('asks for a poll, adds options, and refuses a bad one with all of it shown again', async () => {
    let page = await send(await open(), { press: 'poll', type: { status: 'Rooks or crows?' } });
    expect(valuesOf(page, 'poll[options][]')).to.deep.equal(['', '']);
    page = await send(page, { press: 'option', type: { 'poll[options][]': ['Rooks', 'Crows'] } });
    expect(valuesOf(page, 'poll[options][]')).to.deep.equal(['Rooks', 'Crows', '']);
    const past = await send(page, { type: { 'poll[expires_in]': '-60' } });
    expect(past.status).to.equal(422);
    expect(alertOf(past)).to.equal('Deadline is too soon');
    const same = await send(page, { type: { 'poll[options][]': ['Rooks', 'Rooks'] } });
    expect(same.status).to.equal(422);
    expect(valuesOf(same, 'poll[options][]')).to.deep.equal(['Rooks', 'Rooks']);
    expect(valueOf(same, 'status')).to.equal('Rooks or crows?');
    const type = {
      'poll[options][]': ['Rooks', 'Crows', ''],
      'poll[multiple]': 'true',
      'poll[expires_in]': '3600',
    };
    posted(await send(page, { type }));
    const { poll } = await newest();
    expect(poll.options.map(({ title }: { title: string }) => title)).to.deep.equal(['Rooks', 'Crows']);
    expect(poll.multiple).to.equal(true);
    const without = await send(page, { press: 'unpoll' });
    expect(valuesOf(without, 'poll[options][]')).to.deep.equal([]);
  });

  it('refuses media beside a poll in words that say what to do', async () => {
    const files = [{ data: await picture(24, 24), name: 'a.jpg' }];
    const poll = await send(await open(), { press: 'poll', type: { status: 'Both' } });
    const page = await send(poll, { files, type: { 'poll[options][]': ['a', 'b'] } });
    expect(page.status).to.equal(422);
    expect(alertOf(page)).to.equal('A post can have media or a poll, not both. Remove one of them.');
    expect(valuesOf(page, 'poll[options][]')).to.deep.equal(['a', 'b']);
    const [id = ''] = valuesOf(page, 'media_ids[]');
    posted(await send(await send(page, { press: `remove-${id}` })));
  });

  it('keeps the text of a refused post and shows the reason beside it', async () => {
    const before = (await postsOf()).length;
    const status = 'rook '.repeat(101).trim();
    const page = await send(await open(), {
      type: { status, spoiler_text: 'birds', visibility: 'unlisted' },
    });
    expect(page.status).to.equal(422);
    expect(alertOf(page)).to.equal('Text character limit of 500 exceeded');
    expect(load(page.body).one('p', { id: 'status-problem' })?.text).to.equal(alertOf(page));
    expect(valueOf(page, 'status')).to.equal(status);
    expect(valueOf(page, 'spoiler_text')).to.equal('birds');
    expect(valueOf(page, 'visibility')).to.equal('unlisted');
    expect('open' in load(page.body).all('details', { class: 'fold' })[0]!.attributes).to.equal(true);
    const empty = await send(await open(), { type: { status: ' ' } });
    expect(alertOf(empty)).to.equal("Text can't be blank");
    const unknown = await send(await open(), { type: { status: 'x', visibility: 'everybody' } });
    expect(unknown.status).to.equal(422);
    expect((await postsOf()).length).to.equal(before);
  });

  it('schedules a post in a time zone, and refuses times that are past or too near', async () => {
    const before = (await postsOf()).length;
    const at = (minutes: number): string =>
      new Date(Date.now() + minutes * 60_000).toISOString().slice(0, 16);
    const times = { '2020-01-01T00:00': /five minutes/, [at(3)]: /five minutes/, 'next week': /no date/ };
    for (const [scheduled_at, reason] of Object.entries(times)) {
      const page = await send(await open(), { type: { status: 'Later', scheduled_at } });
      expect(page.status, scheduled_at).to.equal(422);
      expect(alertOf(page)).to.match(reason);
      expect(valueOf(page, 'scheduled_at')).to.equal(scheduled_at);
      expect(valueOf(page, 'status')).to.equal('Later');
    }
    const type = { status: 'Later', scheduled_at: at(24 * 60), zone: '+05:30' };
    const answer = await send(await open(), { type });
    expect(locationOf(answer)).to.equal('/scheduled?done=post_scheduled');
    const [scheduled] = await api('GET', 'v1/scheduled_statuses');
    expect(scheduled.scheduled_at).to.equal(new Date(`${type.scheduled_at}+05:30`).toISOString());
    expect((await postsOf()).length).to.equal(before);
  });

  it('fills in the mentions, audience, warning and language of a reply', async () => {
    const parent = await api(
      'POST',
      'v1/statuses',
      { status: 'Hi @alice and @bob', visibility: 'unlisted', spoiler_text: 'Birds', language: 'nl' },
      bob,
    );
    const carol = await server.user('carol');
    const second = await api(
      'POST',
      'v1/statuses',
      { status: '@alice @bob me too', in_reply_to_id: parent.id, visibility: 'private' },
      carol,
    );
    await server.waitUntilIdle();
    const page = await open(`/publish?in_reply_to_id=${parent.id}`);
    expect(valueOf(page, 'status')).to.equal('@bob ');
    expect(valueOf(page, 'visibility')).to.equal('unlisted');
    expect(valueOf(page, 'spoiler_text')).to.equal('Birds');
    expect(valueOf(page, 'language')).to.equal('nl');
    expect(load(page.body).posts()[0]).to.contain('Hi @alice and @bob');
    const other = await open(`/publish?in_reply_to_id=${second.id}`);
    expect(valueOf(other, 'status')).to.equal('@carol @bob ');
    expect(valueOf(other, 'visibility')).to.equal('private');
    posted(await send(page, { type: { status: '@bob Hello' } }));
    expect((await newest()).in_reply_to_id).to.equal(parent.id);
  });

  it('keeps a reply whose parent was deleted meanwhile, and offers to post it alone', async () => {
    const parent = await api('POST', 'v1/statuses', { status: 'Soon gone' }, bob);
    await server.waitUntilIdle();
    const page = await open(`/publish?in_reply_to_id=${parent.id}`);
    await api('DELETE', `v1/statuses/${parent.id}`, undefined, bob);
    await server.waitUntilIdle();
    const refused = await send(page, { type: { status: 'An answer' } });
    expect(refused.status).to.equal(422);
    expect(alertOf(refused)).to.match(/reply to does not appear to exist/);
    expect(refused.body).to.contain('was deleted, or is no longer for you');
    expect(valueOf(refused, 'status')).to.equal('An answer');
    const alone = await send(refused, { press: 'alone' });
    expect(valueOf(alone, 'in_reply_to_id')).to.equal('');
    posted(await send(alone));
    expect((await newest()).in_reply_to_id).to.equal(null);
  });

  it('shows the post to quote, and quotes it', async () => {
    const quoted = await api('POST', 'v1/statuses', { status: 'Quote me' }, bob);
    await server.waitUntilIdle();
    const page = await open(`/publish?quoted_status_id=${quoted.id}`);
    expect(load(page.body).posts()[0]).to.contain('Quote me');
    posted(await send(page, { type: { status: 'See' } }));
    expect((await newest()).quote.quoted_status.id).to.equal(quoted.id);
  });

  it('addresses a person, in private if the address says so, and takes a text', async () => {
    const page = await open('/publish?mention=bob&visibility=direct&text=About%20rooks');
    expect(valueOf(page, 'status')).to.equal('@bob About rooks');
    expect(valueOf(page, 'visibility')).to.equal('direct');
    const odd = await open(
      '/publish?mention=%3Cb%3E%20x&visibility=everybody&in_reply_to_id=x&quoted_status_id=-1',
    );
    expect(odd.status).to.equal(200);
    expect(valueOf(odd, 'status')).to.equal('');
    expect(valueOf(odd, 'visibility')).to.equal('public');
  });

  it('opens with what was typed into the small composer of the home page', async () => {
    const home = await open('/home');
    const page = await browser.submit('/publish', { status: 'Short', visibility: 'private', more: 'true' });
    expect(page.status).to.equal(200);
    expect(headingOf(page)).to.equal('New post');
    expect(valueOf(page, 'status')).to.equal('Short');
    expect(valueOf(page, 'visibility')).to.equal('private');
    expect(valueOf(page, 'language')).to.equal('en');
    expect(valueOf(page, 'return_to')).to.equal('/home');
    await open('/home');
    const done = await follow(browser, await browser.submit('/publish', { status: 'From home', do: 'post' }));
    expect(doneOf(done)).to.equal('Your post is published.');
    expect(home.status).to.equal(200);
    expect((await newest()).content).to.equal('<p>From home</p>');
  });

  it('shows everything again after the session ended, and posts it once signed in again', async () => {
    const before = (await postsOf()).length;
    const own = await signedIn(server, 'alice');
    const files = [{ data: await picture(24, 24), name: 'a.jpg' }];
    const fresh = await own.open('/publish');
    const page = await sendForm(server, own, fresh, {
      press: 'upload',
      files,
      type: { status: 'Kept', spoiler_text: 'W' },
    });
    const [id = ''] = valuesOf(page, 'media_ids[]');
    await own.open('/settings');
    await own.submit('/auth/sign_out');
    const out = await sendForm(server, own, page, { files, type: { [`description_${id}`]: 'A rook' } });
    expect(out.status).to.be.oneOf([401, 403]);
    expect(alertOf(out)).to.match(/^You were signed out/);
    expect(load(out.body).one('a', { target: '_blank' })?.attributes['href']).to.equal('/auth/sign_in');
    expect(valueOf(out, 'status')).to.equal('Kept');
    expect(valueOf(out, 'spoiler_text')).to.equal('W');
    expect(valuesOf(out, 'media_ids[]')).to.deep.equal([id]);
    expect(valueOf(out, `description_${id}`)).to.equal('A rook');
    await own.open('/auth/sign_in');
    await own.submit('/auth/sign_in', { login: 'alice', password: 'correct horse alice' });
    const again = await sendForm(server, own, out);
    expect(again.status).to.equal(403);
    expect(alertOf(again)).to.contain('This will be posted as @alice');
    expect((await postsOf()).length).to.equal(before);
    posted(await sendForm(server, own, again));
    const post = await newest();
    expect(post.content).to.equal('<p>Kept</p>');
    expect(post.media_attachments[0].description).to.equal('A rook');
    expect((await postsOf()).length).to.equal(before + 1);
  });

  it('says as whom a post will be posted when another user has signed in in another tab', async () => {
    const own = await signedIn(server, 'alice');
    const page = await own.open('/publish');
    await own.open('/settings');
    await own.submit('/auth/sign_out');
    await own.open('/auth/sign_in');
    await own.submit('/auth/sign_in', { login: 'bob', password: 'correct horse bob' });
    const before = [(await postsOf()).length, (await postsOf(bob)).length];
    const again = await sendForm(server, own, page, { type: { status: 'Whose?' } });
    expect(again.status).to.equal(403);
    expect(alertOf(again)).to.contain('This will be posted as @bob');
    expect(valueOf(again, 'status')).to.equal('Whose?');
    expect([(await postsOf()).length, (await postsOf(bob)).length]).to.deep.equal(before);
    posted(await sendForm(server, own, again));
    expect((await postsOf(bob))[0].content).to.equal('<p>Whose?</p>');
  });

  it('stores no file of a stranger, and shows the text again', async () => {
    const stranger = new Browser(server);
    await stranger.open('/about');
    const page = await open();
    const files = [{ data: await picture(24, 24), name: 'a.jpg' }];
    const answer = await sendForm(server, stranger, page, { files, type: { status: 'Who am I?' } });
    expect(answer.status).to.be.oneOf([401, 403]);
    expect(valueOf(answer, 'status')).to.equal('Who am I?');
  });

  it('tells a script where the new post leads, or only the problem', async () => {
    const page = await open();
    const cookie = browser.cookieHeader;
    const headers = { Cookie: cookie, 'X-Rookery-Fragment': '1' };
    const fields = (status: string): URLSearchParams =>
      new URLSearchParams({ csrf_token: valueOf(page, 'csrf_token')!, status, return_to: '/home' });
    const done = await server.call('POST', '/publish', { headers, body: fields('By a script') });
    expect(done.headers.get('x-rookery-location') ?? locationOf(done)).to.equal('/home?done=posted');
    const refused = await server.call('POST', '/publish', { headers, body: fields('') });
    expect(refused.status).to.equal(422);
    expect(alertOf(refused)).to.equal("Text can't be blank");
    expect(load(refused.body).one('textarea')).to.equal(undefined);
  });
});
