import { expect } from 'chai';
import { StatusFavourited, StatusReblogged } from '#events/interactions.ts';
import { StatusCreated, StatusEdited } from '#events/statuses.ts';
import type { DomainEvent } from '#kernel/event.ts';
import { home } from '#projections/home/index.ts';
import { interactionPolicies } from '#projections/interaction-policies/index.ts';
import { interactions } from '#projections/interactions.ts';
import { statuses } from '#projections/statuses/index.ts';
import { openScratchDatabase, project } from '../support/projection.ts';

const AUTHOR = '1';
const ASKED = '2';
const RULES = { automatic: [], manual: ['https://www.w3.org/ns/activitystreams#Public'], polite: true };
const AUTHORIZATION = 'https://far.example/authorizations/1';

const post = (id: string, more: object = {}) => ({
  ...StatusCreated.samples[2],
  id,
  account_id: ASKED,
  local: false,
  conversation_id: id,
  poll: null,
  ...more,
});
const created = (id: string, more: object = {}): DomainEvent => ({
  type: 'StatusCreated',
  data: post(id, more),
});
const policied = created('10', { interaction_policy: { reply: RULES } });
const mention = { id: '3', username: 'bob', acct: 'bob', url: 'https://rookery.example/@bob' };
const reply = post('20', {
  account_id: AUTHOR,
  local: true,
  in_reply_to_id: '10',
  in_reply_to_account_id: ASKED,
  conversation_id: '10',
  mentions: [mention],
});
const requested: DomainEvent = {
  type: 'ReplyRequested',
  data: { ...reply, asked_account_id: ASKED, polite: true },
};
const approved: DomainEvent = {
  type: 'StatusCreated',
  data: { ...reply, reply_authorization: AUTHORIZATION },
};
const ended: DomainEvent = {
  type: 'ReplyRequestEnded',
  data: { id: '20', account_id: AUTHOR, asked_account_id: ASKED, reason: 'rejected' },
};
const pair = { id: '30', account_id: AUTHOR, status_id: '10', status_account_id: ASKED };
const boost = { ...StatusReblogged.samples[1], ...pair };
const boostRequested: DomainEvent = { type: 'ReblogRequested', data: { ...boost, polite: true } };
const boosted: DomainEvent = { type: 'StatusReblogged', data: { ...boost, authorization: AUTHORIZATION } };
const like = { ...StatusFavourited.samples[1], ...pair, id: '40' };
const likeRequested: DomainEvent = { type: 'FavouriteRequested', data: { ...like, polite: false } };
const liked: DomainEvent = { type: 'StatusFavourited', data: { ...like, authorization: AUTHORIZATION } };
const end = (type: string, id: string): DomainEvent => ({ type, data: { ...pair, id, reason: 'withdrawn' } });

describe('The read models of interactions that wait for approval', function () {
  this.timeout(120_000);
  let db: Awaited<ReturnType<typeof openScratchDatabase>>;
  before(async () => {
    db = await openScratchDatabase();
  });
  after(() => db.close());

  /** By post: how it is found, how its JSON shows it, and whether it is deleted. */
  const postsOf = async (...events: DomainEvent[]) => {
    const {
      statuses: rows = [],
      status_mentions: mentions,
      status_tags: tags,
      status_stats: stats,
    } = await project(db, statuses, events);
    const posts = rows.map((row) => {
      const shown = /"visibility":"([a-z]+)"/.exec(String(row['body']))?.[1];
      return [row['id'], row['visibility'], shown, row['deleted']];
    });
    return { posts, found: [mentions?.length, tags?.length], stats };
  };

  it('contain a waiting reply as a post that only its author finds', async () => {
    const { posts, found, stats } = await postsOf(policied, requested);
    expect(posts).deep.equal([
      [10, 'public', 'public', false],
      [20, 'direct', 'public', false],
    ]);
    expect(found, 'mentions, and hashtags of the other post').deep.equal([0, 1]);
    expect(stats).deep.equal([]);
  });

  it('contain an approved reply like any other post', async () => {
    const { posts, found, stats } = await postsOf(policied, requested, approved);
    expect(posts).deep.equal([
      [10, 'public', 'public', false],
      [20, 'public', 'public', false],
    ]);
    expect(found).deep.equal([1, 2]);
    expect(stats?.map((row) => [row['status_id'], row['replies_count']])).deep.equal([[10, 1]]);
  });

  it('drop a reply that was not approved', async () => {
    const { posts } = await postsOf(policied, requested, ended);
    expect(posts[1]).deep.equal([20, 'direct', 'public', true]);
  });

  it('treat boosts in the same way', async () => {
    const waiting = await postsOf(policied, boostRequested);
    expect(waiting.posts[1]).deep.equal([30, 'direct', 'public', false]);
    expect(waiting.stats).deep.equal([]);
    const done = await postsOf(policied, boostRequested, boosted);
    expect(done.posts[1]).deep.equal([30, 'public', 'public', false]);
    expect(done.stats?.map((row) => row['reblogs_count'])).deep.equal([1]);
    const gone = await postsOf(policied, boostRequested, end('ReblogRequestEnded', '30'));
    expect(gone.posts[1]).deep.equal([30, 'direct', 'public', true]);
  });

  it('separate requests from approved interactions', async () => {
    const marksOf = async (...events: DomainEvent[]) => {
      const { interactions: rows = [] } = await project(db, interactions, events);
      return rows.map((row) => [
        ...[row['favourite_id'], row['favourite_request_id'], row['reblog_id'], row['reblog_request_id']],
      ]);
    };
    expect(await marksOf(likeRequested, boostRequested)).deep.equal([[null, 40, null, 30]]);
    expect(await marksOf(likeRequested, boostRequested, liked, boosted)).deep.equal([[40, null, 30, null]]);
    const ends = [end('FavouriteRequestEnded', '40'), end('ReblogRequestEnded', '30')];
    expect(await marksOf(likeRequested, boostRequested, ...ends)).deep.equal([[null, null, null, null]]);
  });

  it('delete an answered request, and keep its authorization', async () => {
    const asked = [policied, requested, boostRequested, likeRequested];
    const waiting = await project(db, interactionPolicies, asked);
    expect(waiting['interaction_requests']?.map((row) => [row['id'], row['kind'], row['polite']])).deep.equal(
      [
        [20, 'reply', true],
        [30, 'announce', true],
        [40, 'like', false],
      ],
    );
    expect(waiting['interaction_requests']?.[0]).deep.include({
      visibility: 'public',
      mentioned: [3],
      tags: ['world'],
      status_id: 10,
      status_account_id: 2,
    });
    const done = await project(db, interactionPolicies, [...asked, approved, boosted, liked]);
    expect(done['interaction_requests']).deep.equal([]);
    expect(done['interaction_authorizations']?.map((row) => [row['id'], row['uri']])).deep.equal([
      [20, AUTHORIZATION],
      [30, AUTHORIZATION],
      [40, AUTHORIZATION],
    ]);
    const ends = [ended, end('ReblogRequestEnded', '30'), end('FavouriteRequestEnded', '40')];
    expect(await project(db, interactionPolicies, [...asked, ...ends])).deep.include({
      interaction_requests: [],
      interaction_authorizations: [],
    });
  });

  it('keep the authorization of a remote reply, and its author', async () => {
    const author = 'https://far.example/users/carol';
    const authorized = { reply_authorization: AUTHORIZATION, reply_authorized_by: author };
    const rows = await project(db, interactionPolicies, [policied, created('21', authorized), created('22')]);
    expect(rows['interaction_authorizations']).deep.equal([
      { id: 21, account_id: Number(ASKED), uri: AUTHORIZATION, author_uri: author },
    ]);
  });

  it('keep the last policy of a post as long as the post exists', async () => {
    const change = (interaction_policy: unknown): DomainEvent => ({
      type: 'InteractionPolicyChanged',
      data: { id: '10', account_id: ASKED, interaction_policy },
    });
    const policyOf = async (...events: DomainEvent[]) =>
      (await project(db, interactionPolicies, events))['interaction_policies']?.map((row) => row['policy']);
    const reply = JSON.stringify({ reply: RULES });
    expect(await policyOf(policied)).deep.equal([reply]);
    expect(await policyOf(policied, change(null))).deep.equal([]);
    expect(await policyOf(policied, change(null), change({ like: RULES }))).deep.equal([
      JSON.stringify({ like: RULES }),
    ]);
    const deleted: DomainEvent = {
      type: 'StatusDeleted',
      data: { id: '10', account_id: ASKED, visibility: 'public', in_reply_to_id: null },
    };
    expect(await policyOf(policied, deleted)).deep.equal([]);
  });

  it('show a waiting reply to its author only, and to followers once it is approved', async () => {
    const active = (account_id: string): DomainEvent => ({
      type: 'UserActive',
      data: { account_id, date: '2026-11-21' },
    });
    const follow: DomainEvent = {
      type: 'AccountFollowed',
      data: {
        id: '5',
        account_id: '4',
        target_account_id: AUTHOR,
        reblogs: true,
        notify: false,
        languages: null,
      },
    };
    const there = [active(AUTHOR), active('4'), follow];
    const entriesOf = async (...events: DomainEvent[]) => {
      const rows = await project(db, home, [...there, ...events]);
      return [
        rows['home_entries']?.map((row) => [row['account_id'], row['status_id']]),
        rows['home_posts']?.length,
      ];
    };
    expect(await entriesOf(requested)).deep.equal([[[1, 20]], 1]);
    expect(await entriesOf(requested, approved)).deep.equal([
      [
        [1, 20],
        [4, 20],
      ],
      1,
    ]);
    expect((await entriesOf(requested, ended))[1]).equal(0);
  });

  it('name no rejected parent in a later edit, also in one batch with the rejection', async () => {
    const below = post('21', {
      account_id: AUTHOR,
      local: true,
      in_reply_to_id: '20',
      in_reply_to_account_id: AUTHOR,
      conversation_id: '10',
      mentions: [],
    });
    const edit = (id: string, more: object): DomainEvent => ({
      type: 'StatusEdited',
      data: { ...StatusEdited.samples[2], ...more, edit_id: `${id}0`, edited_at: '2026-11-21T09:00:00.000Z' },
    });
    const parentOf = async (...events: DomainEvent[]): Promise<unknown> => {
      const { statuses: rows = [] } = await project(db, statuses, events);
      const { body } = rows.find(({ id }) => String(id) === '21') ?? {};
      return /"in_reply_to_id":(null|"\d+")/.exec(String(body))?.[1];
    };
    const before = [policied, requested, { type: 'StatusCreated', data: below }];
    const other = edit('10', post('10'));
    expect(await parentOf(...before, other, edit('21', below))).equal('"20"');
    expect(await parentOf(...before, other, ended, edit('21', below))).equal('null');
  });
});
