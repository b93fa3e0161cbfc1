import { activity, decideActive } from '#commands/accounts/activity.ts';
import { activityStream } from '#events/accounts.ts';
import { DeliveryQueue } from '#interfaces/federation/delivery/queue.ts';
import { InboxQueue } from '#interfaces/federation/inbox/queue.ts';
import { ok, type Person, startTown, type Town } from '../support/people.ts';
import { follow, list, post } from '../timelines/support.ts';

/** Runs a server and makes it send every hot statement: requests, the projections of some events, and claims. */
export async function sendHotStatements(): Promise<void> {
  const town = await startTown();
  try {
    await useServer(town);
    await town.waitUntilIdle();
  } finally {
    await town.close();
  }
}

async function useServer(town: Town): Promise<void> {
  const [reader, author] = [await town.person('reader'), await town.person('author')];
  const postId = await post(author, 'A post #tag @reader');
  await follow(reader, author);
  await post(reader, 'A reply', { in_reply_to_id: postId });
  await post(author, '@reader A direct message', { visibility: 'direct' });
  const listId = await list(reader, {}, [author]);
  await beActiveTomorrow(town, reader);
  await town.waitUntilIdle();
  const paths = [
    '/api/v1/timelines/home',
    '/api/v1/timelines/public',
    '/api/v1/timelines/tag/tag',
    `/api/v1/timelines/list/${listId}`,
    `/api/v1/accounts/${author.id}/statuses`,
    `/api/v1/accounts/relationships?id=${author.id}`,
    '/api/v1/accounts/verify_credentials',
    '/api/v1/accounts/search?q=author',
    `/api/v1/statuses/${postId}`,
    `/api/v1/statuses/${postId}/context`,
    '/api/v1/notifications',
    '/api/v2/notifications',
    '/api/v2/filters',
    '/api/v1/lists',
    '/api/v1/conversations',
  ];
  for (const path of paths) await ok(reader.get(path));
  const now = Date.now();
  await new DeliveryQueue(town.app.db).claim({ now, after: '', busy: [], room: 1, which: 'fresh' });
  await new InboxQueue(town.app.db).claim({ now, after: '', hosts: [], actors: [], room: 1 });
}

/** Trims the home timeline, which happens once a day. */
async function beActiveTomorrow(town: Town, { id }: Person): Promise<void> {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await town.app
    .systemContext('spec')
    .execute(activityStream(id), activity, (last) => decideActive(last, id, tomorrow));
}
