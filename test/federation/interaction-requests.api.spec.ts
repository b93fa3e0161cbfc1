import { expect } from 'chai';
import { activity, deliver, expectIgnored, type Json, PUBLIC } from '../support/inbox.ts';
import type { Peer } from '../support/peer.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { ALICE, inboxScene } from './inbox-scene.ts';

describe('Interaction policies of local posts', function () {
  this.timeout(60_000);
  const scene = inboxScene();
  const { as, by, fetched, resolve } = scene;
  let server: TestServer;
  let peer: Peer;
  let alice: TestUser;
  let bob: TestUser;
  /** An account that follows alice. */
  let fan: string;
  let stranger: string;
  let made = 0;

  before(async function () {
    this.timeout(120_000);
    ({ server, peer, alice, bob } = await scene.start());
    fan = scene.actor('fan');
    stranger = scene.actor('stranger');
    await deliver(server, by('fan'), activity(peer, 'fan', 'Follow', ALICE));
    await news();
  });
  after(() => scene.close());

  const news = async (): Promise<Json[]> => (await scene.news()).peer;
  const posted = async (more: Json = {}): Promise<{ id: string; uri: string; sent: Json }> => {
    const { id, uri } = await as(alice, 'POST', '/api/v1/statuses', { status: 'Talk to me', ...more });
    const [create] = await news();
    return { id, uri, sent: (create?.['object'] ?? {}) as Json };
  };
  const note = (name: string, inReplyTo: string, changes: Json = {}) =>
    scene.note(name, { inReplyTo, ...changes });
  const act = (name: string, type: string, object: unknown, changes: Json = {}): Json => ({
    id: `${peer.origin}/acts/${(made += 1)}`,
    type,
    actor: `${peer.origin}/users/${name}`,
    object,
    to: [PUBLIC],
    cc: [ALICE],
    published: '2026-11-20T08:00:00Z',
    ...changes,
  });
  const asked = (name: string, type: string, object: unknown, instrument: unknown) =>
    activity(peer, name, type, object, { instrument, to: ALICE });
  /** Returns the only activity that arrived since the last call. */
  const answer = async (): Promise<Json> => {
    const [only, ...others] = await news();
    expect(others).deep.equal([]);
    return only ?? {};
  };

  it('allow everyone on public and unlisted posts', async () => {
    for (const visibility of ['public', 'unlisted']) {
      const { sent } = await posted({ visibility, quote_approval_policy: 'nobody' });
      const everybody = { automaticApproval: [PUBLIC], always: [PUBLIC] };
      expect(sent['interactionPolicy'], visibility).deep.equal({
        canQuote: { automaticApproval: [ALICE] },
        canReply: everybody,
        canLike: everybody,
        canAnnounce: everybody,
      });
    }
  });

  it('allow followers and mentioned accounts on followers-only posts, but only the author to boost', async () => {
    await resolve(stranger);
    const { sent } = await posted({ status: `@stranger@${peer.host} psst`, visibility: 'private' });
    const readers = [ALICE, `${ALICE}/followers`, stranger];
    expect(sent['interactionPolicy']).deep.include({
      canReply: { automaticApproval: readers, always: readers },
      canLike: { automaticApproval: readers, always: readers },
      canAnnounce: { automaticApproval: [ALICE], always: [ALICE] },
    });
  });

  it('allow only mentioned accounts on direct posts', async () => {
    const { sent } = await posted({ status: `@stranger@${peer.host} psst`, visibility: 'direct' });
    expect(sent['interactionPolicy']).deep.include({
      canReply: { automaticApproval: [ALICE, stranger], always: [ALICE, stranger] },
      canAnnounce: { automaticApproval: [ALICE], always: [ALICE] },
    });
  });

  it('use terms that the JSON-LD context of the post defines', async () => {
    const { uri } = await posted();
    const { body } = await fetched(uri);
    const [, terms] = body['@context'] as [string, Json];
    for (const term of ['canReply', 'canLike', 'canAnnounce', 'always', 'approvedBy', 'replyAuthorization']) {
      expect(terms[term], term).deep.equal({ '@id': `gts:${term}`, '@type': '@id' });
    }
  });

  it('accept a ReplyRequest with an authorization that every server can fetch', async () => {
    const mine = await posted();
    const reply = note('stranger', mine.uri);
    const question = asked('stranger', 'ReplyRequest', mine.uri, reply);
    await deliver(server, by('stranger'), question);
    const accept = await answer();
    expect(accept).deep.include({ type: 'Accept', actor: ALICE, to: stranger, target: mine.uri });
    expect(accept['object']).deep.equal({
      id: question['id'],
      type: 'ReplyRequest',
      actor: stranger,
      object: mine.uri,
      instrument: reply['id'],
    });
    const result = String(accept['result']);
    const { status, body } = await fetched(result);
    expect(status).equal(200);
    expect(body).deep.include({
      id: result,
      type: 'ReplyAuthorization',
      attributedTo: ALICE,
      interactingObject: reply['id'],
      interactionTarget: mine.uri,
    });
    expect((await fetched(result.replace('alice', 'bob'))).status, 'of another author').equal(404);
    expect((await fetched(`${ALICE}/reply_authorizations/${mine.id}`)).status, 'of no reply').equal(404);
    expect((await fetched(`${ALICE}/reply_authorizations/x`)).status, 'of no id').equal(404);
    const { descendants } = await as(bob, 'GET', `/api/v1/statuses/${mine.id}/context`);
    expect(descendants.map(({ uri }: Json) => uri)).deep.equal([reply['id']]);

    const create = activity(peer, 'stranger', 'Create', { ...reply, replyAuthorization: result });
    await expectIgnored(server, by('stranger'), create, 'the reply that is known already');
    await deliver(server, by('stranger'), asked('stranger', 'ReplyRequest', mine.uri, reply));
    expect(await answer(), 'a second request').deep.include({ type: 'Accept', result });
    await as(alice, 'POST', `/api/v1/accounts/${(await resolve(stranger))?.account ?? ''}/block`);
    expect((await fetched(result)).status, 'after a block').equal(404);
    await as(alice, 'POST', `/api/v1/accounts/${(await resolve(stranger))?.account ?? ''}/unblock`);
    await news();
  });

  it('accept a LikeRequest, which favourites the post', async () => {
    const mine = await posted();
    const like = act('stranger', 'Like', mine.uri);
    await deliver(server, by('stranger'), asked('stranger', 'LikeRequest', mine.uri, like));
    const accept = await answer();
    expect(accept).deep.include({ type: 'Accept', actor: ALICE, target: mine.uri });
    const { body } = await fetched(String(accept['result']));
    expect(body).deep.include({
      type: 'LikeAuthorization',
      attributedTo: ALICE,
      interactingObject: like['id'],
      interactionTarget: mine.uri,
    });
    expect(await as(alice, 'GET', `/api/v1/statuses/${mine.id}`)).include({ favourites_count: 1 });
    await deliver(server, by('stranger'), activity(peer, 'stranger', 'Undo', like));
    expect((await fetched(String(accept['result']))).status, 'after it was taken back').equal(404);
    expect(await as(alice, 'GET', `/api/v1/statuses/${mine.id}`)).include({ favourites_count: 0 });
  });

  it('accept an AnnounceRequest, which reblogs the post', async () => {
    const mine = await posted({ visibility: 'unlisted' });
    const boost = act('stranger', 'Announce', mine.uri);
    await deliver(server, by('stranger'), asked('stranger', 'AnnounceRequest', mine.uri, boost));
    const accept = await answer();
    const { body } = await fetched(String(accept['result']));
    expect(body).deep.include({
      type: 'AnnounceAuthorization',
      attributedTo: ALICE,
      interactingObject: boost['id'],
      interactionTarget: mine.uri,
    });
    expect(await as(alice, 'GET', `/api/v1/statuses/${mine.id}`)).include({ reblogs_count: 1 });
  });

  it('reject an AnnounceRequest for a followers-only post and record nothing', async () => {
    const mine = await posted({ visibility: 'private' });
    const request = asked('fan', 'AnnounceRequest', mine.uri, act('fan', 'Announce', mine.uri));
    await expectIgnored(server, by('fan'), request, 'a boost of a private post');
    const reject = await answer();
    expect(reject).deep.include({ type: 'Reject', actor: ALICE, to: fan });
    expect(reject).not.have.property('result');
    expect((reject['object'] as Json)['id']).equal(request['id']);
  });

  it('leave malformed and forged requests unanswered', async () => {
    const mine = await posted();
    const secret = await posted({ visibility: 'private' });
    const like = act('stranger', 'Like', mine.uri);
    for (const [why, type, object, instrument] of [
      [
        'a like of what the sender cannot see',
        'LikeRequest',
        secret.uri,
        act('stranger', 'Like', secret.uri),
      ],
      ['a reply to what the sender cannot see', 'ReplyRequest', secret.uri, note('stranger', secret.uri)],
      [
        'a boost of what the sender cannot see',
        'AnnounceRequest',
        secret.uri,
        act('stranger', 'Announce', secret.uri),
      ],
      ['a like of another post', 'LikeRequest', secret.uri, like],
      ['a like by another account', 'LikeRequest', mine.uri, { ...like, actor: fan }],
      ['a like without a name', 'LikeRequest', mine.uri, { ...like, id: undefined }],
      [
        'a like with a name at another origin',
        'LikeRequest',
        mine.uri,
        { ...like, id: 'https://far.example/1' },
      ],
      ['an announce in the place of a like', 'LikeRequest', mine.uri, act('stranger', 'Announce', mine.uri)],
      ['a like in the place of a reply', 'ReplyRequest', mine.uri, like],
      ['a reply to another post', 'ReplyRequest', mine.uri, note('stranger', `${ALICE}/statuses/1`)],
      ['a reply by another account', 'ReplyRequest', mine.uri, note('fan', mine.uri)],
      ['nothing', 'ReplyRequest', mine.uri, undefined],
      [
        'a post that is not there',
        'LikeRequest',
        `${ALICE}/statuses/1`,
        act('stranger', 'Like', `${ALICE}/statuses/1`),
      ],
    ] as const) {
      await expectIgnored(server, by('stranger'), asked('stranger', type, object, instrument), why);
      expect(await news(), why).deep.equal([]);
    }
  });

  it('send followers an authorization for interactions with followers-only posts without a request', async () => {
    const mine = await posted({ visibility: 'private' });
    const reply = note('fan', mine.uri, { to: [ALICE] });
    await deliver(server, by('fan'), activity(peer, 'fan', 'Create', reply));
    const accept = await answer();
    expect(accept).deep.include({ type: 'Accept', actor: ALICE, to: fan, target: mine.uri });
    expect(accept['object']).deep.equal({ id: reply['id'], type: 'Note' });
    expect((await fetched(String(accept['result']))).body).deep.include({
      type: 'ReplyAuthorization',
      interactingObject: reply['id'],
    });
    const like = act('fan', 'Like', mine.uri);
    await deliver(server, by('fan'), like);
    const liked = await answer();
    expect(liked['object']).deep.equal({ id: like['id'], type: 'Like' });
    expect((await fetched(String(liked['result']))).body).deep.include({ interactingObject: like['id'] });
  });

  it('send nothing for interactions with public posts without a request', async () => {
    const mine = await posted();
    await deliver(server, by('fan'), activity(peer, 'fan', 'Create', note('fan', mine.uri)));
    await deliver(server, by('fan'), act('fan', 'Like', mine.uri));
    expect(await news()).deep.equal([]);
  });

  it('give local replies to followers-only posts an authorization', async () => {
    await as(bob, 'POST', `/api/v1/accounts/${alice.id}/follow`);
    const mine = await posted({ visibility: 'private' });
    const body = { status: `@fan@${peer.host} yes`, in_reply_to_id: mine.id, visibility: 'private' };
    const { id, uri } = await as(bob, 'POST', '/api/v1/statuses', body);
    const sent = (await answer())['object'] as Json;
    const authorization = `${ALICE}/reply_authorizations/${id}`;
    expect(sent).include({ replyAuthorization: authorization, approvedBy: authorization });
    expect((await fetched(authorization)).body).deep.include({
      type: 'ReplyAuthorization',
      attributedTo: ALICE,
      interactingObject: uri,
      interactionTarget: mine.uri,
    });
  });
});
