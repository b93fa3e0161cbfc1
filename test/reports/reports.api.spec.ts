import { expect } from 'chai';
import { addRule, removeRule } from '#commands/instance/index.ts';
import { resolveReportsOf } from '#commands/reports/index.ts';
import type { AdminReport, Collection, Report, Status } from '#mastodon/schemas/index.ts';
import { type Answer, type Client, describeTown, type Person } from '../support/people.ts';
import { remoteAccount } from '../support/remote.ts';

const ABSENT = '100000000000000000';

describeTown('Reporting accounts', (town) => {
  let alice: Person;
  let bob: Person;
  let mod: Person;
  before(async function () {
    this.timeout(120_000);
    alice = await town.person('alice');
    bob = await town.person('bob');
    mod = await town.staff('mod', 'Moderator');
  });

  const post = async (who: Client, body: object): Promise<Status> => {
    const { status, json } = await who.post<Status>('/api/v1/statuses', body);
    expect(status, JSON.stringify(json)).to.equal(200);
    return json;
  };
  const file = (who: Client, body: object): Promise<Answer<Report>> => who.post('/api/v1/reports', body);
  const filed = async (who: Client, body: object): Promise<Report> => {
    const { status, json } = await file(who, body);
    expect(status, JSON.stringify(json)).to.equal(200);
    return json;
  };
  const asStaff = async (id: string): Promise<AdminReport> => {
    await town.waitUntilIdle();
    const { status, json } = await mod.get<AdminReport>(`/api/v1/admin/reports/${id}`);
    expect(status, JSON.stringify(json)).to.equal(200);
    return json;
  };

  it('returns the report, which staff see', async () => {
    const status = await post(bob, { status: 'Eggs, fresh eggs' });
    const report = await filed(alice, {
      account_id: bob.id,
      status_ids: [status.id],
      comment: 'Not his eggs',
      category: 'spam',
    });
    expect(report).to.deep.include({
      action_taken: false,
      action_taken_at: null,
      category: 'spam',
      comment: 'Not his eggs',
      forwarded: false,
      status_ids: [status.id],
      collection_ids: [],
      rule_ids: null,
    });
    expect(report.target_account).to.include({ id: bob.id, acct: 'bob' });
    const seen = await asStaff(report.id);
    expect(seen).to.deep.include({
      id: report.id,
      category: 'spam',
      comment: 'Not his eggs',
      created_at: report.created_at,
      assigned_account: null,
      action_taken_by_account: null,
      updated_at: report.created_at,
      rules: [],
    });
    expect(seen.account.id).to.equal(alice.id);
    expect(seen.target_account.email).to.match(/^bob-/);
    expect(seen.statuses.map(({ id, content }) => ({ id, content }))).to.deep.equal([
      { id: status.id, content: status.content },
    ]);
  });

  it('needs nothing but an account, and accepts forms', async () => {
    const report = await filed(alice, { account_id: bob.id });
    expect(report).to.deep.include({ category: 'other', comment: '', status_ids: [], rule_ids: null });
    const form = new FormData();
    form.set('account_id', bob.id);
    form.set('category', 'legal');
    form.set('forward', 'true');
    expect(await filed(alice, form)).to.include({ category: 'legal', forwarded: false });
  });

  it('keeps the statuses in their order, each once', async () => {
    const [one, two] = [await post(bob, { status: 'one' }), await post(bob, { status: 'two' })];
    const report = await filed(alice, { account_id: bob.id, status_ids: [two.id, one.id, two.id] });
    expect(report.status_ids).to.deep.equal([two.id, one.id]);
    expect((await asStaff(report.id)).statuses.map(({ id }) => id)).to.deep.equal([two.id, one.id]);
  });

  it('is a violation when rules are cited, whatever the category', async () => {
    const ctx = town.app.systemContext('spec');
    const [one, two] = [
      String((await addRule(ctx, { text: 'No eggs', hint: 'Of others' })).state.lastRuleId),
      String(
        (await addRule(town.app.systemContext('spec'), { text: 'No feathers', hint: '' })).state.lastRuleId,
      ),
    ];
    await town.waitUntilIdle();
    const report = await filed(alice, { account_id: bob.id, category: 'spam', rule_ids: [two, one] });
    expect(report).to.deep.include({ category: 'violation', rule_ids: [two, one] });
    // A cited rule stays readable after its removal, but cannot be cited again.
    await removeRule(town.app.systemContext('spec'), Number(one));
    const { rules } = await asStaff(report.id);
    expect(rules).to.deep.equal([
      { id: two, text: 'No feathers', hint: '', translations: {} },
      { id: one, text: 'No eggs', hint: 'Of others', translations: {} },
    ]);
    const { status } = await file(alice, { account_id: bob.id, rule_ids: [two, one] });
    expect(status).to.equal(422);
  });

  it('accepts the collections of the account', async () => {
    const friend = await town.person('friend', { discoverable: true });
    const { json } = await bob.post<{ collection: Collection }>('/api/v1/collections', {
      name: 'Egg people',
      description: '',
      sensitive: false,
      discoverable: true,
      account_ids: [friend.id],
    });
    const id = json.collection.id;
    const report = await filed(alice, { account_id: bob.id, collection_ids: [id] });
    expect(report.collection_ids).to.deep.equal([id]);
    expect((await asStaff(report.id)).collection_ids).to.deep.equal([id]);
    const wrong = await file(alice, { account_id: friend.id, collection_ids: [id] });
    expect(wrong.status).to.equal(404);
  });

  it('accepts remote accounts', async () => {
    const far = await remoteAccount(town.app, 'far', 'remote.example');
    const report = await filed(alice, { account_id: far, forward: true });
    expect(report.target_account.acct).to.equal('far@remote.example');
    const seen = await asStaff(report.id);
    expect(seen.target_account).to.include({ domain: 'remote.example', email: '' });
    expect([report.forwarded, seen.forwarded]).to.deep.equal([true, true]);
    const kept = await filed(alice, { account_id: far });
    expect([kept.forwarded, (await asStaff(kept.id)).forwarded]).to.deep.equal([false, false]);
    // A local target has no server to forward to.
    expect((await filed(alice, { account_id: bob.id, forward: true })).forwarded).to.equal(false);
  });

  describe('that cannot be reported', () => {
    const refused = async (body: object, who: Client = alice): Promise<void> => {
      await town.waitUntilIdle();
      const before = await town.events();
      const { status, json } = await file(who, body);
      expect({ status, json }).to.deep.equal({ status: 404, json: { error: 'Record not found' } });
      expect(await town.events()).to.equal(before);
    };

    it('replies 404 and files nothing for unknown accounts', async () => {
      const gone = await town.person('gone');
      await town.suspend(gone);
      for (const account_id of [ABSENT, gone.id, 'bob', '', null, {}]) await refused({ account_id });
      await refused({});
    });

    it('replies 404 and files nothing for statuses of other accounts, hidden ones and missing ones', async () => {
      const own = await post(alice, { status: 'mine' });
      const hidden = await post(bob, { status: 'for followers', visibility: 'private' });
      const fine = await post(bob, { status: 'for all' });
      for (const id of [own.id, hidden.id, ABSENT, 'x', '99999999999999999999']) {
        await refused({ account_id: bob.id, status_ids: [fine.id, id] });
      }
      await refused({ account_id: bob.id, collection_ids: [ABSENT] });
    });
  });

  it('replies 422 for invalid input, and files nothing', async () => {
    const before = await town.events();
    const refuse = async (body: object, error: string): Promise<void> => {
      const { status, json } = await file(alice, { account_id: bob.id, ...body });
      expect(status).to.equal(422);
      expect((json as unknown as { error: string }).error).to.equal(`Validation failed: ${error}`);
    };
    await refuse({ comment: 'x'.repeat(1_001) }, 'Comment is too long (maximum is 1000 characters)');
    await refuse({ category: 'rude' }, 'Category is not included in the list');
    await refuse({ category: 'violation' }, 'Rule ids does not reference valid rules');
    for (const none of ['no id', '99999', '9999999999999999999', ABSENT])
      await refuse({ rule_ids: [none] }, 'Rule ids does not reference valid rules');
    const many = Array.from({ length: 41 }, (_, index) => String(index + 1));
    expect((await file(alice, { account_id: bob.id, status_ids: many })).status).to.equal(422);
    expect(await town.events()).to.equal(before);
    // The limit counts characters, not bytes.
    expect((await filed(alice, { account_id: bob.id, comment: '🥚'.repeat(1_000) })).comment).to.have.length(
      2_000,
    );
  });

  it('needs the scope and a user', async () => {
    expect(
      (await file(await alice.withScopes('write:statuses', 'read'), { account_id: bob.id })).status,
    ).to.equal(403);
    expect((await file(await alice.withScopes('write:reports'), { account_id: bob.id })).status).to.equal(
      200,
    );
    expect((await file(town.nobody, { account_id: bob.id })).status).to.equal(401);
    const app = await file(await town.appOnly(), { account_id: bob.id });
    expect(app).to.deep.include({
      status: 422,
      json: { error: 'This method requires an authenticated user' },
    });
  });

  it('ends with an action against the account: all its open reports are resolved, and no others', async () => {
    const [carol, dave] = [await town.person('carol'), await town.person('dave')];
    const reports = [];
    for (let count = 0; count < 3; count += 1) reports.push(await filed(alice, { account_id: carol.id }));
    const other = await filed(alice, { account_id: dave.id });
    const ctx = town.app.systemContext('spec');
    await resolveReportsOf(ctx, carol.id, { account_id: mod.id });
    for (const { id } of reports) {
      const seen = await asStaff(id);
      expect(seen.action_taken).to.equal(true);
      expect(seen.action_taken_by_account?.id).to.equal(mod.id);
    }
    expect((await asStaff(other.id)).action_taken).to.equal(false);
    const before = await town.events();
    await resolveReportsOf(town.app.systemContext('spec'), carol.id, null);
    expect(await town.events()).to.equal(before);
  });
});
