import { expect } from 'chai';
import { reattachMedia, releaseMedia } from '#commands/media/index.ts';
import { attachOrReleaseMedia } from '#commands/statuses/index.ts';
import type { MediaAttachment, Poll, Status, StatusEdit, StatusSource } from '#mastodon/schemas/index.ts';
import type { FullFilter } from '#queries/filters/read.ts';
import { type Answer, type Client, describeTown, type Person } from '../support/people.ts';
import { still } from '../support/pictures.ts';
import { uploadForm } from '../support/uploads.ts';

describeTown('Editing a post', function (town) {
  this.timeout(60_000);
  let alice: Person;
  let bob: Person;

  before(async () => {
    alice = await town.person('alice');
    bob = await town.person('bob');
  });

  async function ok<Json>(answer: Promise<Answer<Json>>): Promise<Json> {
    const { status, json } = await answer;
    expect(status, JSON.stringify(json)).to.equal(200);
    return json;
  }
  const post = (body: object, who = alice) => ok(who.post<Status>('/api/v1/statuses', body));
  const edit = (id: string, body: object, who: Client = alice) =>
    who.put<Status>(`/api/v1/statuses/${id}`, body);
  const show = (id: string, who: Client = alice) => ok(who.get<Status>(`/api/v1/statuses/${id}`));
  const history = (id: string, who: Client = alice) =>
    ok(who.get<StatusEdit[]>(`/api/v1/statuses/${id}/history`));
  const upload = async (who = alice): Promise<string> =>
    (await ok(who.post<MediaAttachment>('/api/v2/media', uploadForm(await still('teal'))))).id;
  const mediaOf = ({ media_attachments: media }: { media_attachments: MediaAttachment[] }): string[] =>
    media.map(({ id }) => id);
  const isFree = async (id: string): Promise<boolean> =>
    (await alice.get(`/api/v1/media/${id}`)).status === 200;

  it('shows the new text, mentions, tags and the time of the edit immediately', async () => {
    const { id, edited_at } = await post({ status: 'Hello #old @alice' });
    expect(edited_at).to.equal(null);
    const edited = await ok(edit(id, { status: 'Hello #new @bob', language: 'de' }));
    expect(edited).to.include({ id, language: 'de' });
    expect(edited.content).to.contain('@<span>bob</span>').and.not.to.contain('old');
    expect(edited.tags.map(({ name }) => name)).to.deep.equal(['new']);
    expect(edited.mentions.map(({ acct }) => acct)).to.deep.equal(['bob']);
    expect(edited.edited_at).to.be.a('string');
    expect(await show(id)).to.deep.equal(edited);
    const tagged = async (tag: string) =>
      (await ok(bob.get<Status[]>(`/api/v1/timelines/tag/${tag}`))).length;
    expect([await tagged('old'), await tagged('new')]).to.deep.equal([0, 1]);
  });

  it('keeps an omitted language and clears other omitted fields', async () => {
    const { id } = await post({ status: 'stays', spoiler_text: 'careful', language: 'fr' });
    const edited = await ok(edit(id, { status: 'stays', sensitive: true }));
    expect(edited).to.include({ spoiler_text: '', sensitive: true, language: 'fr' });
    expect(edited.content).to.equal('<p>stays</p>');
    for (const body of [{}, { status: null }]) {
      const { status, json } = await edit(id, body);
      expect([status, json]).to.deep.equal([422, { error: "Validation failed: Text can't be blank" }]);
    }
  });

  it('records no edit when nothing changes', async () => {
    const { id } = await post({ status: 'as it is', spoiler_text: 'hm' });
    const before = await town.events();
    const same = await ok(edit(id, { status: 'as it is', spoiler_text: 'hm' }));
    expect(same.edited_at).to.equal(null);
    expect(await town.events()).to.equal(before);
    expect(await history(id)).to.have.length(1);
  });

  it('is open to the author only, and replies 404 to everyone else and for reblogs', async () => {
    const { id } = await post({ status: 'mine' });
    const reblog = await ok(bob.post<Status>(`/api/v1/statuses/${id}/reblog`));
    const absent = await edit('1', { status: 'x' }, bob);
    expect(absent.status).to.equal(404);
    for (const answer of [
      await edit(id, { status: 'x' }, bob),
      await edit(reblog.id, { status: 'x' }, bob),
    ]) {
      expect(answer).to.deep.equal(absent);
    }
    await alice.delete(`/api/v1/statuses/${id}`);
    expect(await edit(id, { status: 'x' })).to.deep.equal(absent);
    expect((await edit(id, { status: 'x' }, town.nobody)).status).to.equal(401);
    expect((await edit(id, { status: 'x' }, await alice.withScopes('read'))).status).to.equal(403);
  });

  it('keeps every version and shows them to everyone who can see the post', async () => {
    const first = await post({ status: 'one', visibility: 'private' });
    await bob.post(`/api/v1/accounts/${alice.id}/follow`);
    expect(await history(first.id)).to.deep.equal([
      {
        content: '<p>one</p>',
        spoiler_text: '',
        sensitive: false,
        created_at: first.created_at,
        account: (await show(first.id)).account,
        media_attachments: [],
        emojis: [],
      },
    ]);
    await ok(edit(first.id, { status: 'two', spoiler_text: 'now with a warning' }));
    const newest = await ok(
      edit(first.id, { status: 'two', poll: { options: ['a', 'b'], expires_in: 600 } }),
    );
    const versions = await history(first.id, bob);
    expect(versions.map(({ content }) => content)).to.deep.equal(['<p>one</p>', '<p>two</p>', '<p>two</p>']);
    expect(versions.map(({ spoiler_text }) => spoiler_text)).to.deep.equal(['', 'now with a warning', '']);
    expect(versions.map(({ sensitive }) => sensitive)).to.deep.equal([false, true, false]);
    expect(versions.map(({ poll }) => poll)).to.deep.equal([
      undefined,
      undefined,
      { options: [{ title: 'a' }, { title: 'b' }] },
    ]);
    expect(versions[2]?.created_at).to.equal(newest.edited_at);
    expect((await town.nobody.get(`/api/v1/statuses/${first.id}/history`)).status).to.equal(404);
    expect((await town.nobody.get('/api/v1/statuses/1/history')).status).to.equal(404);
  });

  it('shows the history of a public post to everyone, also by the id of a reblog', async () => {
    const { id } = await post({ status: 'before' });
    await ok(edit(id, { status: 'after' }));
    const reblog = await ok(bob.post<Status>(`/api/v1/statuses/${id}/reblog`));
    const versions = await history(reblog.id, town.nobody);
    expect(versions.map(({ content }) => content)).to.deep.equal(['<p>before</p>', '<p>after</p>']);
    expect(versions.map(({ account }) => account.id)).to.deep.equal([alice.id, alice.id]);
  });

  it('returns the source of visible posts to every token', async () => {
    const { id } = await post({ status: 'a **b** #c\n\nd', spoiler_text: 'w & v' });
    const path = `/api/v1/statuses/${id}/source`;
    const source: StatusSource = { id, text: 'a **b** #c\n\nd', spoiler_text: 'w & v' };
    for (const who of [alice, bob, await town.appOnly()]) {
      expect(await ok(who.get<StatusSource>(path))).to.deep.equal(source);
    }
    expect((await town.nobody.get(path)).status).to.equal(401);
    const hidden = await post({ status: '@alice secret', visibility: 'direct' });
    expect((await bob.get(`/api/v1/statuses/${hidden.id}/source`)).status).to.equal(404);
    await ok(edit(id, { status: 'new' }));
    expect((await ok(alice.get<StatusSource>(path))).text).to.equal('new');
  });

  it('resets the votes of a poll only when its question changes', async () => {
    const ask = (options: string[], rest = {}) => ({ poll: { options, expires_in: 3_600, ...rest } });
    const { id, poll } = await post({ status: 'well?', ...ask(['yes', 'no']) });
    await ok(bob.post<Poll>(`/api/v1/polls/${poll?.id}/votes`, { choices: [0] }));
    const same = await ok(edit(id, { status: 'well then?', ...ask(['yes', 'no'], { hide_totals: true }) }));
    expect(same.poll).to.include({ id: poll?.id, votes_count: 1 });
    expect(same.poll?.options.map((option) => option.votes_count)).to.deep.equal([null, null]);
    const other = await ok(edit(id, { status: 'well then?', ...ask(['yes', 'perhaps']) }));
    expect(other.poll).to.include({ id: poll?.id, votes_count: 0 });
    expect((await show(id, bob)).poll?.voted).to.equal(false);
    expect((await ok(edit(id, { status: 'no more' }))).poll).to.equal(null);
  });

  it('accepts votes under the same poll id after each change of the options', async () => {
    const ask = (...options: string[]) => ({ poll: { options, expires_in: 3_600 } });
    const { id, poll } = await post({ status: 'which?', ...ask('yes', 'no') });
    const path = `/api/v1/polls/${poll?.id}`;
    await ok(bob.post<Poll>(`${path}/votes`, { choices: [0] }));
    await ok(edit(id, { status: 'which?', ...ask('yes', 'perhaps') }));
    expect(await ok(bob.get<Poll>(path))).to.include({ voted: false, votes_count: 0 });
    expect(await ok(bob.post<Poll>(`${path}/votes`, { choices: [1] }))).to.deep.include({
      id: poll?.id,
      votes_count: 1,
      own_votes: [1],
    });
    const third = await ok(edit(id, { status: 'which?', ...ask('yes', 'no') }));
    expect(third.poll).to.deep.include({ id: poll?.id, votes_count: 0 });
    await ok(edit(id, { status: 'none' }));
    expect((await bob.get(path)).status).to.equal(404);
    const again = await ok(edit(id, { status: 'which?', ...ask('yes', 'no') }));
    expect(again.poll?.id).not.to.equal(poll?.id);
  });

  it('adds, keeps, describes and removes media, and frees the removed ones', async () => {
    const [one, two, three] = [await upload(), await upload(), await upload()];
    const { id } = await post({ status: 'pictures', media_ids: [one, two] });
    const attributes = [
      { id: two, description: 'Second', focus: '0.5,-0.5' },
      { id: one, description: 'not part of it any more' },
    ];
    const edited = await ok(edit(id, { media_ids: [three, two], media_attributes: attributes }));
    expect(mediaOf(edited)).to.deep.equal([three, two]);
    expect(edited.media_attachments[1]).to.deep.include({ description: 'Second' });
    expect(edited.media_attachments[1]?.meta?.focus).to.deep.equal({ x: 0.5, y: -0.5 });
    await town.waitUntilIdle();
    expect([await isFree(one), await isFree(two), await isFree(three)]).to.deep.equal([true, false, false]);
    expect((await ok(alice.get<MediaAttachment>(`/api/v1/media/${one}`))).description).to.equal(null);
    expect((await history(id)).map(mediaOf)).to.deep.equal([
      [one, two],
      [three, two],
    ]);
    const form = new URLSearchParams([
      ['status', 'by form'],
      ['media_ids[]', two],
      ['media_attributes[][id]', two],
      ['media_attributes[][description]', 'Again'],
    ]);
    expect((await ok(edit(id, form))).media_attachments[0]?.description).to.equal('Again');
    expect(mediaOf(await ok(edit(id, { status: 'no pictures' })))).to.deep.equal([]);
    await town.waitUntilIdle();
    expect([await isFree(two), await isFree(three)]).to.deep.equal([true, true]);
  });

  it('changes nothing when it is refused', async () => {
    const [own, other, free, foreign] = [await upload(), await upload(), await upload(), await upload(bob)];
    const { id } = await post({ status: 'as it was', media_ids: [own] });
    await post({ status: 'another', media_ids: [other] });
    const before = await show(id);
    const media_attributes = [{ id: own, description: 'changed?' }];
    const refused = [
      { media_ids: [own, free], status: 'x'.repeat(501), media_attributes },
      { media_ids: [own, free], poll: { options: ['a', 'b'], expires_in: 600 }, media_attributes },
      { media_ids: [free, other] },
      { media_ids: [free, foreign] },
      { media_ids: [free, 'nonsense'] },
      { media_ids: [own, free], media_attributes: [{ id: free, description: 'x'.repeat(10_001) }] },
      { media_ids: [own, free, other, foreign, '1'] },
      { status: '' },
      { poll: { options: ['one'], expires_in: 600 } },
    ];
    const events = await town.events();
    for (const body of refused) {
      expect((await edit(id, body)).status, JSON.stringify(body).slice(0, 200)).to.equal(422);
    }
    expect(await town.events()).to.equal(events);
    expect(await show(id)).to.deep.equal(before);
    expect(await isFree(free)).to.equal(true);
  });

  it('applies simultaneous edits one after the other', async () => {
    const [one, two] = [await upload(), await upload()];
    const { id } = await post({ status: 'start', media_ids: [one] });
    const bodies = [
      { status: 'a', media_ids: [one] },
      { status: 'b' },
      { status: 'c', media_ids: [two] },
      { spoiler_text: 'd', media_ids: [one, two] },
    ];
    const answers = await Promise.all(bodies.map((body) => edit(id, body)));
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
    await town.waitUntilIdle();
    const versions = await history(id);
    expect(versions).to.have.length(5);
    const now = await show(id);
    expect(versions.at(-1)).to.include({ content: now.content, spoiler_text: now.spoiler_text });
    const attached = mediaOf(now);
    for (const media of [one, two]) expect(await isFree(media)).to.equal(!attached.includes(media));
  });

  it('repairs uploads that an interrupted edit left in the wrong state', async () => {
    const [kept, dropped] = [await upload(), await upload()];
    const { id } = await post({ status: 'pictures', media_ids: [kept, dropped] });
    await ok(edit(id, { media_ids: [kept] }));
    await town.waitUntilIdle();
    const edited = (await town.app.log.readStream(`status-${id}`)).at(-1)?.data as { edit_id: string };
    await releaseMedia(town.app.systemContext('spec'), [kept], id);
    await reattachMedia(town.app.systemContext('spec'), [dropped], { accountId: alice.id, statusId: id });
    await attachOrReleaseMedia(town.app.systemContext('spec'), id, edited.edit_id);
    await town.waitUntilIdle();
    expect([await isFree(kept), await isFree(dropped)]).to.deep.equal([false, true]);
  });

  it("changes the matches of viewers' filters", async () => {
    await ok(
      bob.post<FullFilter>('/api/v2/filters', {
        title: 'Birds',
        context: ['home'],
        keywords_attributes: [{ keyword: 'rook' }],
      }),
    );
    const { id } = await post({ status: 'nothing to see' });
    const found = async (): Promise<number | undefined> => (await show(id, bob)).filtered?.length;
    expect(await found()).to.equal(0);
    await ok(edit(id, { status: 'a rook' }));
    expect(await found()).to.equal(1);
    await ok(edit(id, { status: 'a crow', poll: { options: ['rook', 'crow'], expires_in: 600 } }));
    expect(await found()).to.equal(1);
    await ok(edit(id, { status: 'a crow' }));
    expect(await found()).to.equal(0);
  });
});
