import { expect } from 'chai';
import { endpoints } from '#app/routes.ts';
import { takeAction } from '#commands/accounts/index.ts';
import type { Endpoint } from '#kernel/endpoint.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { picture, uploadForm } from '../support/uploads.ts';

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;
const ABSENT = '100000000000000000';

/** Things that belong to one user alone, by the paths that name them. */
const OWN = {
  list: /^\/api\/v1\/(lists\/:id|timelines\/list\/:list_id)/,
  keyword: /^\/api\/(v[12]\/filters\/keywords|v1\/filters)\/:id/,
  filteredStatus: /^\/api\/v2\/filters\/statuses\/:id/,
  filter: /^\/api\/v2\/filters\/:/,
  scheduledStatus: /^\/api\/v1\/scheduled_statuses\/:id/,
  strike: /^\/api\/v1\/strikes\/:id/,
  media: /^\/api\/v1\/media\/:id/,
  conversation: /^\/api\/v1\/conversations\/:id/,
  featuredTag: /^\/api\/v1\/featured_tags\/:id/,
  request: /^\/api\/v1\/notifications\/requests\/:id/,
  notification: /^\/api\/v1\/notifications\/:id/,
  group: /^\/api\/v2\/notifications\/:group_key/,
} satisfies Record<string, RegExp>;
type Kind = keyof typeof OWN;

/**
 * Reviewed exceptions: paths with an id of something that others may see too, or that name an account or a
 * word.
 */
const NOT_OWN: Record<string, string> = {
  '/api/v1/statuses/:': 'test/visibility/matrix.api.spec.ts',
  '/api/v1/polls/:': 'test/visibility/matrix.api.spec.ts',
  '/api/v1/accounts/:': 'the relationship of the caller to an account',
  '/api/v1/:account_id/in_collections': 'the relationship of the caller to an account',
  '/api/v1/follow_requests/:': 'the relationship of the caller to an account',
  '/api/v1/suggestions/:': 'the relationship of the caller to an account',
  '/api/v1/tags/:': 'the relationship of the caller to a hashtag',
  '/api/v1/admin/accounts/:': 'for staff; test/admin-accounts/admin-accounts.api.spec.ts',
  '/api/v1/admin/appeals/:': 'for staff; test/admin-appeals/admin-appeals.api.spec.ts',
  '/api/v1/admin/reports/:': 'for staff; test/reports/admin-reports.api.spec.ts',
  '/api/v1/admin/strikes/:': 'for staff; test/strikes/grounds.api.spec.ts',
  '/api/v1/admin/tags/:': 'hashtags have no owner',
  '/api/v1/admin/trends/tags/:': 'hashtags have no owner',
  '/api/v1/admin/trends/links/:': 'links are public; test/trends/trends.api.spec.ts',
  '/api/v1/admin/trends/links/publishers/:': 'domains are public; test/trends/trends.api.spec.ts',
  '/api/v1/admin/trends/statuses/:': 'for staff, public posts; test/trends/trends.api.spec.ts',
  '/api/v1/collections/:': 'collections are public; test/collections/collections.api.spec.ts',
  '/api/v1/announcements/:': 'the reactions of the caller to an announcement',
  '/api/v1/annual_reports/:': 'the year of the caller; test/annual-reports/annual-reports.api.spec.ts',
  '/api/v1_alpha/async_refreshes/:':
    'for everybody who knows the id; test/async-refreshes/async-refreshes.api.spec.ts',
};

/** A body with everything that any of these endpoints needs, so that only the owner is wrong. */
const bodyFor = (person: TestUser) => ({
  title: 'changed',
  phrase: 'changed',
  keyword: 'changed',
  context: ['home'],
  filter_action: 'hide',
  status_id: ABSENT,
  account_ids: [person.id],
  description: 'changed',
  text: 'changed',
  scheduled_at: new Date(Date.now() + 7_200_000).toISOString(),
});
const remedyFor = (reply: unknown): string =>
  `Only the owner may be wrong: if the body lacks a field, add it to bodyFor of test/visibility/own.api.spec.ts; the reply is ${JSON.stringify(reply)}`;
/** Endpoints whose reply does not depend on whether the thing exists. */
const QUIET = new Set([
  'POST /api/v2/notifications/:group_key/dismiss',
  'GET /api/v2/notifications/:group_key/accounts',
]);

/** Lists in which the owner finds all of it. */
const OWNERS_VIEW = [
  '/api/v1/strikes',
  ...['/api/v1/lists', '/api/v2/filters', '/api/v1/scheduled_statuses', '/api/v1/conversations'],
  ...[
    '/api/v1/featured_tags',
    '/api/v1/notifications',
    '/api/v1/notifications/requests',
    '/api/v1/markers?timeline[]=home',
  ],
];

describe('The private objects of a user', function () {
  this.timeout(60_000);
  let server: TestServer;
  let owner: TestUser;
  let other: TestUser;
  const own = {} as Record<Kind, string>;

  before(async function () {
    this.timeout(120_000);
    server = await startTestServer();
    owner = await server.user('owner');
    other = await server.user('other');
    Object.assign(own, await makeThings(server, owner));
  });
  after(() => server.close());

  const call = (user: TestUser, method: string, path: string): Promise<Answer> =>
    server.call(method, path, {
      token: user.token,
      ...(method === 'GET' || method === 'DELETE' ? {} : { body: bodyFor(owner) }),
    });
  const ownersView = async (): Promise<unknown[]> => {
    const paths = [...OWNERS_VIEW, `/api/v1/lists/${own.list}/accounts`, `/api/v1/media/${own.media}`];
    const answers = await Promise.all(paths.map((path) => call(owner, 'GET', path)));
    expect(answers.map(({ status }) => status)).to.deep.equal(paths.map(() => 200));
    return answers.map(({ body }) => body as unknown);
  };

  // Things that need a permission are shared by all moderators.
  const named = endpoints.filter(
    ({ auth, path, permission }) => auth === 'user' && path.includes('/:') && !permission,
  );
  const kindOf = ({ path }: Endpoint): Kind | undefined =>
    (Object.keys(OWN) as Kind[]).find((kind) => OWN[kind].test(path));

  it('are tested for every endpoint of a user with an id, unless it is a listed exception', () => {
    const forgotten = named
      .filter((each) => !kindOf(each) && !Object.keys(NOT_OWN).some((path) => each.path.startsWith(path)))
      .map(nameOf);
    const remedy =
      'Add its kind to OWN of test/visibility/own.api.spec.ts and an example to makeThings there, or its path and a reason to NOT_OWN';
    expect(forgotten, remedy).to.deep.equal([]);
    expect(Object.keys(OWN)).to.have.members([...new Set(named.flatMap((each) => kindOf(each) ?? []))]);
  });

  for (const endpoint of named) {
    const kind = kindOf(endpoint);
    if (!kind) continue;
    it(`do not exist for another user: ${nameOf(endpoint)}`, async () => {
      const pathTo = (id: string): string => endpoint.path.replace(/:\w+/, id);
      const before = await ownersView();
      const { status, body } = await call(other, endpoint.method, pathTo(own[kind]));
      const absent = await call(other, endpoint.method, pathTo(ABSENT));
      expect({ status, body: body as unknown }, 'the same as for an id that is absent').to.deep.equal({
        status: absent.status,
        body: absent.body as unknown,
      });
      // Dismissing something absent is no error, and no accounts are in nothing.
      expect(status, remedyFor(body)).to.equal(QUIET.has(nameOf(endpoint)) ? 200 : 404);
      expect(await ownersView()).to.deep.equal(before);
      // The owner gets through, so only the user was wrong above.
      if (endpoint.method === 'GET') {
        expect((await call(owner, 'GET', pathTo(own[kind]))).status).to.equal(200);
      }
    });
  }

  it('are in no list of another user', async () => {
    for (const path of OWNERS_VIEW) {
      const { status, body } = await call(other, 'GET', path);
      expect(status, path).to.equal(200);
      const texts = JSON.stringify(body);
      for (const [kind, id] of Object.entries(own)) {
        expect(texts, `${path} ${kind}`).not.to.include(`"id":"${id}"`);
      }
    }
    expect((await call(other, 'GET', '/api/v1/markers?timeline[]=home')).body).to.deep.equal({});
  });
});

/** Creates one thing of each kind, and a few events that cause notifications. */
async function makeThings(server: TestServer, owner: TestUser): Promise<Record<Kind, string>> {
  const ask = async <Json>(user: TestUser, method: string, path: string, body?: object): Promise<Json> => {
    const answer = await server.call(method, path, { token: user.token, ...(body ? { body } : {}) });
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).to.equal(200);
    return answer.body as Json;
  };
  type WithId = { id: string };
  const send = (user: TestUser, path: string, body: object = {}) => ask<WithId>(user, 'POST', path, body);

  const friend = await server.user('friend');
  const writer = await server.user('writer');
  await send(owner, `/api/v1/accounts/${friend.id}/follow`);
  const list = await send(owner, '/api/v1/lists', { title: 'mine' });
  await send(owner, `/api/v1/lists/${list.id}/accounts`, { account_ids: [friend.id] });
  const post = await send(owner, '/api/v1/statuses', { status: 'hello' });
  const filter = await send(owner, '/api/v2/filters', { title: 'mine', context: ['home'] });
  const keyword = await send(owner, `/api/v2/filters/${filter.id}/keywords`, { keyword: 'word' });
  const filteredStatus = await send(owner, `/api/v2/filters/${filter.id}/statuses`, { status_id: post.id });
  const scheduledStatus = await send(owner, '/api/v1/statuses', {
    status: 'later',
    scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const operator = server.app.systemContext('spec');
  const strike = { action: 'none' as const, id: operator.newId(), text: 'Hm', reportId: null, statusIds: [] };
  await takeAction(operator, owner.id, { ...strike, notify: false }, undefined);
  const media = await ask<WithId>(owner, 'POST', '/api/v2/media', uploadForm(await picture(40, 30)));
  const featuredTag = await send(owner, '/api/v1/featured_tags', { name: 'mine' });
  await send(owner, '/api/v1/markers', { home: { last_read_id: post.id } });
  await send(friend, `/api/v1/statuses/${post.id}/favourite`);
  await ask(owner, 'PATCH', '/api/v2/notifications/policy', { for_not_following: 'filter' });
  const direct = await send(writer, '/api/v1/statuses', { status: '@owner hi', visibility: 'direct' });
  await server.waitUntilIdle();
  const [request] = await ask<WithId[]>(owner, 'GET', '/api/v1/notifications/requests');
  const [notification] = await ask<(WithId & { group_key: string })[]>(owner, 'GET', '/api/v1/notifications');
  if (!request || !notification) throw new Error('There is no notification');
  return {
    list: list.id,
    keyword: keyword.id,
    filteredStatus: filteredStatus.id,
    filter: filter.id,
    scheduledStatus: scheduledStatus.id,
    strike: strike.id,
    media: media.id,
    conversation: direct.id,
    featuredTag: featuredTag.id,
    request: request.id,
    notification: notification.id,
    group: notification.group_key,
  };
}
