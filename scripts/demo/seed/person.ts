import { days } from '../moments.ts';
import { ASKING, LISTS, NEW_FOLLOWERS } from '../plan-follows.ts';
import { TRENDING } from '../texts/lately.ts';
import { PERSON } from '../texts/people.ts';
import { forAll, postNamed, residentNamed, send, type Town } from './town.ts';

/** Before the last four days: the person wants to hear of each post of a friend, and has mentions of others wait as requests. */
export async function chooseNotifications(town: Town): Promise<void> {
  const { id } = residentNamed(town, 'greta');
  const notify = { ago: days(4) + 30, params: { id }, body: { notify: true } };
  await send(town, PERSON, 'POST /api/v1/accounts/:id/follow', notify);
  await setPolicy(town, 'filter', days(4) + 20);
}

const setPolicy = (town: Town, verdict: 'filter' | 'accept', ago: number): Promise<unknown> =>
  send(town, PERSON, 'PATCH /api/v2/notifications/policy', { ago, body: { for_not_following: verdict } });

/** Lists, filters and whatever else the person of the demo has arranged. */
export async function arrange(town: Town): Promise<void> {
  const mine = (route: string, ago: number, act: object = {}): Promise<unknown> =>
    send(town, PERSON, route, { ago, ...act });
  const about = (name: string): { params: { id: string } } => ({
    params: { id: residentNamed(town, name).id },
  });
  for (const [title, members] of LISTS) await addList(town, title, members);
  for (const body of FILTERS) await mine('POST /api/v2/filters', days(20), { body });
  for (const name of ['birds', TRENDING, 'zines'])
    await mine('POST /api/v1/tags/:name/follow', days(30), { params: { name } });
  for (const name of ['birds', 'allotment'])
    await mine('POST /api/v1/featured_tags', days(31), { body: { name } });
  await mine('POST /api/v1/accounts/:id/note', days(29), {
    ...about('henry'),
    body: { comment: 'Plot 12. Waters people. Leeks!' },
  });
  await mine('POST /api/v1/accounts/:id/endorse', days(29), about('greta'));
  await mine('POST /api/v1/accounts/:id/block', days(26), about('roy'));
  await mine('POST /api/v1/accounts/:id/mute', days(25), {
    ...about('weather'),
    body: { notifications: true },
  });
  await mine('POST /api/v1/statuses/:id/pin', days(39), {
    params: { id: postNamed(town, 'introduction').id },
  });
  await mine('POST /api/v1/statuses/:id/mute', 100, { params: { id: postNamed(town, 'sofar').id } });
}

async function addList(town: Town, title: string, members: readonly string[]): Promise<void> {
  const { id } = await send<{ id: string }>(town, PERSON, 'POST /api/v1/lists', {
    ago: days(32),
    body: { title },
  });
  const account_ids = members.map((name) => residentNamed(town, name).id);
  await send(town, PERSON, 'POST /api/v1/lists/:id/accounts', {
    ago: days(32) - 5,
    params: { id },
    body: { account_ids },
  });
}

const FILTERS = [
  {
    title: 'Ends of detective novels',
    context: ['home', 'public', 'thread'],
    filter_action: 'warn',
    keywords_attributes: [
      { keyword: 'murderer', whole_word: true },
      { keyword: 'detective novel', whole_word: false },
    ],
  },
  {
    title: 'Watches',
    context: ['home', 'notifications', 'public', 'thread'],
    filter_action: 'hide',
    keywords_attributes: [{ keyword: 'designer watches', whole_word: false }],
  },
];

/** The last two days of the person: what they have not seen yet. */
export async function catchUp(town: Town): Promise<void> {
  const { id } = residentNamed(town, PERSON);
  const mine = (route: string, ago: number, body: object): Promise<unknown> =>
    send(town, PERSON, route, { ago, body: { ...body } });
  await setPolicy(town, 'accept', 1_320);
  await town.acting.settle();
  await forAll(NEW_FOLLOWERS, (name) =>
    send(town, name, 'POST /api/v1/accounts/:id/follow', { ago: 1_300, params: { id } }),
  );
  await mine('PATCH /api/v1/accounts/update_credentials', 900, { locked: true });
  await town.acting.settle();
  for (const [index, name] of ASKING.entries()) {
    await send(town, name, 'POST /api/v1/accounts/:id/follow', { ago: 700 - 400 * index, params: { id } });
  }
  await town.acting.settle();
  await readUntil(town, 400);
  await scheduleTwo(town);
}

/** Marks notifications and home as read up to a moment. */
async function readUntil(town: Town, ago: number): Promise<void> {
  const limit = 40;
  const moment = town.end - ago * 60_000;
  type Dated = { id: string; created_at: string };
  const seen = (all: readonly Dated[]): string | undefined =>
    all.find(({ created_at }) => Date.parse(created_at) < moment)?.id;
  const [notifications, home] = await Promise.all([
    send<Dated[]>(town, PERSON, 'GET /api/v1/notifications', { ago: 0, query: { limit: 80 } }),
    send<Dated[]>(town, PERSON, 'GET /api/v1/timelines/home', { ago: 0, query: { limit } }),
  ]);
  const body = { notifications: { last_read_id: seen(notifications) }, home: { last_read_id: seen(home) } };
  await send(town, PERSON, 'POST /api/v1/markers', {
    ago,
    body: JSON.parse(JSON.stringify(body)) as Record<string, unknown>,
  });
}

async function scheduleTwo(town: Town): Promise<void> {
  for (const [hours, status] of [
    [
      19,
      'The results of the bird count are up in the library window, with all 31 kinds and one glove. Thank you, everybody. #HeronCount',
    ],
    [
      24 * 6,
      'One week after the count: the feeders need filling, the pencils need sharpening, the glove needs its owner. #birds',
    ],
  ] as const) {
    const scheduled_at = new Date(town.end + hours * 3_600_000).toISOString();
    await send(town, PERSON, 'POST /api/v1/statuses', {
      ago: 0,
      body: { status, language: 'en', scheduled_at },
    });
  }
}
