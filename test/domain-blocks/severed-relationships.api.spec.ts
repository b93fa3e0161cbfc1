import { expect } from 'chai';
import { decideSeverance, severance } from '#commands/domain-blocks/severance.ts';
import { emptyProfile } from '#events/accounts.ts';
import type { SeveranceEvent } from '#events/severed-relationships.ts';
import { fold } from '#kernel/decider.ts';
import type {
  AdminDomainBlock,
  GroupedNotifications,
  Notification,
  Relationship,
} from '#mastodon/schemas/index.ts';
import { notifications } from '#projections/notifications/index.ts';
import { severedRelationships } from '#projections/severed-relationships.ts';
import type { Database } from '#storage/postgres/db.ts';
import { eventually } from '../support/eventually.ts';
import { describeTown, type Person } from '../support/people.ts';
import { openScratchDatabase, project } from '../support/projection.ts';
import { letAccept, letFollow, remoteAccount } from '../support/remote.ts';

const ADMIN_BLOCKS = '/api/v1/admin/domain_blocks';

describeTown('Relationships severed with a server', (town) => {
  let admin: Person;
  let alice: Person;
  let bob: Person;
  before(async function () {
    this.timeout(120_000);
    admin = await town.staff('admin', 'Admin');
    alice = await town.person('alice');
    bob = await town.person('bob');
  });

  const follows = async (who: string, whom: string): Promise<void> => {
    await letFollow(town.app, who, whom);
    await letAccept(town.app, whom, who).catch(() => undefined);
  };
  const severancesOf = async (who: Person): Promise<Notification[]> => {
    await town.waitUntilIdle();
    return (await who.get<Notification[]>('/api/v1/notifications?types[]=severed_relationships')).json;
  };
  const between = async (who: Person, whom: string): Promise<Relationship | undefined> =>
    (await who.get<Relationship[]>(`/api/v1/accounts/relationships?with_suspended=true&id[]=${whom}`))
      .json[0];
  const block = async (domain: string, severity: string): Promise<string> => {
    const { status, json } = await admin.post<AdminDomainBlock>(ADMIN_BLOCKS, { domain, severity });
    expect(status, JSON.stringify(json)).to.equal(200);
    return json.id;
  };

  it('are reported to the user who blocked the server', async () => {
    const [mutual, fan, idol, other] = await Promise.all([
      remoteAccount(town.app, 'mutual', 'own.example'),
      remoteAccount(town.app, 'fan', 'own.example'),
      remoteAccount(town.app, 'idol', 'own.example'),
      remoteAccount(town.app, 'other', 'notown.example'),
    ]);
    for (const id of [mutual, fan, other]) await follows(id, alice.id);
    for (const id of [mutual, idol]) await follows(alice.id, id);
    await follows(bob.id, idol);
    expect((await alice.post('/api/v1/domain_blocks', { domain: 'own.example' })).status).to.equal(200);
    const [notification, ...more] = await severancesOf(alice);
    expect(more).to.deep.equal([]);
    expect(notification?.account.id).to.equal(alice.id);
    expect(notification?.event).to.deep.include({
      id: notification?.id,
      type: 'user_domain_block',
      purged: false,
      target_name: 'own.example',
      followers_count: 2,
      following_count: 2,
    });
    for (const id of [mutual, fan, idol]) {
      expect(await between(alice, id)).to.include({ following: false, followed_by: false });
    }
    expect(await between(alice, other)).to.include({ followed_by: true });
    expect(await between(bob, idol)).to.include({ following: true });
    expect(await severancesOf(bob)).to.deep.equal([]);
    // The notification has the same event in groups and by its id.
    const { json: groups } = await alice.get<GroupedNotifications>(
      '/api/v2/notifications?types[]=severed_relationships',
    );
    expect(groups.notification_groups.map(({ event }) => event)).to.deep.equal([notification?.event]);
    const path = `/api/v1/notifications/${notification?.id}`;
    expect((await alice.get<Notification>(path)).json).to.deep.equal(notification);
    expect((await bob.get(path)).status).to.equal(404);
    expect((await alice.post(`${path}/dismiss`)).status).to.equal(200);
    expect(await severancesOf(alice)).to.deep.equal([]);
  });

  it('are not reported when there were none', async () => {
    expect((await alice.post('/api/v1/domain_blocks', { domain: 'strange.example' })).status).to.equal(200);
    expect(await severancesOf(alice)).to.deep.equal([]);
  });

  it('are reported to every affected user when staff suspend the server and its subdomains', async () => {
    const [one, below, asking, spared] = await Promise.all([
      remoteAccount(town.app, 'one', 'gone.example'),
      remoteAccount(town.app, 'below', 'x.gone.example:8443'),
      remoteAccount(town.app, 'asking', 'gone.example'),
      remoteAccount(town.app, 'spared', 'spared.gone.example:8443'),
    ]);
    await block('spared.gone.example', 'noop');
    for (const id of [one, below, spared]) await follows(id, alice.id);
    await follows(bob.id, below);
    await letFollow(town.app, alice.id, asking);
    const id = await block('gone.example', 'silence');
    expect((await admin.put(`${ADMIN_BLOCKS}/${id}`, { severity: 'suspend' })).status).to.equal(200);
    await eventually(async () => {
      const [notification] = await severancesOf(alice);
      expect(notification?.event).to.include({
        type: 'domain_block',
        target_name: 'gone.example',
        followers_count: 2,
        following_count: 0,
      });
      expect((await severancesOf(bob))[0]?.event).to.include({ followers_count: 0, following_count: 1 });
      expect(await between(alice, one)).to.include({ followed_by: false });
      expect(await between(alice, below)).to.include({ followed_by: false });
      expect(await between(alice, asking)).to.include({ requested: false });
      expect(await between(bob, below)).to.include({ following: false });
    });
    expect(await between(alice, spared)).to.include({ followed_by: true });
    expect(await severancesOf(admin)).to.deep.equal([]);
    // Lifting the suspension restores no relationship and sends no second notification.
    expect((await admin.delete(`${ADMIN_BLOCKS}/${id}`)).status).to.equal(200);
    expect(await between(alice, one)).to.include({ followed_by: false });
    expect(await severancesOf(alice)).to.have.length(1);
  });

  it('do not include those with a server that is only limited', async () => {
    const loud = await remoteAccount(town.app, 'loud', 'loud.example');
    await follows(loud, alice.id);
    await block('loud.example', 'silence');
    await town.waitUntilIdle();
    expect(await between(alice, loud)).to.include({ followed_by: true });
  });
});

const event = (account_id: string, id: string, followers_count: number): SeveranceEvent => ({
  type: 'RelationshipsSevered',
  data: {
    id,
    account_id,
    type: 'domain_block',
    target_name: 'bad.example',
    followers_count,
    following_count: 0,
  },
});

describe('The severed relationships of an account', () => {
  it('are counted once, and only when there are any', () => {
    const { data } = event('1', '7', 2);
    const again = { ...data, followers_count: 1 };
    expect(decideSeverance(fold(severance, []), data)).to.deep.equal([event('1', '7', 2)]);
    expect(decideSeverance(fold(severance, [event('1', '7', 2)]), again)).to.deep.equal([]);
    expect(decideSeverance(fold(severance, []), { ...data, followers_count: 0 })).to.deep.equal([]);
  });

  describe('in the read models', () => {
    let db: Database;
    before(async () => {
      db = await openScratchDatabase();
    });
    after(() => db.close());

    it('have the id of the block, and notify only local accounts', async function () {
      this.timeout(60_000);
      const [alice, far] = ['115500000000000001', '115500000000000002'];
      const created = (id: string, domain: string | null) => ({
        type: 'AccountCreated',
        data: {
          id,
          username: 'name',
          domain,
          created_at: '2026-11-21T08:00:00.000Z',
          ...emptyProfile,
          uri: `https://any.example/users/${id}`,
          url: `https://any.example/@${id}`,
        },
      });
      const block = '115500000000000009';
      const events = [
        ...[created(alice, null), created(far, 'far.example')],
        ...[event(alice, block, 2), event(far, block, 1)],
      ];
      const { relationship_severances: rows = [] } = await project(db, severedRelationships, events);
      expect(
        rows.map(({ account_id, id, followers_count }) => [account_id, id, followers_count]),
      ).to.deep.equal([
        [alice, block, 2],
        [far, block, 1],
      ]);
      const { notifications: told = [] } = await project(db, notifications, events);
      expect(
        told.map(({ account_id, id, type, from_account_id }) => [account_id, id, type, from_account_id]),
      ).to.deep.equal([[alice, block, 'severed_relationships', alice]]);
    });
  });
});
