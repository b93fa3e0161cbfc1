import { expect } from 'chai';
import { createAnnouncement } from '#commands/announcements/index.ts';
import { importEmoji } from '#commands/custom-emojis/index.ts';
import { recommendAccount } from '#commands/suggestions/index.ts';
import { PreviewCardAttached } from '#events/statuses.ts';
import type {
  Announcement,
  Collection,
  CredentialApplication,
  MediaAttachment,
  Status,
  Strike,
} from '#mastodon/schemas/index.ts';
import { actsOf } from '../notifications/support.ts';
import { eventually } from '../support/eventually.ts';
import type { Client, Person, Town } from '../support/people.ts';
import { still } from '../support/pictures.ts';
import { pushReceiver } from '../support/push-service.ts';
import { letFollow, remoteAccount } from '../support/remote.ts';
import { uploadForm } from '../support/uploads.ts';
import type { Entity } from './models/kinds.ts';

/** A reply and its request. */
export interface Sample {
  asked: string;
  reply: unknown;
}

/** Collects replies by entity, with posts, accounts and notifications that have every feature. */
export async function collectAnswers(town: Town): Promise<ReadonlyMap<Entity, readonly Sample[]>> {
  const samples = new Map<Entity, Sample[]>();
  const acts = actsOf(town);
  const keep = (entity: Entity, asked: string, ...replies: unknown[]): void => {
    samples.set(entity, [...(samples.get(entity) ?? []), ...replies.map((reply) => ({ asked, reply }))]);
  };
  const read = async (entity: Entity, who: Client, path: string): Promise<void> => {
    const reply = await acts.ok(who.get(path));
    keep(entity, `GET ${path}`, ...(Array.isArray(reply) ? reply : [reply]));
  };

  await addEmoji(town);
  const alice = await town.person('alice');
  const bob = await town.person('bob', { discoverable: true });
  const staff = await town.staff('mod', 'Admin');
  const profile = {
    display_name: 'Alice :rook:',
    note: 'Birds :rook:',
    discoverable: true,
    fields_attributes: [{ name: 'Web', value: 'https://alice.example' }],
  };
  keep(
    'Account',
    'PATCH update_credentials',
    await acts.ok(alice.patch('/api/v1/accounts/update_credentials', profile)),
  );

  const media = await acts.ok(
    alice.post<MediaAttachment>('/api/v2/media', uploadForm(await still('teal'), { description: 'Teal' })),
  );
  keep('MediaAttachment', 'POST /api/v2/media', media);
  await read('MediaAttachment', alice, `/api/v1/media/${media.id}`);
  const picture = await acts.post(alice, { status: '@bob look #rooks :rook:', media_ids: [media.id] });
  const poll = { options: ['yes', 'no'], expires_in: 3_600 };
  const asked = await acts.post(bob, { status: 'well?', poll, spoiler_text: 'a question', language: 'en' });
  const linked = await acts.post(bob, { status: 'https://news.example/rooks' });
  await acts.happen({
    type: 'PreviewCardAttached',
    data: { ...PreviewCardAttached.samples[1], id: linked.id, account_id: bob.id } as never,
  });
  const answer = await acts.post(bob, { status: '@alice nice', in_reply_to_id: picture.id });
  const quote = await acts.post(bob, { status: 'see', quoted_status_id: picture.id });
  await acts.follow(alice, bob, { notify: true });
  await acts.follow(bob, alice);
  for (const act of ['favourite', 'reblog', 'bookmark']) await acts.act(bob, `statuses/${picture.id}/${act}`);
  await acts.act(alice, `statuses/${asked.id}/reblog`);
  await acts.act(alice, `statuses/${picture.id}/pin`);
  await acts.ok(bob.put(`/api/v1/statuses/${asked.id}`, { status: 'well now?', poll }));
  await acts.post(bob, { status: 'alone with @alice', visibility: 'direct' });
  await acts.post(bob, { status: 'news' });

  keep('Filter', 'POST /api/v2/filters', await acts.ok(alice.post('/api/v2/filters', FILTER)));
  const list = await acts.act<{ id: string }>(alice, 'lists', { title: 'Birds' });
  await acts.act(alice, `lists/${list.id}/accounts`, { account_ids: [bob.id] });
  await acts.act(alice, 'tags/rooks/follow');
  await acts.act(alice, 'featured_tags', { name: 'rooks' });
  await acts.act(alice, 'markers', {
    home: { last_read_id: asked.id },
    notifications: { last_read_id: asked.id },
  });
  const { collection } = await acts.act<{ collection: Collection }>(alice, 'collections', {
    name: 'Birders',
    account_ids: [bob.id],
    tag_name: 'rooks',
  });
  keep('Collection', 'POST /api/v1/collections', { collection });
  await acts.ok(alice.patch(`/api/v1/collections/${collection.id}`, { name: 'Friends of rooks' }));
  keep(
    'ScheduledStatus',
    'POST /api/v1/statuses',
    await acts.post(alice, { status: 'later', scheduled_at: new Date(Date.now() + 7_200_000).toISOString() }),
  );
  await noticesFor(town, { bob, staff, alice });
  await acts.ok(alice.patch('/api/v2/notifications/policy', { for_not_following: 'filter' }));
  const stranger = await town.person('stranger');
  await acts.post(stranger, { status: '@alice hello' });

  const statuses: Status[] = [picture, asked, linked, answer, quote];
  for (const { id } of statuses) await read('Status', alice, `/api/v1/statuses/${id}`);
  await read('Status', town.nobody, `/api/v1/statuses/${picture.id}`);
  for (const path of ['timelines/home', 'timelines/public', 'timelines/tag/rooks', 'favourites', 'bookmarks'])
    await read('Status', path.endsWith('marks') || path === 'favourites' ? bob : alice, `/api/v1/${path}`);
  await read('Status', alice, `/api/v1/timelines/list/${list.id}`);
  await read('Status', alice, `/api/v1/accounts/${alice.id}/statuses?pinned=true`);
  await read('Context', alice, `/api/v1/statuses/${picture.id}/context`);
  await read('StatusEdit', alice, `/api/v1/statuses/${asked.id}/history`);
  await read('StatusSource', alice, `/api/v1/statuses/${picture.id}/source`);
  await read('Poll', alice, `/api/v1/polls/${asked.poll?.id ?? ''}`);
  for (const path of [
    'verify_credentials',
    bob.id,
    `${alice.id}/followers`,
    'lookup?acct=bob',
    'search?q=bob',
  ])
    await read('Account', alice, `/api/v1/accounts/${path}`);
  await read('Relationship', alice, `/api/v1/accounts/relationships?id[]=${bob.id}&id[]=${stranger.id}`);
  await read('FamiliarFollowers', alice, `/api/v1/accounts/familiar_followers?id[]=${bob.id}`);
  for (const who of [alice, bob, staff]) {
    await read('Notification', who, '/api/v1/notifications?limit=80');
    await read('GroupedNotifications', who, '/api/v2/notifications?limit=80&supported_types[]=mention');
    await read('GroupedNotifications', who, '/api/v2/notifications?expand_accounts=partial_avatars');
  }
  await read('NotificationRequest', alice, '/api/v1/notifications/requests');
  await read('NotificationPolicy', alice, '/api/v2/notifications/policy');
  await read('V1NotificationPolicy', alice, '/api/v1/notifications/policy');
  await read('Instance', town.nobody, '/api/v2/instance');
  await read('V1Instance', town.nobody, '/api/v1/instance');
  await read('CustomEmoji', alice, '/api/v1/custom_emojis');
  await read('List', alice, '/api/v1/lists');
  await read('Filter', alice, '/api/v2/filters');
  await read('V1Filter', alice, '/api/v1/filters');
  await read('Markers', alice, '/api/v1/markers?timeline[]=home&timeline[]=notifications');
  await read('Conversation', alice, '/api/v1/conversations');
  await read('ScheduledStatus', alice, '/api/v1/scheduled_statuses');
  await read('Search', alice, '/api/v2/search?q=rooks&resolve=true');
  await read('Suggestion', stranger, '/api/v2/suggestions');
  for (const path of ['tags/rooks', 'followed_tags']) await read('Tag', alice, `/api/v1/${path}`);
  await read('FeaturedTag', alice, '/api/v1/featured_tags');
  await read('Preferences', alice, '/api/v1/preferences');
  await read('Profile', alice, '/api/v1/profile');
  await read('Announcement', alice, '/api/v1/announcements');
  await read('Collections', bob, `/api/v1/accounts/${alice.id}/collections`);
  await read('CollectionWithAccounts', bob, `/api/v1/collections/${collection.id}`);

  const { keys } = pushReceiver();
  const subscription = { endpoint: 'https://push.example/a', keys };
  keep('WebPushSubscription', 'POST', await acts.act(alice, 'push/subscription', { subscription }));
  await registered(town.nobody, keep);
  keep(
    'DeletedStatus',
    'DELETE /api/v1/statuses/:id',
    await acts.ok(bob.delete(`/api/v1/statuses/${asked.id}`)),
  );
  return samples;
}

const FILTER = {
  title: 'birds',
  context: ['home', 'public'],
  filter_action: 'warn',
  keywords_attributes: [{ keyword: 'well', whole_word: true }],
};

async function addEmoji({ app }: Town): Promise<void> {
  const operator = app.systemContext('spec');
  const data = await still('red');
  await importEmoji(
    operator,
    { shortcode: 'rook', data, category: null, visible_in_picker: true },
    { overwrite: false },
  );
  await eventually(() => expect(app.instance.emojis.json('rook')).to.be.a('string'));
}

/** Creates an announcement, a warning with an appeal, a report and a severed relationship. */
async function noticesFor(
  town: Town,
  { alice, bob, staff }: { alice: Person; bob: Person; staff: Person },
): Promise<void> {
  const acts = actsOf(town);
  const id = await createAnnouncement(
    town.app.systemContext('spec'),
    {
      text: 'Hello @alice #rooks :rook:',
      starts_at: null,
      ends_at: null,
      all_day: false,
      scheduled_at: null,
    },
    {},
  );
  await recommendAccount(town.app.systemContext('spec'), { accountId: bob.id, recommended: true });
  await town.waitUntilIdle();
  await acts.ok(alice.put<Announcement>(`/api/v1/announcements/${id}/reactions/rook`));
  await acts.act(staff, `admin/accounts/${bob.id}/action`, { type: 'none', text: 'Please stop' });
  await town.waitUntilIdle();
  const [strike] = await acts.ok(bob.get<Strike[]>('/api/v1/strikes'));
  await acts.act(bob, `strikes/${strike?.id}/appeal`, { text: 'It was one rook' });
  await acts.act(bob, 'reports', { account_id: alice.id, comment: 'Too many rooks' });
  const fan = await remoteAccount(town.app, 'fan', 'lost.example');
  await letFollow(town.app, fan, bob.id);
  await acts.act(bob, 'domain_blocks', { domain: 'lost.example' });
}

async function registered(
  nobody: Client,
  keep: (entity: Entity, asked: string, reply: unknown) => void,
): Promise<void> {
  const app = {
    client_name: 'IceCubesApp',
    redirect_uris: 'icecubesapp://',
    scopes: 'read write follow push',
    website: 'https://github.com/Dimillian/IceCubesApp',
  };
  const made = await nobody.post<CredentialApplication>('/api/v1/apps', app);
  keep('Application', 'POST /api/v1/apps', made.json);
  const { client_id, client_secret } = made.json;
  const token = await nobody.post('/oauth/token', {
    client_id,
    client_secret,
    grant_type: 'client_credentials',
    scope: 'read',
  });
  keep('Token', 'POST /oauth/token', token.json);
}
