import { expect } from 'chai';
import {
  type AnnouncementInput,
  createAnnouncement,
  deleteAnnouncement,
  publishAnnouncement,
  unpublishAnnouncement,
  updateAnnouncement,
} from '#commands/announcements/index.ts';
import { deleteEmoji, importEmoji } from '#commands/custom-emojis/index.ts';
import { type Announcement, announcementSchema } from '#mastodon/schemas/index.ts';
import { announcementReactionText, announcementText } from '#queries/announcements/index.ts';
import { eventually } from '../support/eventually.ts';
import { type Client, describeTown, type Person } from '../support/people.ts';
import { still } from '../support/pictures.ts';

const PLAIN: Omit<AnnouncementInput, 'text'> = {
  starts_at: null,
  ends_at: null,
  all_day: false,
  scheduled_at: null,
};

describeTown('Announcements', function (town) {
  this.timeout(60_000);
  let alice: Person;
  let bob: Person;

  before(async () => {
    alice = await town.person('alice');
    bob = await town.person('bob');
    const data = await still('red');
    await importEmoji(
      staff(),
      { shortcode: 'blobcat', data, category: null, visible_in_picker: true },
      { overwrite: false },
    );
    await eventually(() => expect(town.app.instance.emojis.json('blobcat')).to.be.a('string'));
  });

  const staff = () => town.app.systemContext('spec');
  const announce = async (
    text: string,
    more: Partial<AnnouncementInput> = {},
    options: { draft?: boolean } = {},
  ): Promise<string> => {
    const id = await createAnnouncement(staff(), { text, ...PLAIN, ...more }, options);
    await town.waitUntilIdle();
    return id;
  };
  const list = async (person: Client, query = ''): Promise<Announcement[]> =>
    (await person.get<Announcement[]>(`/api/v1/announcements${query}`)).json;
  const seenBy = async (person: Client, id: string): Promise<Announcement | undefined> =>
    (await list(person, '?with_dismissed=true')).find((each) => each.id === id);
  const reactionPath = (id: string, name: string): string =>
    `/api/v1/announcements/${id}/reactions/${encodeURIComponent(name)}`;

  it('show only the dates of all-day announcements', async () => {
    const at = (day: number): string => `2099-01-0${day}T12:30:00.000Z`;
    const id = await announce('Days off', { all_day: true, starts_at: at(1), ends_at: at(3) });
    await town.waitUntilIdle();
    expect(await seenBy(alice, id)).to.deep.include({
      all_day: true,
      starts_at: '2099-01-01T00:00:00.000Z',
      ends_at: '2099-01-03T00:00:00.000Z',
    });
    await unpublishAnnouncement(staff(), id);
    await town.waitUntilIdle();
  });

  it('are shown to users while they are published', async () => {
    const id = await announce('Hello\n\nall', {}, { draft: true });
    expect(await seenBy(alice, id)).to.equal(undefined);
    await publishAnnouncement(staff(), id);
    await town.waitUntilIdle();
    expect(await seenBy(alice, id)).to.deep.include({
      content: '<p>Hello</p><p>all</p>',
      starts_at: null,
      ends_at: null,
      all_day: false,
      read: false,
      mentions: [],
      statuses: [],
      tags: [],
      emojis: [],
      reactions: [],
    });
    await unpublishAnnouncement(staff(), id);
    await town.waitUntilIdle();
    expect(await seenBy(alice, id)).to.equal(undefined);
    expect((await alice.post(`/api/v1/announcements/${id}/dismiss`)).status).to.equal(404);
    expect((await alice.put(reactionPath(id, '🎉'))).status).to.equal(404);
  });

  it('list their mentions, tags, emojis and links, and the posts that the reader may see', async () => {
    const post = async (visibility: string): Promise<{ id: string; url: string }> =>
      (await bob.post<{ id: string; url: string }>('/api/v1/statuses', { status: visibility, visibility }))
        .json;
    const open = await post('public');
    const hidden = await post('private');
    await town.waitUntilIdle();
    const text = `:blobcat: @alice and @nobody, see #Release_1 ${open.url} ${hidden.url} https://joinmastodon.org`;
    const id = await announce(text);
    const shown = await seenBy(alice, id);
    expect(shown?.mentions).to.deep.equal([
      { id: alice.id, username: 'alice', acct: 'alice', url: 'https://rookery.example/@alice' },
    ]);
    expect(shown?.tags).to.deep.equal([{ name: 'release_1', url: 'https://rookery.example/tags/release_1' }]);
    expect(shown?.emojis.map(({ shortcode }) => shortcode)).to.deep.equal(['blobcat']);
    expect(shown?.content).to.include('href="https://joinmastodon.org"');
    expect(shown?.statuses).to.deep.equal([{ id: open.id, url: open.url }]);
    expect((await seenBy(bob, id))?.statuses.map((each) => each.id)).to.deep.equal([open.id, hidden.id]);
    await bob.delete(`/api/v1/statuses/${open.id}`);
    await town.waitUntilIdle();
    expect((await seenBy(alice, id))?.statuses).to.deep.equal([]);
    await deleteAnnouncement(staff(), id);
  });

  it('are dismissed for good by each reader, and a second time without an error', async () => {
    const id = await announce('Read me');
    for (let time = 0; time < 2; time += 1) {
      const { status, json } = await alice.post(`/api/v1/announcements/${id}/dismiss`);
      expect([status, json]).to.deep.equal([200, {}]);
    }
    expect((await list(alice)).find((each) => each.id === id)).to.include({ read: true });
    expect(await seenBy(alice, id)).to.include({ read: true });
    expect((await list(alice, '?with_dismissed=false')).map((each) => each.id)).to.not.include(id);
    expect((await list(bob)).find((each) => each.id === id)).to.include({ read: false });
    await updateAnnouncement(staff(), { id, text: 'Read me again' });
    await town.waitUntilIdle();
    expect(await seenBy(alice, id)).to.include({ read: true, content: '<p>Read me again</p>' });
  });

  it('accept reactions with standard and custom emojis', async () => {
    const id = await announce('What do you think?');
    expect((await alice.put(reactionPath(id, '❤'))).json).to.deep.equal({});
    expect((await bob.put(reactionPath(id, 'blobcat'))).status).to.equal(200);
    expect((await bob.put(reactionPath(id, '❤️'))).status).to.equal(200);
    expect((await bob.put(reactionPath(id, '❤️'))).status).to.equal(200);
    const [heart, blobcat, ...others] = (await seenBy(alice, id))?.reactions ?? [];
    expect(others).to.deep.equal([]);
    expect(heart).to.deep.equal({ name: '❤️', count: 2, me: true });
    expect(blobcat).to.include({ name: 'blobcat', count: 1, me: false });
    expect(blobcat?.url).to.match(/^https:\/\/rookery\.example\/media\//);
    expect(blobcat?.static_url).to.be.a('string');
    expect((await alice.delete(reactionPath(id, '❤️'))).json).to.deep.equal({});
    expect((await alice.delete(reactionPath(id, '❤️'))).status).to.equal(200);
    const left = (await seenBy(alice, id))?.reactions ?? [];
    expect(left.map(({ name, count, me }) => [name, count, me])).to.deep.equal([
      ['❤️', 1, false],
      ['blobcat', 1, false],
    ]);
  });

  it('refuse unknown emojis and more than eight different ones', async () => {
    const id = await announce('Not that much');
    for (const name of ['nonsense', 'x', '🎉🎉', ':blobcat:']) {
      for (const attempt of [alice.put(reactionPath(id, name)), alice.delete(reactionPath(id, name))]) {
        const { status, json } = await attempt;
        expect([status, json], name).to.deep.equal([
          422,
          { error: 'Validation failed: Name is not a recognized emoji' },
        ]);
      }
    }
    for (const name of ['😀', '😁', '😂', '🤣', '😃', '😄', '😅', '😆']) {
      expect((await alice.put(reactionPath(id, name))).status).to.equal(200);
    }
    expect((await bob.put(reactionPath(id, '😀'))).status).to.equal(200);
    const ninth = await bob.put(reactionPath(id, '😇'));
    expect([ninth.status, ninth.json]).to.deep.equal([
      422,
      { error: 'Validation failed: Limit of different reactions reached' },
    ]);
    expect((await alice.delete(reactionPath(id, '😆'))).status).to.equal(200);
    expect((await bob.put(reactionPath(id, '😇'))).status).to.equal(200);
  });

  it('require a user with the scope and an existing announcement', async () => {
    const id = await announce('Who is there?');
    expect((await town.nobody.get('/api/v1/announcements')).status).to.equal(422);
    expect((await (await town.appOnly()).get('/api/v1/announcements')).status).to.equal(422);
    const reader = await alice.withScopes('read');
    expect((await reader.get('/api/v1/announcements')).status).to.equal(200);
    expect((await reader.post(`/api/v1/announcements/${id}/dismiss`)).status).to.equal(403);
    expect((await reader.put(reactionPath(id, '🎉'))).status).to.equal(403);
    expect((await reader.delete(reactionPath(id, '🎉'))).status).to.equal(403);
    for (const unknown of ['1', 'x', '99999999999999999999']) {
      expect((await alice.post(`/api/v1/announcements/${unknown}/dismiss`)).status).to.equal(404);
      expect((await alice.put(reactionPath(unknown, '🎉'))).status).to.equal(404);
      expect((await alice.delete(reactionPath(unknown, '🎉'))).status).to.equal(404);
    }
  });

  it('are published at the scheduled time and unpublished at their end', async () => {
    const soon = new Date(Date.now() + 150).toISOString();
    const id = await announce('Soon', { scheduled_at: soon });
    await eventually(async () => expect(await seenBy(alice, id)).to.include({ content: '<p>Soon</p>' }));
    expect(Date.parse((await seenBy(alice, id))?.published_at ?? '')).to.be.at.least(Date.parse(soon));
    const end = new Date(Date.now() + 150).toISOString();
    await updateAnnouncement(staff(), { id, ends_at: end });
    await eventually(async () => expect(await seenBy(alice, id)).to.equal(undefined));
    expect(Date.now()).to.be.at.least(Date.parse(end));
  });

  it('are rendered for streams, and no longer once they are deleted', async () => {
    const id = await announce('Live');
    await alice.put(reactionPath(id, '🎉'));
    await town.waitUntilIdle();
    const { db, instance } = town.app;
    const everybody = JSON.parse((await announcementText(db, instance, id)) ?? '') as Announcement;
    announcementSchema.parse(everybody);
    expect(everybody).to.not.have.property('read');
    expect(everybody.reactions).to.deep.equal([{ name: '🎉', count: 1 }]);
    const own = JSON.parse((await announcementText(db, instance, id, alice.id)) ?? '') as Announcement;
    expect([own.read, own.reactions[0]?.me]).to.deep.equal([false, true]);
    const reaction = (name: string) => announcementReactionText(db, instance, { announcementId: id, name });
    expect(await reaction('🎉')).to.equal(`{"name":"🎉","count":1,"announcement_id":"${id}"}`);
    expect(await reaction('😀')).to.equal(`{"name":"😀","count":0,"announcement_id":"${id}"}`);

    const before = await town.events();
    await deleteAnnouncement(staff(), id);
    await town.waitUntilIdle();
    expect(await town.events()).to.equal(before + 1n);
    expect(await announcementText(db, instance, id)).to.equal(undefined);
    expect(await reaction('🎉')).to.equal(undefined);
  });

  it('keep the reaction with a deleted emoji under its name until it is removed', async () => {
    const id = await announce('Farewell');
    await alice.put(reactionPath(id, 'blobcat'));
    await deleteEmoji(staff(), 'blobcat');
    await eventually(() => expect(town.app.instance.emojis.json('blobcat')).to.equal(undefined));
    expect((await seenBy(alice, id))?.reactions).to.deep.equal([{ name: 'blobcat', count: 1, me: true }]);
    expect((await bob.put(reactionPath(id, 'blobcat'))).status).to.equal(422);
    expect((await alice.delete(reactionPath(id, 'blobcat'))).status).to.equal(200);
    expect((await seenBy(alice, id))?.reactions).to.deep.equal([]);
  });
});
