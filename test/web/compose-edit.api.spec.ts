import { expect } from 'chai';
import { alertOf, headingOf, signedIn } from '../account-pages/support.ts';
import { type Browser, locationOf } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { picture, uploadForm } from '../support/uploads.ts';
import { sendForm, valueOf, valuesOf } from './filled-form.ts';
import { callAs } from './notices-support.ts';

// Replies are checked against their schema.
type Json = Answer['body'];

describe('Editing and deleting posts', function () {
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
    const reply = await callAs(server, user)<Json>(method, path, body);
    await server.waitUntilIdle();
    return reply;
  };
  const statusOf = (id: string): Promise<Json> => api('GET', `v1/statuses/${id}`);
  const post = (body: object, user = alice): Promise<Json> => api('POST', 'v1/statuses', body, user);
  const upload = async (description: string): Promise<string> =>
    (await api('POST', 'v2/media', uploadForm(await picture(30, 30), { description }))).id as string;
  const count = async (): Promise<number> =>
    (await api('GET', `v1/accounts/${alice.id}/statuses`)).length as number;
  const send = (page: Answer, typed: Parameters<typeof sendForm>[3] = {}): Promise<Answer> =>
    sendForm(server, browser, page, typed);
  const editOf = (id: string): Promise<Answer> => browser.open(`/@alice/${id}/edit`);
  const DELETION = (id: string) => ({ marker: `/@alice/${id}/delete` });

  it('edits text, warning, language, and the descriptions, order and number of files', async () => {
    const [a, b] = [await upload('First'), await upload('Second')];
    const { id } = await post({ status: 'Before', media_ids: [a, b], language: 'en', visibility: 'private' });
    let page = await editOf(id);
    expect(headingOf(page)).to.equal('Edit post');
    expect(valueOf(page, 'status')).to.equal('Before');
    expect(valueOf(page, `description_${a}`)).to.equal('First');
    page = await send(page, { press: `up-${b}`, type: { status: 'After' } });
    const files = [{ data: await picture(40, 20), name: 'c.jpg' }];
    page = await send(page, { press: 'upload', files });
    const [, , c = ''] = valuesOf(page, 'media_ids[]');
    const answer = await send(page, {
      type: {
        spoiler_text: 'Birds',
        language: 'de',
        [`description_${a}`]: 'One',
        [`description_${c}`]: 'Three',
        [`focus_${b}`]: '-0.6,0',
      },
    });
    expect(answer.status, alertOf(answer)).to.equal(303);
    expect(locationOf(answer)).to.equal(`/@alice/${id}?done=post_edited`);
    const edited = await statusOf(id);
    expect(edited).to.include({
      content: '<p>After</p>',
      spoiler_text: 'Birds',
      language: 'de',
      visibility: 'private',
    });
    expect(edited.media_attachments.map((each: Json) => [each.id, each.description])).to.deep.equal([
      [b, 'Second'],
      [a, 'One'],
      [c, 'Three'],
    ]);
    expect(edited.media_attachments[0].meta.focus).to.deep.equal({ x: -0.6, y: 0 });
    await send(await editOf(id), { press: 'post', type: { 'media_ids[]': [b] } });
    expect((await statusOf(id)).media_attachments).to.have.length(1);
  });

  it('keeps the votes of a poll whose question stays, and asks anew with other options', async () => {
    const poll = { options: ['Rooks', 'Crows'], expires_in: 3600 };
    const made = await post({ status: 'Which?', poll });
    await api('POST', `v1/polls/${made.poll.id}/votes`, { choices: [0] }, bob);
    const page = await editOf(made.id);
    expect(valuesOf(page, 'poll[options][]')).to.deep.equal(['Rooks', 'Crows']);
    await send(page, { type: { status: 'Which one?' } });
    const same = await statusOf(made.id);
    expect(same.content).to.equal('<p>Which one?</p>');
    expect(same.poll).to.include({ votes_count: 1, expires_at: made.poll.expires_at });
    const change = { 'poll[options][]': ['Rooks', 'Jackdaws'] };
    const refused = await send(await editOf(made.id), { type: change });
    expect(refused.status).to.equal(422);
    expect(alertOf(refused)).to.equal("Deadline can't be blank");
    expect(valuesOf(refused, 'poll[options][]')).to.deep.equal(change['poll[options][]']);
    await send(refused, { type: { 'poll[expires_in]': '86400' } });
    expect((await statusOf(made.id)).poll.votes_count).to.equal(0);
  });

  it('shows a refused edit again, and changes nothing', async () => {
    const { id } = await post({ status: 'Short' });
    const status = 'x'.repeat(501);
    const page = await send(await editOf(id), { type: { status } });
    expect(page.status).to.equal(422);
    expect(alertOf(page)).to.equal('Text character limit of 500 exceeded');
    expect(valueOf(page, 'status')).to.equal(status);
    const bad = await send(await editOf(id), {
      type: { status: 'Changed' },
      files: [{ data: Buffer.from('no picture'), name: 'a.txt' }],
    });
    expect(bad.status).to.equal(422);
    expect(valueOf(bad, 'status')).to.equal('Changed');
    expect((await statusOf(id)).content).to.equal('<p>Short</p>');
  });

  it('keeps an edit after the session ended', async () => {
    const { id } = await post({ status: 'Mine' });
    const own = await signedIn(server, 'alice');
    const page = await own.open(`/@alice/${id}/edit`);
    await own.open('/settings');
    await own.submit('/auth/sign_out');
    const out = await sendForm(server, own, page, { type: { status: 'Mine, edited' } });
    expect(alertOf(out)).to.match(/^You were signed out/);
    expect(valueOf(out, 'status')).to.equal('Mine, edited');
    await own.open('/auth/sign_in');
    await own.submit('/auth/sign_in', { login: 'alice', password: 'correct horse alice' });
    const again = await sendForm(server, own, out);
    expect(valueOf(again, 'status')).to.equal('Mine, edited');
    expect((await sendForm(server, own, again)).status).to.equal(303);
    expect((await statusOf(id)).content).to.equal('<p>Mine, edited</p>');
  });

  it('turns the edit of a post that was deleted meanwhile into a new post, for the same audience', async () => {
    const { id } = await post({ status: 'Short-lived', visibility: 'private' });
    const page = await editOf(id);
    await api('DELETE', `v1/statuses/${id}`);
    const again = await send(page, { type: { status: 'Longer' } });
    expect(again.status).to.equal(422);
    expect(alertOf(again)).to.match(/was deleted meanwhile/);
    expect(headingOf(again)).to.equal('New post');
    expect(valueOf(again, 'status')).to.equal('Longer');
    expect(valueOf(again, 'visibility')).to.equal('private');
  });

  it('opens neither for posts of others, nor for ids and names that do not fit', async () => {
    const theirs = await post({ status: 'Not yours' }, bob);
    const mine = await post({ status: 'Yours' });
    const paths = [`/@bob/${theirs.id}`, `/@bob/${mine.id}`, '/@alice/1', '/@alice/0'];
    for (const path of paths.flatMap((each) => [`${each}/edit`, `${each}/delete`])) {
      expect((await browser.open(path)).status, path).to.equal(404);
    }
    expect((await browser.open('/@alice/tagged/edit')).body).to.contain('#edit');
    const body = { do: 'delete', csrf_token: valueOf(await editOf(mine.id), 'csrf_token') };
    expect((await browser.post(`/@bob/${theirs.id}/delete`, body)).status).to.equal(404);
    expect((await server.call('GET', `/api/v1/statuses/${theirs.id}`)).status).to.equal(200);
  });

  it('shows what changed in each version, to strangers too', async () => {
    const { id } = await post({ status: 'Rooks are black birds' });
    await api('PUT', `v1/statuses/${id}`, { status: 'Rooks are <clever> birds', spoiler_text: 'Facts' });
    const page = await server.call('GET', `/@alice/${id}/history`);
    expect(page.status).to.equal(200);
    const { one, all, posts } = load(page.body);
    expect(posts()).to.have.length(2);
    expect(posts()[0]).to.contain('Changed: text, content warning');
    expect(one('del')?.text).to.equal('black');
    expect(all('ins').map(({ text }) => text)).to.deep.equal(['Facts', '<clever>']);
    expect(posts()[1]).to.contain('Original post');
    const hidden = await post({ status: '@alice Secret', visibility: 'direct' });
    expect((await server.call('GET', `/@alice/${hidden.id}/history`)).status).to.equal(404);
    expect((await server.call('GET', `/@bob/${id}/history`)).status).to.equal(404);
  });

  it('asks before it deletes, and deletes once', async () => {
    const { id } = await post({ status: 'Away with it' });
    const page = await browser.open(`/@alice/${id}/delete`);
    expect(headingOf(page)).to.equal('Delete post?');
    expect(load(page.body).posts()[0]).to.contain('Away with it');
    const before = await count();
    const sent = { press: 'delete', ...DELETION(id) };
    const both = await Promise.all([send(page, sent), send(page, sent)]);
    expect(both.map(({ status }) => status)).to.deep.equal([303, 303]);
    expect(both.map(locationOf)).to.deep.equal(Array(2).fill('/@alice?done=post_deleted'));
    expect(await count()).to.equal(before - 1);
  });

  it('redrafts a post with all its parts, and again after a reload', async () => {
    const parent = await post({ status: 'Parent' }, bob);
    const media = await upload('A rook');
    const { id } = await post({
      status: '@bob with\na picture',
      spoiler_text: 'Birds',
      media_ids: [media],
      visibility: 'unlisted',
      language: 'fr',
      in_reply_to_id: parent.id,
    });
    const before = await count();
    const confirm = await browser.open(`/@alice/${id}/delete`);
    const first = await send(confirm, { press: 'redraft', ...DELETION(id) });
    const reloaded = await send(confirm, { press: 'redraft', ...DELETION(id) });
    for (const page of [first, reloaded]) {
      expect(page.status).to.equal(200);
      expect(headingOf(page)).to.equal('New post');
      expect(page.body).to.contain('The post is deleted');
      expect(valueOf(page, 'status')).to.equal('@bob with\r\na picture');
      expect(valueOf(page, 'spoiler_text')).to.equal('Birds');
      expect(valueOf(page, 'visibility')).to.equal('unlisted');
      expect(valueOf(page, 'language')).to.equal('fr');
      expect(valueOf(page, 'in_reply_to_id')).to.equal(parent.id);
      expect(valuesOf(page, 'media_ids[]')).to.deep.equal([media]);
      expect(valueOf(page, `description_${media}`)).to.equal('A rook');
    }
    expect(await count()).to.equal(before - 1);
    const answers = [await send(first), await send(reloaded)];
    expect(answers.map(({ status }) => status)).to.deep.equal([303, 303]);
    expect(new Set(answers.map(locationOf)).size).to.equal(1);
    expect(await count()).to.equal(before);
    const [newest] = await api('GET', `v1/accounts/${alice.id}/statuses`);
    expect(newest.media_attachments[0].id).to.equal(media);
    expect(newest.in_reply_to_id).to.equal(parent.id);
  });

  it('redrafts a poll with its options and length, and a quote', async () => {
    const quoted = await post({ status: 'Quoted' }, bob);
    const made = await post({
      status: 'Poll',
      poll: { options: ['a', 'b'], expires_in: 3600, multiple: true },
    });
    const page = await send(await browser.open(`/@alice/${made.id}/delete`), {
      press: 'redraft',
      ...DELETION(made.id),
    });
    expect(valuesOf(page, 'poll[options][]')).to.deep.equal(['a', 'b']);
    expect(valueOf(page, 'poll[expires_in]')).to.equal('3600');
    expect(valueOf(page, 'poll[multiple]')).to.equal('true');
    const quote = await post({ status: 'See', quoted_status_id: quoted.id });
    const redraft = await send(await browser.open(`/@alice/${quote.id}/delete`), {
      press: 'redraft',
      ...DELETION(quote.id),
    });
    expect(valueOf(redraft, 'quoted_status_id')).to.equal(quoted.id);
  });
});
