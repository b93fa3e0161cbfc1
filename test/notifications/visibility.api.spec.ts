import { expect } from 'chai';
import type { GroupedNotifications, NotificationRequest, Status } from '#mastodon/schemas/index.ts';
import { describeTown, type Person, type Town } from '../support/people.ts';
import { actsOf } from './support.ts';

/** Changes between a reader and an author that hide the author's posts in notifications. */
const BARRIERS = {
  'the reader blocks the author': (_town, acts, reader, author) =>
    acts.act(reader, `accounts/${author.id}/block`),
  'the author blocks the reader': (_town, acts, reader, author) =>
    acts.act(author, `accounts/${reader.id}/block`),
  'the reader mutes the author': (_town, acts, reader, author) =>
    acts.act(reader, `accounts/${author.id}/mute`),
  'the author is suspended': (town, _acts, _reader, author) => town.suspend(author),
  'the author deletes the post': (_town, acts, _reader, author, post) =>
    acts.ok(author.delete(`/api/v1/statuses/${post.id}`)),
} satisfies Record<
  string,
  (
    town: Town,
    acts: ReturnType<typeof actsOf>,
    reader: Person,
    author: Person,
    post: Status,
  ) => Promise<unknown>
>;
const VISIBILITIES = ['public', 'unlisted', 'private', 'direct'] as const;
const SECRET = 'xyzzy';

/** Every surface of notifications that can show a post. */
const surfaces = (id: string): string[] => [
  '/api/v1/notifications',
  '/api/v1/notifications?include_filtered=true',
  `/api/v1/notifications/${id}`,
  '/api/v1/notifications/unread_count',
  '/api/v1/notifications/requests',
  `/api/v1/notifications/requests/${id}`,
  '/api/v2/notifications',
  '/api/v2/notifications?include_filtered=true',
  '/api/v2/notifications?expand_accounts=partial_avatars',
  `/api/v2/notifications/ungrouped-${id}`,
  `/api/v2/notifications/ungrouped-${id}/accounts`,
  '/api/v2/notifications/unread_count',
  '/api/v2/notifications/policy',
];

describeTown('Posts in notifications', function (town) {
  this.timeout(60_000);
  let acts: ReturnType<typeof actsOf>;
  let people = 0;
  before(async function () {
    this.timeout(120_000);
    acts = actsOf(town);
  });

  const newPair = async (): Promise<[Person, Person]> => {
    people += 1;
    return [await town.person(`reader${people}`), await town.person(`author${people}`)];
  };
  /** Replies to the reader, without the part that names the requested post. */
  const seen = async (reader: Person, id: string): Promise<unknown[]> => {
    const replies = [];
    for (const path of surfaces(id)) {
      const { status, json, links } = await reader.get(path);
      replies.push([path.replaceAll(id, 'ID'), status, json, links]);
    }
    return replies;
  };

  for (const [name, put] of Object.entries(BARRIERS)) {
    for (const visibility of VISIBILITIES) {
      it(`show nothing of the ${visibility} post, like a missing one, when ${name}`, async () => {
        const [reader, author] = await newPair();
        const never = await seen(reader, '115500000000000000');
        const post = await acts.post(author, { status: `@${reader.username} ${SECRET}`, visibility });
        expect(JSON.stringify(await seen(reader, post.id))).to.contain(SECRET);
        await put(town, acts, reader, author, post);
        expect(await seen(reader, post.id)).to.deep.equal(never);
      });
    }
  }

  it('are hidden from other users', async () => {
    const [reader, author] = await newPair();
    const [stranger] = await newPair();
    const never = await seen(stranger, '115500000000000000');
    const post = await acts.post(author, { status: `@${reader.username} ${SECRET}`, visibility: 'direct' });
    expect(await seen(stranger, post.id)).to.deep.equal(never);
    expect(await seen(author, post.id)).to.deep.equal(never);
    for (const path of surfaces(post.id)) {
      const { status, json } = await town.nobody.get(path);
      expect([path, status], JSON.stringify(json)).to.deep.equal([path, 401]);
    }
  });

  it('are hidden from former followers when they were followers-only', async () => {
    const [reader, author] = await newPair();
    await acts.follow(reader, author, { notify: true });
    const never = await seen(reader, '115500000000000000');
    const post = await acts.post(author, { status: SECRET, visibility: 'private' });
    expect(JSON.stringify(await seen(reader, post.id))).to.contain(SECRET);
    await acts.act(reader, `accounts/${author.id}/unfollow`);
    expect(await seen(reader, post.id)).to.deep.equal(never);
  });

  it('hide a quoted post that the viewer may not see', async () => {
    const [reader, author] = await newPair();
    const [quoter] = await newPair();
    const post = await acts.post(author, { status: SECRET });
    await acts.post(quoter, { status: `@${reader.username} look`, quoted_status_id: post.id });
    const groups = (): Promise<GroupedNotifications> => acts.ok(reader.get('/api/v2/notifications'));
    expect(JSON.stringify(await groups())).to.contain(SECRET);
    await acts.act(author, `accounts/${reader.id}/block`);
    expect((await groups()).notification_groups).to.have.length(1);
    expect(JSON.stringify(await groups())).not.to.contain(SECRET);
    expect(JSON.stringify(await acts.list(reader))).not.to.contain(SECRET);
    const requests = await acts.ok<NotificationRequest[]>(reader.get('/api/v1/notifications/requests'));
    expect(requests).to.deep.equal([]);
  });
});
