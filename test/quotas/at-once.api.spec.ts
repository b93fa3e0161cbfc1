import { expect } from 'chai';
import { createAnnouncement } from '#commands/announcements/index.ts';
import { MAX_FILTERS, MAX_KEYWORDS } from '#commands/filters/quota.ts';
import { MAX_MEMBERS } from '#commands/lists/add-accounts.ts';
import { MAX_LISTS } from '#commands/lists/create.ts';
import { list } from '#commands/lists/list.ts';
import { followLimit, relationship } from '#commands/relationships/index.ts';
import { scheduledStatus } from '#commands/scheduled-statuses/index.ts';
import { MAX_REACTIONS } from '#events/announcements.ts';
import { type ListEvent, listStream } from '#events/lists.ts';
import { quotaStream } from '#events/quotas.ts';
import { type RelationshipEvent, relationshipStream } from '#events/relationships.ts';
import { type ScheduledStatusEvent, scheduledStatusStream } from '#events/scheduled-statuses.ts';
import { MAX_COLLECTIONS, MAX_FEATURED_TAGS, MAX_PINNED } from '#mastodon/limits.ts';
import { type Answer, describeTown, type Person, type Town } from '../support/people.ts';

interface WithId {
  id: string;
}

/** Sends twice as many concurrent requests as there are places. Exactly as many as there are places succeed. */
describeTown('Limits under concurrent requests', function (town) {
  this.timeout(60_000);
  let people: Person[];
  before(async () => {
    people = await Promise.all(Array.from({ length: 20 }, (_, n) => town.person(`followed_${n}`)));
  });

  it('apply to lists', async () => {
    const alice = await town.person('alice_lists');
    const answers = await atOnce(2 * MAX_LISTS, (n) => alice.post('/api/v1/lists', { title: `list ${n}` }));
    expectExactly(answers, MAX_LISTS);
    const { json } = await alice.get<WithId[]>('/api/v1/lists');
    expect(json).to.have.length(MAX_LISTS);
    // A released place can be taken again.
    await alice.delete(`/api/v1/lists/${json[0]?.id ?? ''}`);
    expectExactly(await atOnce(2, () => alice.post('/api/v1/lists', { title: 'again' })), 1);
  });

  it('apply to pinned posts', async () => {
    const alice = await town.person('alice_pins');
    const posts = await Promise.all(
      Array.from({ length: 2 * MAX_PINNED }, (_, n) => post(alice, { status: `post ${n}` })),
    );
    expectExactly(
      await atOnce(posts.length, (n) => alice.post(`/api/v1/statuses/${posts[n]?.id ?? ''}/pin`)),
      MAX_PINNED,
    );
    const { json } = await alice.get<WithId[]>(`/api/v1/accounts/${alice.id}/statuses?pinned=true`);
    expect(json).to.have.length(MAX_PINNED);
    // The same post twice takes one place.
    await alice.post(`/api/v1/statuses/${json[0]?.id ?? ''}/unpin`);
    const again = await atOnce(4, () => alice.post(`/api/v1/statuses/${json[0]?.id ?? ''}/pin`));
    expect(again.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
    await alice.delete(`/api/v1/statuses/${json[0]?.id ?? ''}`);
    const other = posts.find(({ id }) => json.every((each) => each.id !== id));
    expect((await alice.post(`/api/v1/statuses/${other?.id ?? ''}/pin`)).status).to.equal(200);
  });

  it('apply to collections', async () => {
    const alice = await town.person('alice_collections');
    const answers = await atOnce(2 * MAX_COLLECTIONS, (n) =>
      alice.post('/api/v1/collections', { name: `collection ${n}` }),
    );
    expectExactly(answers, MAX_COLLECTIONS);
  });

  it('apply to featured hashtags', async () => {
    const alice = await town.person('alice_tags');
    const answers = await atOnce(2 * MAX_FEATURED_TAGS, (n) =>
      alice.post('/api/v1/featured_tags', { name: `tag${n}` }),
    );
    expectExactly(answers, MAX_FEATURED_TAGS);
  });

  it('apply to filters, however they are created', async () => {
    const alice = await town.person('alice_filters');
    const answers = await atOnce(2 * MAX_FILTERS, (n) =>
      n % 2 === 0
        ? alice.post('/api/v2/filters', { title: `filter ${n}`, context: ['home'] })
        : alice.post('/api/v1/filters', { phrase: `word ${n}`, context: ['home'] }),
    );
    expectExactly(answers, MAX_FILTERS);
    expect((await alice.get<WithId[]>('/api/v2/filters')).json).to.have.length(MAX_FILTERS);
  });

  it('apply to the keywords of all filters together', async () => {
    const alice = await town.person('alice_keywords');
    const words = (count: number) => Array.from({ length: count }, (_, n) => ({ keyword: `word ${n}` }));
    const filters = await Promise.all(
      [600, MAX_KEYWORDS - 620].map(async (count) => {
        const { json } = await alice.post<WithId>('/api/v2/filters', {
          title: 'words',
          context: ['home'],
          keywords_attributes: words(count),
        });
        return json.id;
      }),
    );
    const answers = await atOnce(40, (n) =>
      alice.post(`/api/v2/filters/${filters[n % 2] ?? ''}/keywords`, { keyword: `more ${n}` }),
    );
    expectExactly(answers, 20);
    const { json } = await alice.get<{ keywords: unknown[] }[]>('/api/v2/filters');
    expect(json.flatMap(({ keywords }) => keywords)).to.have.length(MAX_KEYWORDS);
  });

  it('apply to scheduled posts of one day, also to moved ones', async () => {
    const alice = await town.person('alice_a_day');
    const answers = await atOnce(50, (n) => schedule(alice, dayAhead(3), n));
    expectExactly(answers, 25);
    const elsewhere = await Promise.all(
      Array.from({ length: 10 }, (_, n) => schedule(alice, dayAhead(9), n)),
    );
    const waiting = await alice.get<WithId[]>('/api/v1/scheduled_statuses?limit=40');
    const ofDay = waiting.json.filter(({ id }) => elsewhere.every(({ json }) => json.id !== id));
    await Promise.all(ofDay.slice(0, 5).map(({ id }) => alice.delete(`/api/v1/scheduled_statuses/${id}`)));
    const moved = await atOnce(10, (n) =>
      alice.put(`/api/v1/scheduled_statuses/${elsewhere[n]?.json.id ?? ''}`, { scheduled_at: dayAhead(3) }),
    );
    expectExactly(moved, 5);
  });

  it('apply to all scheduled posts', async () => {
    const alice = await town.person('alice_scheduled');
    await scheduleMany(town, alice, 280);
    const answers = await atOnce(40, (n) => schedule(alice, dayAhead(2 + (n % 10)), n));
    expectExactly(answers, 20);
  });

  it('apply to the different reactions to an announcement', async () => {
    const staff = await town.staff('owner_reactions', 'Owner');
    const id = await createAnnouncement(town.app.systemContext('spec'), {
      text: 'We move tonight',
      starts_at: null,
      ends_at: null,
      all_day: false,
      scheduled_at: null,
    });
    await town.waitUntilIdle();
    const emojis = [...'😀😁😂😃😄😅😆😇😈😉😊😋😌😍😎😏'];
    expect(emojis).to.have.length(2 * MAX_REACTIONS);
    const react = (emoji: string) => () =>
      staff.put(`/api/v1/announcements/${id}/reactions/${encodeURIComponent(emoji)}`);
    const answers = await Promise.all(emojis.map((emoji) => react(emoji)()));
    expectExactly(answers, MAX_REACTIONS);
    const taken = emojis[answers.findIndex(({ status }) => status === 200)] ?? '';
    const other = emojis[answers.findIndex(({ status }) => status === 422)] ?? '';
    await staff.delete(`/api/v1/announcements/${id}/reactions/${encodeURIComponent(taken)}`);
    expect((await react(other)()).status).to.equal(200);
  });

  it('apply to follows', async () => {
    const alice = await town.person('alice_follows');
    await followMany(town, alice, followLimit(0) - 10);
    const follow = (id: string) => alice.post(`/api/v1/accounts/${id}/follow`);
    const followed = await atOnce(20, (n) => follow(people[n]?.id ?? ''));
    expectExactly(followed, 10);
    // An account that is already followed takes no further place.
    const known = people.find((_, n) => followed[n]?.status === 200);
    expect((await follow(known?.id ?? '')).status).to.equal(200);
  });

  it('apply to the members of one list', async () => {
    const alice = await town.person('alice_members');
    await Promise.all(people.map(({ id }) => alice.post(`/api/v1/accounts/${id}/follow`)));
    const { json } = await alice.post<WithId>('/api/v1/lists', { title: 'everybody' });
    const members = await followMany(town, alice, MAX_MEMBERS - 10);
    await town.app
      .systemContext('spec')
      .execute(listStream(json.id), list, (): ListEvent[] => [
        { type: 'ListAccountsAdded', data: { list_id: json.id, account_id: alice.id, members } },
      ]);
    await town.waitUntilIdle();
    const answers = await atOnce(20, (n) =>
      alice.post(`/api/v1/lists/${json.id}/accounts`, { account_ids: [people[n]?.id] }),
    );
    expectExactly(answers, 10);
  });

  it('store nothing for a request that is refused for another reason', async () => {
    const alice = await town.person('alice_refused');
    const before = await town.events();
    expect((await alice.post('/api/v1/lists', { title: '' })).status).to.equal(422);
    expect((await alice.post('/api/v2/filters', { title: 'x', context: [] })).status).to.equal(422);
    expect(await town.events()).to.equal(before);
  });

  it('leave no claim behind', async () => {
    const alice = await town.person('alice_claims');
    const month = new Date().toISOString().slice(0, 7);
    await atOnce(3, (n) => alice.post('/api/v1/lists', { title: `list ${n}` }));
    const events = await town.app.log.readStream(quotaStream('lists', alice.id, month));
    const types = events.map(({ type }) => type).filter((type) => type !== 'QuotaClosed');
    expect(types.filter((type) => type === 'QuotaClaimed')).to.have.length(3);
    expect(types.filter((type) => type === 'QuotaReleased')).to.have.length(3);
  });
});

const atOnce = <Json>(count: number, work: (n: number) => Promise<Answer<Json>>): Promise<Answer<Json>[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)));

/** Expects that all other requests are refused because of the limit. */
function expectExactly(answers: readonly Answer<unknown>[], successes: number): void {
  const numbers = answers.map(({ status }) => status).sort((a, b) => a - b);
  const expected = [
    ...Array.from({ length: successes }, () => 200),
    ...Array.from({ length: answers.length - successes }, () => 422),
  ];
  expect(numbers).to.deep.equal(expected);
}

const post = async (by: Person, body: object): Promise<WithId> =>
  (await by.post<WithId>('/api/v1/statuses', body)).json;

const schedule = (by: Person, scheduled_at: string, n: number): Promise<Answer<WithId>> =>
  by.post<WithId>('/api/v1/statuses', { status: `later ${n}`, scheduled_at });

/** Follows of accounts that only the log knows. @returns the accounts and the follows */
async function followMany(
  town: Town,
  follower: Person,
  count: number,
): Promise<{ account_id: string; follow_id: string }[]> {
  const ids = Array.from({ length: count }, (_, n) => String(1_000 + n));
  const ctx = town.app.systemContext('spec');
  const settings = { reblogs: true, notify: false, languages: null };
  await Promise.all(
    ids.map((id) =>
      ctx.execute(
        relationshipStream(follower.id, id),
        relationship,
        (): RelationshipEvent[] => [
          {
            type: 'AccountFollowed',
            data: { id: `5${id}`, account_id: follower.id, target_account_id: id, ...settings },
          },
        ],
        { isNew: true },
      ),
    ),
  );
  await town.waitUntilIdle();
  return ids.map((id) => ({ account_id: id, follow_id: `5${id}` }));
}

/** Scheduled posts long after those of `dayAhead`, twenty for each day. */
async function scheduleMany(town: Town, author: Person, count: number): Promise<void> {
  const ctx = town.app.systemContext('spec');
  const params = {
    text: 'later',
    spoiler_text: null,
    sensitive: null,
    visibility: null,
    language: null,
    in_reply_to_id: null,
    poll: null,
    quoted_status_id: null,
    quote_approval_policy: null,
    allowed_mentions: null,
  };
  await Promise.all(
    Array.from({ length: count }, (_, n) => {
      const id = String(7_000 + n);
      const data = { id, account_id: author.id, application_id: '1', params, media: [] };
      const scheduled_at = dayAhead(100 + Math.floor(n / 20));
      return ctx.execute(
        scheduledStatusStream(id),
        scheduledStatus,
        (): ScheduledStatusEvent[] => [{ type: 'StatusScheduled', data: { ...data, scheduled_at } }],
        { isNew: true },
      );
    }),
  );
  await town.waitUntilIdle();
}

/** All requests use the same moment, because days are counted from it. */
const NOW = Date.now();

/** Noon of a future day, ISO 8601. */
function dayAhead(days: number): string {
  const day = new Date(NOW + days * 86_400_000).toISOString().slice(0, 10);
  return `${day}T12:00:00.000Z`;
}
