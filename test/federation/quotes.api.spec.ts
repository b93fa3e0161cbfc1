import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { activity, deliver, expectIgnored, type Json, PUBLIC, send } from '../support/inbox.ts';
import type { Peer } from '../support/peer.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { ALICE, inboxScene } from './inbox-scene.ts';

const OPEN = { interactionPolicy: { canQuote: { automaticApproval: [PUBLIC] } } };

describe('Quotes between servers', function () {
  this.timeout(60_000);
  const scene = inboxScene();
  const { as, by, fetched, note, resolve } = scene;
  let server: TestServer;
  /** The server of `author`, whom alice follows, and of other quoting accounts. */
  let peer: Peer;
  /** The server of `carol`, whose posts are quoted. */
  let far: Peer;
  let alice: TestUser;
  let bob: TestUser;
  let carol: string;
  let made = 0;

  before(async function () {
    this.timeout(120_000);
    ({ server, peer, evil: far, alice, bob } = await scene.start());
    scene.actor('author');
    scene.actor('stranger');
    carol = scene.actor('carol', far);
    far.actor('mallory');
    await scene.follow(alice, 'author');
    await resolve(carol);
    await resolve(`${far.origin}/users/mallory`);
    await news();
  });
  after(() => scene.close());

  /** A post as bob sees it. */
  const shown = async (uri: unknown) => {
    await server.waitUntilIdle();
    const [row] = await server.app.db.query<{ id: string }>(
      'select id from statuses where uri = $1 and reblog_of_id is null',
      [uri],
    );
    return as(bob, 'GET', `/api/v1/statuses/${row?.id ?? '0'}`);
  };
  const stateOf = async (uri: unknown): Promise<string | null> => {
    const { quote } = await shown(uri);
    expect(quote?.quoted_status == null, 'shown only when accepted').equal(quote?.state !== 'accepted');
    return quote === null ? null : quote.state;
  };
  /** Serves a post of carol's. Returns its URI. */
  const quotable = () => far.note('carol', `quotable-${(made += 1)}`);
  const stampFor = (quoting: unknown, quoted: string, changes: Json = {}): Json => ({
    id: `${far.origin}/stamps/${(made += 1)}`,
    type: 'QuoteAuthorization',
    attributedTo: carol,
    interactingObject: quoting,
    interactionTarget: quoted,
    ...changes,
  });
  const serve = (stamp: Json): string => {
    far.put(new URL(String(stamp['id'])).pathname, stamp);
    return String(stamp['id']);
  };
  const create = (object: Json) => deliver(server, by('author'), activity(peer, 'author', 'Create', object));
  const update = (object: Json) => deliver(server, by('author'), activity(peer, 'author', 'Update', object));
  /** The activities that arrived at both other servers since the last call. */
  const news = async (): Promise<Json[]> => {
    const arrived = await scene.news();
    return [...arrived.peer, ...arrived.evil];
  };
  const typesOf = (activities: readonly Json[]) => activities.map(({ type }) => type as string).sort();

  const rawState = async (uri: unknown): Promise<string | undefined> =>
    (
      await server.app.db.query<{ quote_state: string }>('select quote_state from statuses where uri = $1', [
        uri,
      ])
    )[0]?.quote_state;

  describe('Quotes of remote posts in remote posts', () => {
    it('are accepted with an authorization by the quoted author', async () => {
      const quoted = quotable();
      const object = note('author');
      const quoteAuthorization = serve(stampFor(object['id'], quoted));
      await create({ ...object, quote: quoted, quoteAuthorization });
      expect(await stateOf(object['id'])).equal('accepted');
      const { quote } = await shown(object['id']);
      expect(quote.quoted_status).deep.include({ uri: quoted, quotes_count: 1 });
    });

    it('stay pending under every property name until an Update brings the authorization', async () => {
      for (const name of ['quote', 'quoteUrl', 'quoteUri', '_misskey_quote']) {
        const quoted = quotable();
        const object = note('author', { [name]: quoted });
        await create(object);
        expect(await stateOf(object['id']), name).equal('pending');
        const quoteAuthorization = serve(stampFor(object['id'], quoted));
        await update({ ...object, quoteAuthorization });
        expect(await stateOf(object['id']), name).equal('accepted');
        const again = activity(peer, 'author', 'Update', { ...object, quoteAuthorization });
        await expectIgnored(server, by('author'), again, 'again');
      }
    });

    it('need no authorization when both posts have the same author', async () => {
      const first = note('author');
      await create(first);
      const object = note('author', { quote: first['id'] });
      await create(object);
      expect(await stateOf(object['id'])).equal('accepted');
      const other = note('author', { quote: peer.note('stranger', 'neighbour') });
      await create(other);
      expect(await stateOf(other['id']), 'of a neighbour').equal('pending');
    });

    it('are not accepted with an authorization by another account or for another quote (GHSA-8h43-rcqj-wpc6)', async () => {
      const forgeries: Record<string, (quoting: unknown, quoted: string) => string> = {
        'at the origin of the quoting post': (quoting, quoted) =>
          peer.put(
            `/stamps/${(made += 1)}`,
            stampFor(quoting, quoted, { id: `${peer.origin}/stamps/${made}` }),
          ),
        'of another who lives there': (quoting, quoted) =>
          serve(stampFor(quoting, quoted, { attributedTo: `${far.origin}/users/mallory` })),
        'for another post': (_quoting, quoted) => serve(stampFor(`${peer.origin}/notes/0`, quoted)),
        'for another quote': (quoting) => serve(stampFor(quoting, quotable())),
        'of another kind': (quoting, quoted) => serve(stampFor(quoting, quoted, { type: 'Note' })),
        'under another name': (quoting, quoted) => {
          const stamp = stampFor(quoting, quoted);
          serve(stamp);
          return far.put('/stamps/copy', stamp);
        },
        'that is not there': () => `${far.origin}/stamps/none`,
        'of ours': (_quoting, _quoted) => `${ALICE}/quote_authorizations/1`,
        'that is no address': () => 'stamp',
      };
      for (const [why, forge] of Object.entries(forgeries)) {
        const quoted = quotable();
        const object = note('author', { quote: quoted });
        const quoteAuthorization = forge(object['id'], quoted);
        await create({ ...object, quoteAuthorization });
        expect(await stateOf(object['id']), why).equal('pending');
      }
    });

    it('end when the quoted author deletes the authorization, and do not return with it', async () => {
      const quoted = quotable();
      const object = note('author', { quote: quoted });
      const quoteAuthorization = serve(stampFor(object['id'], quoted));
      await create({ ...object, quoteAuthorization });
      const gone = (name: string, of: Peer) => activity(of, name, 'Delete', quoteAuthorization);
      await expectIgnored(server, by('author'), gone('author', peer), 'by the quoting author');
      await expectIgnored(server, by('mallory', far), gone('mallory', far), 'by a neighbour');
      await deliver(server, by('carol', far), gone('carol', far));
      expect(await stateOf(object['id'])).equal('revoked');
      expect((await shown(quoted)).quotes_count).equal(0);
      await update({ ...object, quoteAuthorization });
      expect(await stateOf(object['id'])).equal('revoked');
    });

    it('are revoked when the authorization is deleted before or during its check (GHSA-q4g8-82c5-9h33)', async () => {
      const before = note('author', { quote: quotable() });
      const early = stampFor(before['id'], String(before['quote']));
      await create({ ...before, quoteAuthorization: early['id'] });
      await deliver(server, by('carol', far), activity(far, 'carol', 'Delete', early['id']));
      serve(early);
      await update({ ...before, quoteAuthorization: early['id'] });
      expect(await stateOf(before['id']), 'before').equal('revoked');

      const during = note('author', { quote: quotable() });
      const stamp = stampFor(during['id'], String(during['quote']));
      const path = new URL(String(stamp['id'])).pathname;
      far.put(path, (_req, res) => {
        const answer = async (): Promise<void> => {
          await send(server, by('carol', far), activity(far, 'carol', 'Delete', stamp['id']));
          await eventually(async () => expect(await rawState(during['id'])).equal('revoked'));
          res.set('Content-Type', 'application/activity+json').send(JSON.stringify(stamp));
        };
        void answer();
      });
      await create({ ...during, quoteAuthorization: stamp['id'] });
      expect(await stateOf(during['id']), 'while').equal('revoked');
    });

    it('show nothing of a post that the quoting author may not see', async () => {
      const secret = await as(alice, 'POST', '/api/v1/statuses', { status: 'Mine', visibility: 'private' });
      const object = note('author', { quote: secret.uri });
      await create(object);
      expect(await stateOf(object['id'])).equal(null);
    });

    it('are followed one level deep when a post is fetched by its address', async () => {
      const inner = far.note('carol', 'inner');
      const middle = peer.note('stranger', 'middle', { quote: inner });
      const outer = peer.note('stranger', 'outer', { quote: middle });
      await resolve(outer);
      expect(await stateOf(outer), 'by the same author').equal('accepted');
      expect(await stateOf(middle)).equal(null);
      expect(far.asked.filter(({ path }) => path === '/notes/inner')).deep.equal([]);
    });
  });

  describe('Quotes of local posts in remote posts', () => {
    /** Posts as alice and waits until the post has been delivered. */
    const posted = async (more: Json = {}): Promise<{ id: string; uri: string }> => {
      const mine = await as(alice, 'POST', '/api/v1/statuses', { status: 'Quote me', ...more });
      await news();
      return mine;
    };
    const request = (name: string, object: unknown, instrument: unknown) =>
      activity(peer, name, 'QuoteRequest', object, { instrument });
    it('are accepted with an authorization that every server can fetch', async () => {
      const mine = await posted();
      const instrument = note('stranger', { quote: mine.uri });
      const asked = request('stranger', mine.uri, instrument);
      await deliver(server, by('stranger'), asked);
      const [accept, ...others] = await news();
      expect(others).deep.equal([]);
      expect(accept).deep.include({ type: 'Accept', actor: ALICE, to: `${peer.origin}/users/stranger` });
      expect(accept?.['object']).deep.equal({
        id: asked['id'],
        type: 'QuoteRequest',
        actor: `${peer.origin}/users/stranger`,
        object: mine.uri,
        instrument: instrument['id'],
      });
      const stamp = String(accept?.['result']);
      expect(stamp.startsWith(`${ALICE}/quote_authorizations/`)).equal(true);
      const { status, body } = await fetched(stamp);
      expect(status).equal(200);
      expect(body).deep.include({
        id: stamp,
        type: 'QuoteAuthorization',
        attributedTo: ALICE,
        interactingObject: instrument['id'],
        interactionTarget: mine.uri,
      });
      expect((await fetched(stamp.replace('alice', 'bob'))).status).equal(404);
      expect((await fetched(`${ALICE}/quote_authorizations/${mine.id}`)).status).equal(404);

      expect(await stateOf(instrument['id'])).equal('accepted');
      const quotes = await as(bob, 'GET', `/api/v1/statuses/${mine.id}/quotes`);
      expect(quotes.map((one: Json) => one['uri'])).deep.equal([instrument['id']]);
      const [told] = await as(alice, 'GET', '/api/v1/notifications?types[]=quote');
      expect(told.status.uri).equal(instrument['id']);

      // The post, and a repeated request, may arrive after the answer.
      const sent = activity(peer, 'stranger', 'Create', { ...instrument, quoteAuthorization: stamp });
      await expectIgnored(server, by('stranger'), sent, 'the post');
      await expectIgnored(server, by('stranger'), request('stranger', mine.uri, instrument), 'asked again');
      const [again] = await news();
      expect(again).deep.include({ type: 'Accept', result: stamp });
    });

    it('stay pending until their author sends a request', async () => {
      const mine = await posted();
      const object = note('author', {
        quote: mine.uri,
        quoteAuthorization: `${ALICE}/quote_authorizations/${mine.id}`,
      });
      await create(object);
      expect(await stateOf(object['id'])).equal('pending');
      expect((await as(bob, 'GET', `/api/v1/statuses/${mine.id}`)).quotes_count).equal(0);
      // This request carries only the id of the quoting post.
      peer.put(new URL(object.id).pathname, object);
      await deliver(server, by('author'), request('author', mine.uri, object['id']));
      expect(await stateOf(object['id'])).equal('accepted');
      expect(typesOf(await news())).deep.equal(['Accept']);
    });

    it('are rejected when the policy of the post forbids them, and leave no trace', async () => {
      for (const quote_approval_policy of ['nobody', 'followers']) {
        const mine = await posted({ quote_approval_policy });
        const instrument = note('stranger', { quote: mine.uri });
        const asked = request('stranger', mine.uri, instrument);
        await expectIgnored(server, by('stranger'), asked, quote_approval_policy);
        const [reject, ...others] = await news();
        expect(others).deep.equal([]);
        expect(reject).deep.include({ type: 'Reject', actor: ALICE });
        expect(reject).not.have.property('result');
        expect((reject?.['object'] as Json)['id']).equal(asked['id']);
      }
      const mine = await posted({ quote_approval_policy: 'followers' });
      await deliver(server, by('stranger'), activity(peer, 'stranger', 'Follow', ALICE));
      await news();
      await deliver(
        server,
        by('stranger'),
        request('stranger', mine.uri, note('stranger', { quote: mine.uri })),
      );
      expect(typesOf(await news()), 'a follower').deep.equal(['Accept']);
    });

    it('get no answer when the request is malformed, forged or by a blocked account', async () => {
      const mine = await posted();
      const secret = await posted({ visibility: 'private' });
      const other = await posted();
      const quoting = (changes: Json = {}) => note('author', { quote: mine.uri, ...changes });
      for (const [why, object, instrument] of [
        ['a private post', secret.uri, note('author', { quote: secret.uri })],
        ['a post that it does not quote', other.uri, quoting()],
        ['no quote', mine.uri, note('author')],
        ['of another account', mine.uri, quoting({ attributedTo: `${peer.origin}/users/stranger` })],
        [
          'of an account on another server',
          mine.uri,
          quoting({ id: `${far.origin}/notes/x`, attributedTo: carol }),
        ],
        ['no post', mine.uri, quoting({ type: 'Person' })],
        ['nothing', mine.uri, undefined],
        ['a post that is not there', `${ALICE}/statuses/1`, quoting()],
      ] as const) {
        await expectIgnored(server, by('author'), request('author', object, instrument), why);
        expect(await news(), why).deep.equal([]);
      }
      const pest = scene.actor('pest');
      await as(alice, 'POST', `/api/v1/accounts/${(await resolve(pest))?.account ?? ''}/block`);
      await news();
      const asked = request('pest', mine.uri, note('pest', { quote: mine.uri }));
      await expectIgnored(server, by('pest'), asked, 'by a blocked account');
      expect(await news()).deep.equal([]);
    });

    it('end for good when the author revokes the authorization', async () => {
      const mine = await posted();
      const instrument = note('stranger', { quote: mine.uri });
      await deliver(server, by('stranger'), request('stranger', mine.uri, instrument));
      const [accept] = await news();
      const stamp = String(accept?.['result']);
      const quotingId = stamp.split('/').at(-1) ?? '';
      await as(alice, 'POST', `/api/v1/statuses/${mine.id}/quotes/${quotingId}/revoke`);
      const [gone, ...others] = await news();
      expect(others).deep.equal([]);
      expect(gone).deep.include({ type: 'Delete', actor: ALICE, object: stamp, to: [PUBLIC] });
      expect((await fetched(stamp)).status).equal(404);
      expect(await stateOf(instrument['id'])).equal('revoked');
      await deliver(server, by('stranger'), request('stranger', mine.uri, instrument));
      expect(typesOf(await news())).deep.equal(['Reject']);
      expect(await stateOf(instrument['id'])).equal('revoked');
    });
  });

  describe('Quotes of remote posts in local posts', () => {
    const quotableHere = async (changes: Json = OPEN): Promise<{ uri: string; id: string }> => {
      const uri = far.note('carol', `open-${(made += 1)}`, changes);
      return { uri, id: (await resolve(uri))?.status ?? '' };
    };
    /** Quotes a post as alice. Returns her post, everything sent, and the QuoteRequest. */
    const quote = async ({ id }: { id: string }) => {
      const mine = await as(alice, 'POST', '/api/v1/statuses', { status: 'See this', quoted_status_id: id });
      const sent = await news();
      return { mine, sent, asked: sent.find(({ type }) => type === 'QuoteRequest') as Json };
    };
    const answer = (type: string, object: unknown, more: Json = {}) =>
      deliver(server, by('carol', far), activity(far, 'carol', type, object, more));

    it('send a QuoteRequest, and an Update of the post when it is accepted or revoked', async () => {
      await deliver(server, by('stranger'), activity(peer, 'stranger', 'Follow', ALICE));
      await news();
      const theirs = await quotableHere();
      const { mine, sent, asked } = await quote(theirs);
      expect(mine.quote).deep.equal({ state: 'pending', quoted_status: null });
      expect(typesOf(sent)).deep.equal(['Create', 'Create', 'QuoteRequest']);
      expect(asked).deep.include({
        id: `${ALICE}#quote_requests/${mine.id}`,
        actor: ALICE,
        to: carol,
        object: theirs.uri,
      });
      expect(asked['instrument']).deep.include({ id: mine.uri, type: 'Note', quote: theirs.uri });
      expect(asked['instrument']).not.have.property('quoteAuthorization');

      const stamp = serve(stampFor(mine.uri, theirs.uri));
      await answer('Accept', asked['id'], { result: stamp });
      expect(await stateOf(mine.uri)).equal('accepted');
      const updates = await news();
      expect(typesOf(updates)).deep.equal(['Update', 'Update']);
      expect(updates[0]?.['object']).deep.include({ quote: theirs.uri, quoteAuthorization: stamp });

      await deliver(server, by('carol', far), activity(far, 'carol', 'Delete', stamp));
      expect(await stateOf(mine.uri)).equal('revoked');
      const [told] = await news();
      expect(told?.['object']).not.have.any.keys('quote', 'quoteAuthorization', 'quoteUri');
      const { '@context': _, ...whole } = asked;
      await answer('Accept', whole, { result: stamp });
      expect(await stateOf(mine.uri), 'an old answer').equal('revoked');
    });

    it('send the request before the post, and again under new ids until there is an answer', async () => {
      const theirs = await quotableHere();
      const mine = await as(alice, 'POST', '/api/v1/statuses', {
        status: `See this, @carol@${new URL(far.origin).host}`,
        quoted_status_id: theirs.id,
      });
      const arrived = (await scene.news()).evil;
      expect(arrived.map(({ type }) => type)).deep.equal(['QuoteRequest', 'Create']);
      const { db } = server.app;
      const again = async (): Promise<Json[]> => {
        const due = await db.query(
          `update jobs.job set start_after = now() where name = 'quote-request' and state = 'created'
           and data ->> 'id' = $1 returning id`,
          [mine.id],
        );
        expect(due).have.length(1);
        await eventually(async () => {
          const left = await db.query(
            `select from jobs.job where id = $1 and state in ('created', 'retry', 'active')`,
            due.map((job) => (job as { id: string }).id),
          );
          expect(left).have.length(0);
        });
        return (await scene.news()).evil;
      };
      const [first, ...others] = await again();
      expect(others).deep.equal([]);
      expect(first).deep.include({ id: `${ALICE}#quote_requests/${mine.id}/1`, type: 'QuoteRequest' });
      expect(first?.['instrument']).deep.include({ id: mine.uri, quote: theirs.uri });
      const [second] = await again();
      const result = serve(stampFor(mine.uri, theirs.uri));
      await answer('Accept', second?.['id'], { result });
      expect(await stateOf(mine.uri)).equal('accepted');
      await news();
      expect(await again()).deep.equal([]);
    });

    it('are accepted only by the quoted author with a valid authorization', async () => {
      const theirs = await quotableHere();
      const { mine, asked } = await quote(theirs);
      const stamp = serve(stampFor(mine.uri, theirs.uri));
      const accept = (of: Peer, name: string, object: unknown, result: unknown) =>
        deliver(server, by(name, of), activity(of, name, 'Accept', object, { result }));
      const { '@context': _, ...whole } = asked;
      await accept(far, 'mallory', asked['id'], stamp);
      await accept(peer, 'author', whole, stamp);
      await accept(far, 'carol', { ...whole, object: quotable() }, stamp);
      await accept(far, 'carol', { ...whole, instrument: `${ALICE}/statuses/1` }, stamp);
      await accept(far, 'carol', asked['id'], undefined);
      await accept(far, 'carol', asked['id'], `${far.origin}/stamps/none`);
      await accept(far, 'carol', asked['id'], peer.put('/stamps/own', { ...stampFor(mine.uri, theirs.uri) }));
      await accept(far, 'carol', asked['id'], serve(stampFor(`${ALICE}/statuses/1`, theirs.uri)));
      expect(await stateOf(mine.uri)).equal('pending');
      await accept(far, 'carol', whole, stamp);
      expect(await stateOf(mine.uri)).equal('accepted');
      await answer('Reject', asked['id']);
      expect(await stateOf(mine.uri), 'the author rejects it later').equal('revoked');
    });

    it('are rejected for good by a Reject', async () => {
      const theirs = await quotableHere();
      const { mine, asked } = await quote(theirs);
      await answer('Reject', asked['id']);
      expect(await stateOf(mine.uri)).equal('rejected');
      await answer('Accept', asked['id'], { result: serve(stampFor(mine.uri, theirs.uri)) });
      expect(await stateOf(mine.uri), 'too late').equal('rejected');
    });

    it('are refused without a request when the policy of the post forbids them', async () => {
      const onlyFollowers = {
        interactionPolicy: { canQuote: { automaticApproval: [`${carol}/followers`] } },
      };
      const nobody = { interactionPolicy: { canQuote: { automaticApproval: [carol] } } };
      for (const [policy, automatic] of [
        [{}, []],
        [nobody, []],
        [onlyFollowers, ['followers']],
        [OPEN, ['public']],
      ] as const) {
        const theirs = await quotableHere(policy);
        const { quote_approval: approval } = await as(bob, 'GET', `/api/v1/statuses/${theirs.id}`);
        expect(approval.automatic).deep.equal(automatic);
        const { status } = await server.call('POST', '/api/v1/statuses', {
          token: bob.token,
          body: { status: 'May I?', quoted_status_id: theirs.id },
        });
        expect(status, JSON.stringify(policy)).equal(policy === OPEN ? 200 : 404);
      }
    });

    it('follow the latest policy of the post', async () => {
      const object = note('author');
      await create(object);
      const automatic = async () => (await shown(object['id'])).quote_approval.automatic;
      expect(await automatic()).deep.equal([]);
      await update({ ...object, ...OPEN });
      expect(await automatic()).deep.equal(['public']);
      await update(object);
      expect(await automatic()).deep.equal([]);
    });
  });

  describe('Quotes of local posts in local posts', () => {
    it('carry an authorization, and an Update without it when it is revoked', async () => {
      await news();
      const mine = await as(alice, 'POST', '/api/v1/statuses', { status: 'Among us' });
      await news();
      const status = `@stranger@${peer.host} look`;
      const quoting = await as(bob, 'POST', '/api/v1/statuses', { status, quoted_status_id: mine.id });
      expect(quoting.quote.state).equal('accepted');
      const [sent] = await news();
      const quoteAuthorization = `${ALICE}/quote_authorizations/${quoting.id}`;
      expect(sent?.['object']).deep.include({ quote: mine.uri, quoteAuthorization });
      await as(alice, 'POST', `/api/v1/statuses/${mine.id}/quotes/${quoting.id}/revoke`);
      const told = await news();
      expect(typesOf(told)).include.members(['Delete', 'Update']);
      const changed = told.find(({ type }) => type === 'Update')?.['object'];
      expect(changed).not.have.any.keys('quote', 'quoteAuthorization');
    });
  });
});
