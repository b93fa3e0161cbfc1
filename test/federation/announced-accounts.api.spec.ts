import { createHash } from 'node:crypto';
import { expect } from 'chai';
import {
  addAlias,
  cancelMigration,
  migrateAccount,
  moveAccount,
  removeAlias,
  replayMove,
} from '#commands/accounts/index.ts';
import { emptyProfile } from '#events/accounts.ts';
import { type DomainBlockEvent, domainBlockStream } from '#events/admin-domain-blocks.ts';
import { type DomainAllowEvent, domainAllowStream } from '#events/domain-allows.ts';
import { type ClaimEvent, remoteUriStream } from '#events/federation.ts';
import { recipientsOf } from '#queries/federation/index.ts';
import { eventually } from '../support/eventually.ts';
import { blockServerAs } from '../support/inbox.ts';
import { ask } from '../support/peer.ts';
import { letFollow, suspendAccount } from '../support/remote.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { delivered, ORIGIN, PUBLIC, type RemoteServer } from './remote-server.ts';
import { ALICE, Scene, toFollowers } from './scene.ts';

describe('Announcements of account changes to other servers', function () {
  this.timeout(60_000);
  let scene: Scene;
  let server: TestServer;
  let far: RemoteServer;
  let wide: RemoteServer;
  let alice: TestUser;
  let bob: TestUser;

  before(async function () {
    this.timeout(120_000);
    scene = await Scene.start();
    await scene.meet();
    ({ server, alice, bob, far, wide } = scene);
    for (const { id } of [scene.fan, scene.fan2, scene.loner]) await letFollow(server.app, id, alice.id);
    await arrived();
  });
  after(() => scene.close());

  const call: Scene['call'] = (...given) => scene.call(...given);
  const post: Scene['post'] = (...given) => scene.post(...given);
  const happen: Scene['happen'] = (...given) => scene.happen(...given);
  const arrived = (): Promise<string[]> => scene.arrived();

  describe('that target local accounts', () => {
    it('send an Update when a profile changes, is suspended and is restored', async () => {
      await call('PATCH', '/api/v1/accounts/update_credentials', alice, { display_name: 'Alice A.' });
      await delivered(server);
      const { activity } = far.arrivals[0] ?? {};
      expect(activity).deep.include({ type: 'Update', actor: ALICE, to: [PUBLIC] });
      expect(activity.object).deep.include({ id: ALICE, type: 'Person', name: 'Alice A.' });
      expect(activity.object.publicKey.id).equal(`${ALICE}#main-key`);
      expect(await arrived()).deep.equal(toFollowers('Update'));

      await happen(alice.id, { type: 'AccountSuspended', data: { account_id: alice.id } });
      await delivered(server);
      expect(far.arrivals[0]?.activity.object).deep.include({ id: ALICE, suspended: true, name: 'alice' });
      expect(await arrived()).deep.equal(toFollowers('Update'));
      await happen(alice.id, { type: 'AccountUnsuspended', data: { account_id: alice.id } });
      await delivered(server);
      expect(far.arrivals[0]?.activity.object).deep.include({ name: 'Alice A.' });
      expect(far.arrivals[0]?.activity.object).not.have.property('suspended');
      await arrived();
    });

    it('go also to servers that received posts of the account, unless the account blocks them', async () => {
      const { stranger } = scene;
      await post(bob, { status: '@stranger@wide.example hello' });
      expect(await arrived()).deep.equal(['wide.example/inbox Create']);
      const rename = (display_name: string) =>
        call('PATCH', '/api/v1/accounts/update_credentials', bob, { display_name });
      await rename('Bob B.');
      expect(await arrived()).deep.equal(['wide.example/inbox Update']);
      await blockServerAs(server, bob, new URL(stranger.uri).host);
      await rename('Bob C.');
      expect(await arrived()).deep.equal([]);
    });

    it('send Add and Remove for featured hashtags', async () => {
      const featured = await call('POST', '/api/v1/featured_tags', alice, { name: 'Blåhaj' });
      await delivered(server);
      const hashtag = { type: 'Hashtag', href: `${ORIGIN}/@alice/tagged/blahaj` };
      const target = `${ALICE}/collections/featured`;
      const { activity: added } = far.arrivals[0] ?? {};
      expect(added).deep.include({ type: 'Add', actor: ALICE, target });
      expect(added.object).deep.equal({ ...hashtag, name: '#Blåhaj' });
      expect(await arrived()).deep.equal(toFollowers('Add'));
      await call('DELETE', `/api/v1/featured_tags/${featured.id}`, alice);
      await delivered(server);
      const { activity: removed } = far.arrivals[0] ?? {};
      expect(removed).deep.include({ type: 'Remove', actor: ALICE, target });
      expect(removed.object).deep.equal({ ...hashtag, name: '#blahaj' });
      expect(await arrived()).deep.equal(toFollowers('Remove'));
    });

    it('send a Move, and the new account lists the old one in alsoKnownAs', async () => {
      const old = await server.user('old');
      await letFollow(server.app, scene.fan.id, old.id);
      await arrived();
      await migrateAccount(server.app.systemContext('spec'), { accountId: old.id, targetId: alice.id });
      await delivered(server);
      const [update, move] = far.news().map((news) => news.activity);
      expect(update.object).deep.include({ id: `${ORIGIN}/users/old`, movedTo: ALICE });
      expect(move).deep.include({
        type: 'Move',
        actor: `${ORIGIN}/users/old`,
        object: `${ORIGIN}/users/old`,
        target: ALICE,
      });
      const { body } = await server.call('GET', '/users/alice', {
        headers: { Accept: 'application/activity+json' },
      });
      const document = (typeof body === 'string' ? JSON.parse(body) : body) as { alsoKnownAs: string[] };
      expect(document.alsoKnownAs).deep.equal([`${ORIGIN}/users/old`]);
    });

    it('send an Update for aliases and redirects, and a Move only when followers move', async () => {
      const ctx = () => server.app.systemContext('spec');
      const user = await server.user('leading');
      await letFollow(server.app, scene.fan.id, user.id);
      await arrived();
      const objects = async (): Promise<unknown[]> => {
        await delivered(server);
        return far.news().map(({ activity }) => [activity.type, activity.object]);
      };
      const self = `${ORIGIN}/users/leading`;
      await addAlias(ctx(), { accountId: user.id, text: ALICE });
      const [[type, named] = []] = (await objects()) as [string, object][];
      expect(type).equal('Update');
      expect(named).deep.include({ id: self, alsoKnownAs: [ALICE] });
      await removeAlias(ctx(), { accountId: user.id, text: ALICE });
      const [[, unnamed] = []] = (await objects()) as [string, object][];
      expect(unnamed).deep.include({ id: self }).and.not.have.property('alsoKnownAs');
      await moveAccount(ctx(), user.id, { to: '@bob', withFollowers: false });
      const told = (await objects()) as [string, object][];
      expect(told.map(([type]) => type)).deep.equal(['Update']);
      expect(told[0]?.[1]).deep.include({ id: self, movedTo: `${ORIGIN}/users/bob` });
      await cancelMigration(ctx(), user.id);
      const [[, back] = []] = (await objects()) as [string, object][];
      expect(back).deep.include({ id: self }).and.not.have.property('movedTo');
      await addAlias(ctx(), { accountId: bob.id, text: '@leading' });
      await server.waitUntilIdle();
      await moveAccount(ctx(), user.id, { to: '@bob' });
      await replayMove(ctx(), user.id);
      const moved = ((await objects()) as [string, object][]).map(([type]) => type);
      expect(moved.filter((type) => type === 'Move')).deep.equal(['Move', 'Move']);
      await arrived();
    });

    it('send the deletion of an account to every known server', async () => {
      const { id } = await server.user('gone');
      for (const follower of [scene.fan, scene.loner]) await letFollow(server.app, follower.id, id);
      await arrived();
      await happen(id, { type: 'AccountSuspended', data: { account_id: id } });
      await happen(id, { type: 'AccountErased', data: { account_id: id } });
      const uri = `${ORIGIN}/users/gone`;
      await eventually(async () => {
        await delivered(server);
        for (const { arrivals } of [far, wide]) {
          const said = arrivals.map(({ activity }) => activity).find(({ type }) => type === 'Delete');
          expect(said).deep.include({ id: `${uri}#delete`, actor: uri, object: uri, to: [PUBLIC] });
        }
      });
      await arrived();
    });
  });

  describe('to other servers', () => {
    it('stop when the server is blocked or its account is suspended', async () => {
      const banned = await far.account('banned', { shared: false });
      await letFollow(server.app, banned.id, bob.id);
      await arrived();
      await suspendAccount(server.app, banned.id);
      expect(await arrived()).deep.equal(['far.example/users/banned/inbox Reject']);
      await post(bob, { status: '@banned@far.example hello' });
      expect(await arrived()).deep.equal([]);

      const ctx = server.app.systemContext('spec');
      const block = (type: 'DomainBlocked' | 'DomainUnblocked', domain: string) =>
        ctx.execute(
          domainBlockStream(domain),
          { initialState: null, evolve: () => null },
          () =>
            [
              {
                type,
                data:
                  type === 'DomainUnblocked'
                    ? { id: '1', domain }
                    : {
                        id: '1',
                        domain,
                        severity: 'suspend',
                        reject_media: false,
                        reject_reports: false,
                        private_comment: null,
                        public_comment: null,
                        obfuscate: false,
                      },
              },
            ] as DomainBlockEvent[],
          { step: `${type} ${domain}` },
        );
      await block('DomainBlocked', 'wide.example');
      await server.waitUntilIdle();
      // Its follows end a little later, and it receives nothing but their ends.
      await eventually(() => {
        expect(wide.arrivals.map(({ activity }) => activity.type as string)).contain('Reject');
      });
      await arrived();
      await post(alice, { status: '@stranger@wide.example hello' });
      expect(await arrived()).deep.equal(['far.example/inbox Create']);
      await block('DomainUnblocked', 'wide.example');
      await server.waitUntilIdle();
      await letFollow(server.app, scene.loner.id, alice.id);
      await arrived();

      // The block also applies by the host of the inbox, whatever the domain of the handle. Sending checks it
      // again.
      await block('DomainBlocked', wide.peer.host);
      await server.waitUntilIdle();
      await post(alice, { status: 'Hello all' });
      expect(await arrived()).deep.equal(['far.example/inbox Create']);
      await block('DomainUnblocked', wide.peer.host);
      await server.waitUntilIdle();
    });

    it('wait for servers that were down until those make a request again', async () => {
      await server.app.db.query(
        `insert into durable.federation_hosts as h (host, failures, down_since, retry_at)
         values ($1, 5, now(), now() + interval '1 hour')
         on conflict (host) do update set failures = 5, down_since = now(), retry_at = excluded.retry_at`,
        [far.peer.host],
      );
      const { uri } = await post(alice, { status: 'Where are you?' });
      await server.waitUntilIdle();
      await eventually(() =>
        expect(wide.news().map(({ inbox }) => inbox)).deep.equal(['/users/loner/inbox']),
      );
      expect(far.arrivals).deep.equal([]);
      const path = uri.slice(ORIGIN.length);
      const { status } = await ask(server.url, path, await far.peer.sign('fan', uri));
      expect(status).equal(200);
      expect(await arrived()).deep.equal(['far.example/inbox Create']);
    });

    it('are limited to allowed servers in limited federation mode', async () => {
      const { db } = server.app;
      const instance = { limitedFederation: true };
      const audience = { followersOf: alice.id };
      expect(await recipientsOf({ db, instance }, audience)).deep.equal({ inboxes: [], unknown: [] });
      const ctx = server.app.systemContext('spec');
      await ctx.execute(
        domainAllowStream('far.example'),
        { initialState: null, evolve: () => null },
        (): DomainAllowEvent[] => [
          { type: 'DomainAllowed', data: { id: ctx.newId(), domain: 'far.example' } },
        ],
      );
      await server.waitUntilIdle();
      const { inboxes } = await recipientsOf({ db, instance }, audience);
      expect(inboxes).deep.equal([`${far.peer.origin}/inbox`]);
    });

    it('use inboxes only at the origin of the actor', async () => {
      const uri = far.peer.actor('elder');
      far.peer.finger('elder', {
        subject: `acct:elder@${far.peer.host}`,
        links: [{ rel: 'self', type: 'application/activity+json', href: uri }],
      });
      const { services } = server.app.contextDependencies;
      const found = await services.resolver.resolve(uri);
      const [inboxes] = await server.app.db.query<{ inbox: string }>(
        'select inbox from remote_inboxes where account_id = $1',
        [found?.account],
      );
      expect(inboxes?.inbox).equal(`${uri}/inbox`);

      // An inbox elsewhere, a malformed one or none makes the actor unusable.
      for (const inbox of [`${wide.peer.origin}/inbox`, 'nowhere', undefined]) {
        const name = `astray${String(inbox).length}`;
        const astray = far.peer.actor(name, { inbox });
        expect(await services.resolver.resolve(astray), String(inbox)).equal(undefined);
      }
      const shared = far.peer.actor('sharing', { endpoints: { sharedInbox: `${wide.peer.origin}/inbox` } });
      const sharing = await services.resolver.resolve(shared);
      const { inboxes: places } = await recipientsOf(server.app.systemContext('spec'), {
        accounts: [sharing?.account ?? ''],
      });
      expect(places).deep.equal([`${shared}/inbox`]);
    });

    it('fetch a missing inbox when there is something to send to the account', async () => {
      const received: string[] = [];
      const uri = far.peer.actor('veteran');
      far.peer.put('/users/veteran/inbox', (_req, res) => {
        received.push('veteran');
        res.status(202).end();
      });
      const ctx = server.app.systemContext('spec');
      const id = ctx.newId();
      const digest = createHash('sha256').update(uri).digest('hex');
      await ctx.execute(
        remoteUriStream(digest),
        { initialState: null, evolve: () => null },
        (): ClaimEvent[] => [{ type: 'RemoteUriClaimed', data: { digest, kind: 'account', id } }],
      );
      await happen(id, {
        type: 'AccountCreated',
        data: {
          id,
          username: 'veteran',
          domain: far.peer.host,
          uri,
          url: uri,
          created_at: ctx.now,
          ...emptyProfile,
        },
      });
      await call('POST', `/api/v1/accounts/${id}/follow`, bob);
      await delivered(server);
      expect(received).deep.equal(['veteran']);
    });
  });

  describe('in metrics', () => {
    it('count sent and waiting deliveries, and hosts that are down', async () => {
      const { status, body } = await server.call('GET', '/metrics');
      expect(status).equal(200);
      expect(body).match(/^federation_deliveries_total\{outcome="delivered"\} [1-9]/m);
      expect(body).match(/^federation_deliveries_queued 0$/m);
      expect(body).match(/^federation_hosts_down 0$/m);
    });
  });
});
