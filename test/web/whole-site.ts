import { takeAction } from '#commands/accounts/index.ts';
import { createAnnouncement } from '#commands/announcements/index.ts';
import { beginImport } from '#commands/imports/index.ts';
import { addRule, publishTerms } from '#commands/instance/index.ts';
import type { Conversation, Filter, NotificationRequest } from '#mastodon/schemas/index.ts';
import { rank } from '#reactors/rankings.ts';
import { ok, type Person, type Town } from '../support/people.ts';
import { letFollow, remoteAccount } from '../support/remote.ts';
import { picture, uploadForm } from '../support/uploads.ts';
import { follow, giveCard, list, post, reblog, type WithId } from '../timelines/support.ts';

/** The addresses of a user's things that pages are about. */
export interface Things {
  list: string;
  filter: string;
  conversation: string;
  scheduled: string;
  /** A request of filtered notifications. */
  request: string;
  strike: string;
  import: string;
  /** The user's own post, which was edited. */
  post: string;
  /** A post that quotes it. */
  quote: string;
}

export interface WholeSite {
  /** The owner of the server, whose pages are looked at. */
  alice: Person;
  bob: Person;
  /** Bob's post with a thread. */
  root: string;
  collection: string;
  mine: Things;
  /** Things of carol, none of which alice may see. */
  theirs: Things;
}

export const ARABIC = 'أهلا وسهلا بكم في هذا المكان';
export const NEWS = 'https://news.example/rooks';
export const TERMS = '2999-01-01';

/** Fills a server, so that every page of the web client has something to show. */
export async function fillSite(town: Town): Promise<WholeSite> {
  const alice = await town.staff('alice', 'Owner');
  const bob = await town.person('bob', { display_name: 'بوب الغراب', discoverable: true });
  const [carol, dan, erin] = await Promise.all([
    town.person('carol'),
    town.person('dan'),
    town.person('erin', { discoverable: true }),
  ]);
  await follow(alice, bob);
  await follow(bob, alice);
  await follow(carol, dan);
  await follow(dan, carol);
  const root = await fillTimelines({ alice, bob });
  const mine = await fillOwn(town, { owner: alice, friend: bob, stranger: dan, visibility: 'public' });
  const theirs = await fillOwn(town, { owner: carol, friend: dan, stranger: erin, visibility: 'direct' });
  const collection = await fillServer(town, { alice, bob, erin, root });
  await fillRelations(town, { alice, carol });
  await town.waitUntilIdle();
  return { alice, bob, root, collection, mine, theirs };
}

const upload = async (person: Person): Promise<string> => {
  const form = uploadForm(await picture(600, 400), { description: 'A gradient' }, { type: 'image/jpeg' });
  return (await ok(person.post<WithId>('/api/v2/media', form))).id;
};

/** @returns the id of bob's post with a thread */
async function fillTimelines({ alice, bob }: Record<'alice' | 'bob', Person>): Promise<string> {
  const root = await post(bob, 'A post about #rooks');
  let parent = root;
  for (const n of [1, 2, 3]) {
    parent = await post(n % 2 ? alice : bob, `reply ${n}`, { in_reply_to_id: parent, visibility: 'public' });
  }
  await post(bob, ARABIC, { language: 'ar' });
  await post(bob, 'Pictures', { media_ids: [await upload(bob), await upload(bob), await upload(bob)] });
  await post(bob, 'The end', { spoiler_text: 'A film', sensitive: true, media_ids: [await upload(bob)] });
  await post(bob, 'Which bird?', { poll: { options: ['Rook', 'Crow'], expires_in: 3_600 } });
  await post(
    bob,
    'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(2),
  );
  await post(bob, '@alice do you see the rooks?');
  await ok(bob.post('/api/v1/featured_tags', { name: 'rooks' }));
  await ok(alice.post('/api/v1/tags/rooks/follow'));
  for (const act of ['favourite', 'bookmark', 'reblog'])
    await ok(alice.post(`/api/v1/statuses/${root}/${act}`));
  return root;
}

interface Circle {
  owner: Person;
  friend: Person;
  /** Not followed by the owner. */
  stranger: Person;
  visibility: string;
}

async function fillOwn(town: Town, { owner, friend, stranger, visibility }: Circle): Promise<Things> {
  const own = await post(owner, `My own post, says @${owner.username}`, { visibility });
  const isOpen = visibility === 'public';
  const edited = isOpen ? 'My own post, edited' : `My own post, edited by @${owner.username}`;
  await ok(owner.put(`/api/v1/statuses/${own}`, { status: edited }));
  await town.waitUntilIdle();
  const quote = isOpen ? await post(friend, 'Quoting', { quoted_status_id: own }) : own;
  if (isOpen) await ok(friend.post(`/api/v1/statuses/${own}/favourite`));
  if (isOpen) await reblog(friend, own);
  await post(friend, `@${owner.username} on Sunday?`, { visibility: 'direct' });
  await ok(owner.patch('/api/v2/notifications/policy', { for_not_following: 'filter' }));
  await town.waitUntilIdle();
  await post(stranger, `@${owner.username} who are you?`);
  const filter = await ok(
    owner.post<Filter>('/api/v2/filters', {
      title: 'Football',
      context: ['home'],
      keywords_attributes: [{ keyword: 'goal', whole_word: true }],
    }),
  );
  await ok(owner.post(`/api/v2/filters/${filter.id}/statuses`, { status_id: own }));
  const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
  const scheduled = await ok(
    owner.post<WithId>('/api/v1/statuses', { status: 'Tomorrow', scheduled_at: scheduledAt }),
  );
  await town.waitUntilIdle();
  const [conversation] = await ok(owner.get<Conversation[]>('/api/v1/conversations'));
  const [request] = await ok(owner.get<NotificationRequest[]>('/api/v1/notifications/requests'));
  return {
    list: await list(owner, { title: 'Birders' }, [friend]),
    filter: filter.id,
    conversation: conversation?.id ?? '',
    scheduled: scheduled.id,
    request: request?.id ?? '',
    strike: await strike(town, owner),
    import: await beginImport(town.app.systemContext('spec'), {
      account_id: owner.id,
      type: 'blocks',
      overwrite: false,
      file: Buffer.from('nobody'),
    }),
    post: own,
    quote,
  };
}

async function strike(town: Town, { id: accountId }: Person): Promise<string> {
  const operator = town.app.systemContext('spec');
  const id = operator.newId();
  const action = {
    id,
    action: 'none',
    text: 'Be kind',
    reportId: null,
    statusIds: [],
    notify: true,
  } as const;
  await takeAction(operator, accountId, action, undefined);
  return id;
}

interface Fans {
  alice: Person;
  bob: Person;
  erin: Person;
  root: string;
}

/** Announcements, rules, terms, trends. @returns the id of a collection */
async function fillServer(town: Town, { alice, bob, erin, root }: Fans): Promise<string> {
  // One context runs one command on a stream: it takes a second one for a repetition.
  const system = () => town.app.systemContext('spec');
  const moment = { starts_at: null, ends_at: null, all_day: false, scheduled_at: null };
  await createAnnouncement(system(), { text: 'We move on Sunday', ...moment });
  await addRule(system(), { text: 'Be kind', hint: '' });
  await publishTerms(system(), { text: 'Terms', effectiveDate: TERMS });
  const fans = [
    alice,
    erin,
    ...(await Promise.all(['fan1', 'fan2', 'fan3', 'fan4'].map((name) => town.person(name)))),
  ];
  for (const fan of fans) {
    await fan.post(`/api/v1/statuses/${root}/favourite`);
    await fan.post(`/api/v1/statuses/${root}/reblog`);
    await giveCard(town, await post(fan, 'Read this #magpies'), NEWS);
  }
  await town.waitUntilIdle();
  for (const kind of ['tags', 'statuses', 'links'] as const) {
    await rank(system(), kind);
    const waiting = await ok(alice.get<WithId[]>(`/api/v1/admin/trends/${kind}`));
    for (const { id } of waiting) await ok(alice.post(`/api/v1/admin/trends/${kind}/${id}/approve`));
  }
  const made = await ok(
    bob.post<{ collection: WithId }>('/api/v1/collections', { name: 'Rook people', discoverable: true }),
  );
  return made.collection.id;
}

async function fillRelations(town: Town, { alice, carol }: Record<'alice' | 'carol', Person>): Promise<void> {
  const far = await remoteAccount(town.app, 'far', 'far.example');
  await letFollow(town.app, far, alice.id);
  await ok(alice.patch('/api/v1/accounts/update_credentials', { locked: true }));
  await town.waitUntilIdle();
  await follow(carol, alice);
  const [blocked, muted] = [await town.person('blocked'), await town.person('muted')];
  await ok(alice.post(`/api/v1/accounts/${blocked.id}/block`));
  await ok(alice.post(`/api/v1/accounts/${muted.id}/mute`, { duration: 3_600 }));
  await ok(alice.post('/api/v1/domain_blocks', { domain: 'spam.example' }));
}
