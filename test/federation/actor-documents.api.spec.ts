import { createPublicKey } from 'node:crypto';
import { expect } from 'chai';
import { account } from '#commands/accounts/index.ts';
import { type AccountEvent, accountStream } from '#events/accounts.ts';
import { letFollow, remoteAccount } from '../support/remote.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';

const ORIGIN = 'https://rookery.example';
const AS = { Accept: 'application/activity+json' };
const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';

describe('Documents that this server shows to others', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;
  let bob: TestUser;

  before(async function () {
    this.timeout(120_000);
    server = await startTestServer();
    alice = await server.user('Alice');
    bob = await server.user('bob');
  });
  after(() => server.close());

  const fetched = async (path: string, headers: Record<string, string> = AS): Promise<Answer> => {
    const { status, headers: sent, body } = await server.call('GET', path, { headers });
    const type = sent.get('content-type') ?? '';
    return {
      status,
      headers: sent,
      body: type.includes('json') && typeof body === 'string' ? JSON.parse(body) : body,
    };
  };
  const post = async (user: TestUser, body: object): Promise<{ id: string; uri: string }> => {
    const answer = await server.call('POST', '/api/v1/statuses', {
      token: user.token,
      body: { visibility: 'public', ...body },
    });
    expect(answer.status).equal(200);
    return answer.body as { id: string; uri: string };
  };
  const happen = async (id: string, event: AccountEvent): Promise<void> => {
    await server.app.systemContext('spec').execute(accountStream(id), account, () => [event]);
    await server.waitUntilIdle();
  };
  const pathOf = (uri: string): string => uri.slice(ORIGIN.length);

  describe('WebFinger', () => {
    const finger = (resource: string, more = ''): Promise<Answer> =>
      fetched(`/.well-known/webfinger?resource=${encodeURIComponent(resource)}${more}`, {});

    const INTENT = 'https://w3id.org/fep/3b86/';
    const interact = `${ORIGIN}/authorize_interaction?uri=`;
    it('finds accounts by handle and by address, in any case', async () => {
      for (const resource of [
        'acct:alice@rookery.example',
        'acct:ALICE@Rookery.Example',
        'alice@rookery.example',
        `${ORIGIN}/@alice`,
        `${ORIGIN}/users/Alice`,
      ]) {
        const { status, headers, body } = await finger(resource);
        expect(status, resource).equal(200);
        expect(headers.get('content-type')).match(/^application\/jrd\+json/);
        expect(headers.get('access-control-allow-origin')).equal('*');
        expect(body).deep.include({ subject: 'acct:Alice@rookery.example' });
        expect(body.aliases).deep.equal([`${ORIGIN}/@Alice`, `${ORIGIN}/users/Alice`]);
        expect(body.links).deep.equal([
          { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: `${ORIGIN}/@Alice` },
          { rel: 'self', type: 'application/activity+json', href: `${ORIGIN}/users/Alice` },
          { rel: 'http://ostatus.org/schema/1.0/subscribe', template: `${interact}{uri}` },
          { rel: `${INTENT}Create`, template: `${ORIGIN}/share?text={content}` },
          { rel: `${INTENT}Object`, template: `${interact}{object}` },
        ]);
      }
    });

    it('returns only the requested links', async () => {
      const { body } = await finger('acct:alice@rookery.example', '&rel=self');
      expect(body.links).to.have.length(1);
      expect(body.links[0].rel).equal('self');
    });

    it('finds the server itself', async () => {
      for (const resource of ['acct:rookery.example@rookery.example', `${ORIGIN}/actor`]) {
        expect((await finger(resource)).body.links[1].href).equal(`${ORIGIN}/actor`);
      }
    });

    it('answers 400 to malformed resources and 404 to unknown ones', async () => {
      for (const query of [
        '',
        '?resource=',
        '?resource=alice',
        '?resource=acct:alice',
        '?resource=acct:%25zz@rookery.example',
        '?resource=acct:alice@rookery.example&resource=acct:bob@rookery.example',
        `?resource=acct:${'a'.repeat(3_000)}@rookery.example`,
      ]) {
        expect((await fetched(`/.well-known/webfinger${query}`, {})).status, query).equal(400);
      }
      for (const resource of [
        'acct:nobody@rookery.example',
        'acct:alice@elsewhere.example',
        'https://elsewhere.example/@alice',
        `${ORIGIN}/@alice/1`,
        `${ORIGIN}/@alice?x=1`,
        'mailto:alice@rookery.example',
        'acct:bob@sub.rookery.example',
      ]) {
        expect((await finger(resource)).status, resource).equal(404);
      }
    });

    it('is announced by host-meta in XML and JSON', async () => {
      const xrd = await fetched('/.well-known/host-meta', {});
      expect(xrd.headers.get('content-type')).match(/^application\/xrd\+xml/);
      expect(xrd.body).contain(`template="${ORIGIN}/.well-known/webfinger?resource={uri}"`);
      const json = await fetched('/.well-known/host-meta.json', {});
      expect(json.body.links[0].template).equal(`${ORIGIN}/.well-known/webfinger?resource={uri}`);
    });
  });

  describe('Actors', () => {
    it('are ActivityPub documents for servers and redirects to the profile for browsers', async () => {
      const { status, headers, body } = await fetched('/users/alice');
      expect(status).equal(200);
      expect(headers.get('content-type')).match(/^application\/activity\+json/);
      expect(headers.get('vary')).contain('Accept');
      expect(body).deep.include({
        id: `${ORIGIN}/users/Alice`,
        type: 'Person',
        preferredUsername: 'Alice',
        url: `${ORIGIN}/@Alice`,
      });
      expect(body.inbox).equal(`${ORIGIN}/users/Alice/inbox`);
      const ld = { Accept: 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"' };
      expect((await fetched('/users/Alice', ld)).body.id).equal(body.id);
      expect((await fetched('/@alice')).body.id).equal(body.id);
      for (const Accept of [
        'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
        '*/*',
        'text/html, application/activity+json;q=0.5',
      ]) {
        const page = await fetched('/users/alice', { Accept });
        expect(page.status, Accept).equal(302);
        expect(page.headers.get('location')).equal(`${ORIGIN}/@Alice`);
      }
      expect((await fetched('/users/nobody')).status).equal(404);
      expect((await fetched('/users/%E0%A4%A')).status).equal(400);
    });

    it('contain what the profile says', async () => {
      await server.call('PATCH', '/api/v1/accounts/update_credentials', {
        token: bob.token,
        body: {
          display_name: 'Bob <b>',
          note: 'See https://example.org',
          bot: true,
          locked: true,
          discoverable: true,
          fields_attributes: { 0: { name: 'Web', value: 'https://example.org' } },
        },
      });
      const { body } = await fetched('/users/bob');
      expect(body).deep.include({
        type: 'Service',
        name: 'Bob <b>',
        manuallyApprovesFollowers: true,
        discoverable: true,
      });
      expect(body.summary).contain('href="https://example.org"');
      expect(body.attachment[0]).deep.include({ type: 'PropertyValue', name: 'Web' });
      expect(body.attachment[0].value).contain('<a href="https://example.org"');
    });

    it('have one lasting key each, whose private part is stored encrypted', async () => {
      const [first, again, other] = await Promise.all([
        fetched('/users/alice'),
        fetched('/users/alice'),
        fetched('/users/bob'),
      ]);
      const { publicKeyPem, ...rest } = first.body.publicKey;
      expect(rest).deep.equal({ id: `${ORIGIN}/users/Alice#main-key`, owner: `${ORIGIN}/users/Alice` });
      expect(createPublicKey(publicKeyPem).asymmetricKeyDetails?.modulusLength).equal(2048);
      expect(again.body.publicKey.publicKeyPem).equal(publicKeyPem);
      expect(other.body.publicKey.publicKeyPem).not.equal(publicKeyPem);
      const rows = await server.app.db.query<{ account_id: string; wrapped_private_key: Buffer }>(
        'select account_id, wrapped_private_key from durable.actor_keys order by account_id',
      );
      const mine = await server.app.federation.keys.privateKey(alice.id);
      const stored = rows.find(({ account_id }) => account_id === alice.id)?.wrapped_private_key;
      expect(stored?.includes(mine.subarray(0, 40))).equal(false);
      // An encrypted key in another account's row cannot be decrypted.
      await server.app.db.query(
        'update durable.actor_keys set wrapped_private_key = $1 where account_id = $2',
        [stored, bob.id],
      );
      const failure = await server.app.federation.keys.privateKey(bob.id).catch((error: unknown) => error);
      expect(failure).instanceOf(Error);
    });

    it('are not found before their users are confirmed', async () => {
      await server.user('waiting', { confirmed: false });
      expect((await fetched('/users/waiting')).status).equal(404);
      expect(
        (await fetched('/.well-known/webfinger?resource=acct:waiting@rookery.example', {})).status,
      ).equal(404);
    });

    it('show only that they are suspended, and their other documents answer 403', async () => {
      const eve = await server.user('eve');
      await happen(eve.id, { type: 'AccountUpdated', data: { id: eve.id, display_name: 'Eve E.' } });
      const { uri } = await post(eve, { status: 'I was here' });
      expect((await fetched(pathOf(uri))).status).equal(200);
      await happen(eve.id, { type: 'AccountSuspended', data: { account_id: eve.id } });
      for (const path of [
        pathOf(uri),
        '/users/eve/outbox',
        '/users/eve/followers',
        '/users/eve/collections/featured',
        '/users/eve/statuses/1',
      ]) {
        const { status, body } = await fetched(path);
        expect(status, path).equal(403);
        expect(body).deep.equal({ error: 'This account is suspended' });
      }
      const finger = await fetched('/.well-known/webfinger?resource=acct:eve@rookery.example', {});
      expect(finger.status).equal(200);
      const actor = (): Promise<Answer> => fetched('/users/eve');
      expect((await actor()).body).deep.include({ id: `${ORIGIN}/users/eve`, suspended: true, name: 'eve' });
      await happen(eve.id, { type: 'AccountUnsuspended', data: { account_id: eve.id } });
      expect((await actor()).body).deep.include({ name: 'Eve E.' });
      expect((await actor()).body).not.have.property('suspended');
    });

    it('answer 410 with all their documents once they are erased', async () => {
      const ida = await server.user('ida');
      const { uri } = await post(ida, { status: 'I was here' });
      await happen(ida.id, { type: 'AccountErased', data: { account_id: ida.id } });
      await server.waitUntilIdle();
      for (const path of [
        ...['/users/ida', '/@ida', pathOf(uri), '/users/ida/outbox', '/users/ida/statuses/1'],
        '/.well-known/webfinger?resource=acct:ida@rookery.example',
      ]) {
        const { status, body } = await fetched(path);
        expect(status, path).equal(410);
        expect(body).deep.equal({ error: 'This account was deleted' });
      }
      expect((await fetched('/users/idas')).status).equal(404);
    });

    it('are not found here when they are on other servers', async () => {
      await remoteAccount(server.app, 'carol', 'far.example');
      for (const name of ['carol', 'carol@far.example', 'carol%40far.example']) {
        expect((await fetched(`/users/${name}`)).status, name).equal(404);
      }
    });

    it('are found only under valid usernames', async () => {
      for (const name of ['alice%0A', '%F0%9F%90%A6', "alice'--"]) {
        for (const path of [`/users/${name}`, `/users/${name}/followers`, `/@${name}`, `/@${name}/1`]) {
          for (const headers of [AS, { Accept: 'text/html' }]) {
            expect((await fetched(path, headers)).status, path).equal(404);
          }
        }
        for (const resource of [`acct:${decodeURIComponent(name)}@rookery.example`, `${ORIGIN}/@${name}`]) {
          const path = `/.well-known/webfinger?resource=${encodeURIComponent(resource)}`;
          expect((await fetched(path)).status, path).within(400, 404);
        }
      }
    });

    it('include the server itself', async () => {
      const { body } = await fetched('/actor');
      expect(body).deep.include({
        id: `${ORIGIN}/actor`,
        type: 'Application',
        preferredUsername: 'rookery.example',
      });
      expect(body.publicKey.publicKeyPem).equal(server.app.keys.instance.publicKey);
      expect((await fetched('/actor/outbox')).body.totalItems).equal(0);
    });
  });

  describe('Posts', () => {
    it('are notes with their audience, tags and languages', async () => {
      const parent = await post(bob, { status: 'First' });
      const { id, uri } = await post(alice, {
        status: 'Hello @bob #Rooks #ćwir',
        spoiler_text: 'Birds',
        sensitive: true,
        language: 'de',
        in_reply_to_id: parent.id,
        quote_approval_policy: 'followers',
      });
      const { status, headers, body } = await fetched(pathOf(uri));
      expect([status, headers.get('cache-control')]).deep.equal([200, 'private, no-store']);
      expect(body).deep.include({
        id: uri,
        type: 'Note',
        summary: 'Birds',
        sensitive: true,
        inReplyTo: parent.uri,
        attributedTo: `${ORIGIN}/users/Alice`,
        url: `${ORIGIN}/@Alice/${id}`,
        to: [PUBLIC],
        cc: [`${ORIGIN}/users/Alice/followers`, `${ORIGIN}/users/bob`],
      });
      expect(body['@context']).to.be.an('array');
      expect(body.content).contain('Hello').contain('<span>bob</span>');
      expect(body.contentMap).deep.equal({ de: body.content });
      expect(body.tag).deep.equal([
        { type: 'Mention', href: `${ORIGIN}/users/bob`, name: '@bob@rookery.example' },
        { type: 'Hashtag', href: `${ORIGIN}/tags/cwir`, name: '#ćwir' },
        { type: 'Hashtag', href: `${ORIGIN}/tags/rooks`, name: '#Rooks' },
      ]);
      expect(body.interactionPolicy.canQuote.automaticApproval).deep.equal([
        `${ORIGIN}/users/Alice/followers`,
      ]);
      const create = await fetched(`${pathOf(uri)}/activity`);
      expect(create.body).deep.include({ type: 'Create', actor: `${ORIGIN}/users/Alice`, to: [PUBLIC] });
      expect(create.body.object.id).equal(uri);
      expect((await fetched(pathOf(uri), { Accept: 'text/html' })).headers.get('location')).equal(
        `${ORIGIN}/@Alice/${id}`,
      );
      expect((await fetched(`/@alice/${id}`)).body.id).equal(uri);
      const replies = await fetched(`${pathOf(parent.uri)}/replies?page=true`);
      expect(replies.body.items).deep.equal([uri]);
    });

    it('count favourites and reblogs, each in a collection of its own', async () => {
      const { id, uri } = await post(alice, { status: 'Liked' });
      for (const action of ['favourite', 'reblog']) {
        await server.call('POST', `/api/v1/statuses/${id}/${action}`, { token: bob.token });
      }
      const { body } = await fetched(pathOf(uri));
      for (const name of ['likes', 'shares']) {
        const told = { id: `${uri}/${name}`, type: 'Collection', totalItems: 1 };
        expect(body[name]).deep.equal(told);
        expect((await fetched(`${pathOf(uri)}/${name}`)).body).deep.include(told);
      }
    });

    it('are questions when they have a poll', async () => {
      const { uri } = await post(alice, {
        status: 'Which?',
        poll: { options: ['Rook', 'Crow'], expires_in: 3600, multiple: true },
      });
      const { body } = await fetched(pathOf(uri));
      expect(body.type).equal('Question');
      expect(body.anyOf.map(({ name }: { name: string }) => name)).deep.equal(['Rook', 'Crow']);
      expect(body.anyOf[0].replies.totalItems).equal(0);
      expect(body.votersCount).equal(0);
      expect(Date.parse(body.endTime)).above(Date.now());
      expect(body).not.have.property('closed');
    });

    it('are public by address when they are unlisted', async () => {
      const { uri } = await post(alice, { status: 'Quietly', visibility: 'unlisted' });
      const { body } = await fetched(pathOf(uri));
      expect(body.to).deep.equal([`${ORIGIN}/users/Alice/followers`]);
      expect(body.cc).deep.equal([PUBLIC]);
    });

    it('answer exactly like missing ones when they are not public (GHSA-gwhw-gcjx-72v8)', async () => {
      const hidden = [
        await post(alice, { status: 'For followers', visibility: 'private' }),
        await post(alice, { status: '@bob for you', visibility: 'direct' }),
      ];
      const deleted = await post(alice, { status: 'For followers, once', visibility: 'private' });
      await server.call('DELETE', `/api/v1/statuses/${deleted.id}`, { token: alice.token });
      const paths = [...hidden, deleted].map(({ uri }) => pathOf(uri));
      const elsewhere = (await post(bob, { status: 'Of bob' })).id;
      for (const suffix of ['', '/activity', '/replies', '/replies?page=true', '/likes', '/shares']) {
        for (const headers of [AS, { Accept: 'text/html' }]) {
          const absent = await fetched(`/users/Alice/statuses/1${suffix}`, headers);
          expect(absent.status).equal(404);
          for (const path of [
            ...paths,
            `/users/Alice/statuses/${elsewhere}`,
            '/users/Alice/statuses/9999999999999999999',
            '/users/Alice/statuses/x',
          ]) {
            const answer = await fetched(`${path}${suffix}`, headers);
            expect(answer.status, path).equal(404);
            expect(answer.body).deep.equal(absent.body);
            expect(namesOf(answer)).deep.equal(namesOf(absent));
          }
        }
      }
    });

    it('leave a tombstone when they are deleted', async () => {
      const { id, uri } = await post(alice, { status: 'Not for long' });
      await server.call('DELETE', `/api/v1/statuses/${id}`, { token: alice.token });
      const { status, body } = await fetched(pathOf(uri));
      expect(status).equal(410);
      expect(body).deep.include({ id: uri, type: 'Tombstone' });
      expect(body).not.have.property('content');
    });

    it('are Announce activities when they reblog, as long as the reblogged post is public', async () => {
      const original = await post(bob, { status: 'Worth telling' });
      const answer = await server.call('POST', `/api/v1/statuses/${original.id}/reblog`, {
        token: alice.token,
      });
      const { uri } = answer.body as { uri: string };
      const { body } = await fetched(pathOf(uri));
      expect(body).deep.include({
        id: uri,
        type: 'Announce',
        object: original.uri,
        actor: `${ORIGIN}/users/Alice`,
      });
      expect(body.cc).contain(`${ORIGIN}/users/bob`);
      expect((await fetched(pathOf(uri).replace('/activity', ''))).status).equal(404);
      await server.call('DELETE', `/api/v1/statuses/${original.id}`, { token: bob.token });
      expect((await fetched(pathOf(uri))).status).equal(404);
    });
  });

  describe('Collections', () => {
    it('page through public posts', async () => {
      const dora = await server.user('dora');
      const uris: string[] = [];
      for (let n = 0; n < 22; n += 1)
        uris.unshift(`${(await post(dora, { status: `Post ${n}` })).uri}/activity`);
      await post(dora, { status: 'For followers', visibility: 'private' });
      await post(dora, { status: '@bob', visibility: 'direct' });
      const outbox = await fetched('/users/dora/outbox');
      expect(outbox.body).deep.include({
        type: 'OrderedCollection',
        first: `${ORIGIN}/users/dora/outbox?page=true`,
      });
      const first = await fetched(pathOf(outbox.body.first as string));
      const second = await fetched(pathOf(first.body.next as string));
      const items = [...first.body.orderedItems, ...second.body.orderedItems];
      expect(items.map(({ id }: { id: string }) => id)).deep.equal(uris);
      expect(second.body).not.have.property('next');
      for (const bad of ['?page=2', '?page=true&max_id=x', '?page=true&min_id=x']) {
        expect((await fetched(`/users/dora/outbox${bad}`)).status, bad).equal(404);
      }
    });

    it('list followers, or only count them when the account hides them', async () => {
      const fay = await server.user('fay');
      const gus = await server.user('gus');
      await letFollow(server.app, gus.id, fay.id);
      expect((await fetched('/users/fay/followers?page=1')).body.orderedItems).deep.equal([
        `${ORIGIN}/users/gus`,
      ]);
      expect((await fetched('/users/gus/following?page=true')).body.orderedItems).deep.equal([
        `${ORIGIN}/users/fay`,
      ]);
      expect((await fetched('/users/fay/followers')).body.totalItems).equal(1);
      await happen(fay.id, { type: 'AccountUpdated', data: { id: fay.id, hide_collections: true } });
      const hidden = await fetched('/users/fay/followers');
      expect(hidden.body.totalItems).equal(1);
      expect(hidden.body).not.have.property('first');
      expect((await fetched('/users/fay/followers?page=true')).status).equal(404);
    });

    it('contain public pinned posts and featured hashtags', async () => {
      const { id, uri } = await post(alice, { status: 'Pin me' });
      const hidden = await post(alice, { status: 'Pin me too', visibility: 'private' });
      for (const pinned of [id, hidden.id]) {
        await server.call('POST', `/api/v1/statuses/${pinned}/pin`, { token: alice.token });
      }
      await server.call('POST', '/api/v1/featured_tags', { token: alice.token, body: { name: 'Rooks' } });
      const featured = await fetched('/users/alice/collections/featured');
      expect(featured.body.orderedItems.map((item: { id: string }) => item.id)).deep.equal([uri]);
      const tags = await fetched('/users/alice/collections/tags');
      expect(tags.body.items[0]).deep.include({ type: 'Hashtag', name: '#Rooks' });
    });
  });

  it("are refused in limited federation mode, except the server's own actor", async () => {
    const closed = await startTestServer({ LIMITED_FEDERATION_MODE: 'true' });
    try {
      await closed.user('alice');
      for (const path of [
        '/users/alice',
        '/users/alice/outbox',
        '/users/nobody',
        '/users/alice/statuses/1',
      ]) {
        expect((await closed.call('GET', path, { headers: AS })).status, path).equal(401);
      }
      expect((await closed.call('GET', '/actor', { headers: AS })).status).equal(200);
    } finally {
      await closed.close();
    }
  });
});

/** The headers of a reply without those that tell the time or the length. */
const namesOf = ({ headers }: Answer): [string, string][] =>
  [...headers].filter(([name]) => !['date', 'content-length', 'keep-alive', 'connection'].includes(name));
