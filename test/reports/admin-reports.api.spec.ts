import { expect } from 'chai';
import { addRule } from '#commands/instance/index.ts';
import type { AdminReport, Report } from '#mastodon/schemas/index.ts';
import { type Answer, type Client, describeTown, type Person } from '../support/people.ts';

const ABSENT = '100000000000000000';
const NOT_ALLOWED = { error: 'This action is not allowed' };

describeTown('The moderation of reports', (town) => {
  let alice: Person;
  let bob: Person;
  let mod: Person;
  let admin: Person;
  before(async function () {
    this.timeout(120_000);
    alice = await town.person('alice');
    bob = await town.person('bob');
    mod = await town.staff('mod', 'Moderator');
    admin = await town.staff('boss', 'Admin');
  });

  const file = async (by: Person, about: Person, body: object = {}): Promise<string> => {
    const { status, json } = await by.post<Report>('/api/v1/reports', { account_id: about.id, ...body });
    expect(status).to.equal(200);
    await town.waitUntilIdle();
    return json.id;
  };
  const act = async (who: Client, id: string, what: string): Promise<AdminReport> => {
    const { status, json } = await who.post<AdminReport>(`/api/v1/admin/reports/${id}/${what}`);
    expect(status, JSON.stringify(json)).to.equal(200);
    return json;
  };
  const list = async (query = ''): Promise<Answer<AdminReport[]>> => {
    await town.waitUntilIdle();
    const answer = await mod.get<AdminReport[]>(`/api/v1/admin/reports?${query}`);
    expect(answer.status, JSON.stringify(answer.json)).to.equal(200);
    return answer;
  };
  const rule = async (text: string): Promise<string> => {
    const { state } = await addRule(town.app.systemContext('spec'), { text, hint: '' });
    const id = state.lastRuleId;
    await town.waitUntilIdle();
    return String(id);
  };
  const ids = async (query?: string): Promise<string[]> => (await list(query)).json.map(({ id }) => id);

  it('assigns a report, reassigns it, and unassigns it', async () => {
    const id = await file(alice, bob);
    expect((await act(mod, id, 'assign_to_self')).assigned_account?.id).to.equal(mod.id);
    const before = await town.events();
    expect((await act(mod, id, 'assign_to_self')).assigned_account?.id).to.equal(mod.id);
    expect(await town.events()).to.equal(before);
    const taken = await act(admin, id, 'assign_to_self');
    expect(taken.assigned_account).to.deep.include({ id: admin.id, username: 'boss' });
    expect(Date.parse(taken.updated_at)).to.be.greaterThanOrEqual(Date.parse(taken.created_at));
    expect((await act(mod, id, 'unassign')).assigned_account).to.equal(null);
    const after = await town.events();
    expect((await act(mod, id, 'unassign')).assigned_account).to.equal(null);
    expect(await town.events()).to.equal(after);
  });

  it('resolves a report and reopens it, and names the staff member', async () => {
    const id = await file(alice, bob);
    const resolved = await act(mod, id, 'resolve');
    expect(resolved).to.include({ action_taken: true, action_taken_at: resolved.updated_at });
    expect(resolved.action_taken_by_account?.id).to.equal(mod.id);
    // The moderator who resolved the report first stays its actor.
    const again = await act(admin, id, 'resolve');
    expect(again).to.deep.equal(resolved);
    const reopened = await act(mod, id, 'reopen');
    expect(reopened).to.deep.include({
      action_taken: false,
      action_taken_at: null,
      action_taken_by_account: null,
    });
    const before = await town.events();
    await act(mod, id, 'reopen');
    expect(await town.events()).to.equal(before);
  });

  it('changes the category', async () => {
    const [one, two] = [await rule('No eggs'), await rule('No feathers')];
    const id = await file(alice, bob, { rule_ids: [one] });
    const put = (body: object): Promise<Answer<AdminReport>> => mod.put(`/api/v1/admin/reports/${id}`, body);
    expect((await put({ category: 'spam' })).json).to.include({ category: 'spam' });
    const { json: report } = await mod.get<AdminReport>(`/api/v1/admin/reports/${id}`);
    expect(report.rules).to.deep.equal([]);
    expect((await put({ category: 'violation', rule_ids: [one, two] })).json).to.include({
      category: 'violation',
    });
    const before = await town.events();
    expect((await put({})).status).to.equal(200);
    expect((await put({ category: 'violation', rule_ids: [one, two] })).status).to.equal(200);
    const refuse = async (body: object, error: string): Promise<void> => {
      expect(await put(body)).to.deep.include({ status: 422 });
      expect((await put(body)).json).to.include({ error: `Validation failed: ${error}` });
    };
    await refuse({ category: 'rude' }, 'Category is not included in the list');
    await refuse({ category: 'spam', rule_ids: [one] }, 'Rule ids must be blank');
    await refuse({ rule_ids: ['x'] }, 'Rule ids does not reference valid rules');
    expect((await put({ category: 1 })).status).to.equal(422);
    expect(await town.events()).to.equal(before);
    expect((await put({ rule_ids: [] })).json).to.deep.include({ category: 'violation', rules: [] });
    await put({ category: 'other' });
    await refuse({ category: 'violation' }, 'Rule ids does not reference valid rules');
    expect((await put({ category: 'violation', rule_ids: [] })).status).to.equal(200);
  });

  it('lists unresolved or resolved reports, by reporter and by subject', async () => {
    const [carol, dave] = [await town.person('carol'), await town.person('dave')];
    const [one, two, three] = [await file(carol, dave), await file(dave, carol), await file(carol, bob)];
    await act(mod, one, 'resolve');
    expect(await ids(`account_id=${carol.id}`)).to.deep.equal([three]);
    expect(await ids(`account_id=${carol.id}&resolved=true`)).to.deep.equal([one]);
    expect(await ids(`target_account_id=${carol.id}`)).to.deep.equal([two]);
    expect(await ids(`target_account_id=${dave.id}&account_id=${carol.id}&resolved=1`)).to.deep.equal([one]);
    expect(await ids(`account_id=${carol.id}&resolved=false`)).to.deep.equal([three]);
    expect(await ids('resolved='))
      .to.include.members([two, three])
      .and.not.include(one);
    for (const wrong of [ABSENT, 'x']) expect(await ids(`account_id=${wrong}`)).to.deep.equal([]);
  });

  it('is paged', async () => {
    const erin = await town.person('erin');
    const filed = [];
    for (let count = 0; count < 5; count += 1) filed.push(await file(erin, bob));
    const newest = filed.toReversed();
    const first = await list(`account_id=${erin.id}&limit=2`);
    expect(first.json.map(({ id }) => id)).to.deep.equal(newest.slice(0, 2));
    const second = await list(first.links['next']);
    expect(second.json.map(({ id }) => id)).to.deep.equal(newest.slice(2, 4));
    const back = await list(second.links['prev']);
    expect(back.json.map(({ id }) => id)).to.deep.equal(newest.slice(0, 2));
    expect(await ids(`account_id=${erin.id}&limit=100000`)).to.have.length(5);
  });

  it('is for staff with the scope only', async () => {
    const id = await file(alice, bob);
    const before = await town.events();
    const everything = await alice.withScopes('admin:read', 'admin:write', 'read', 'write');
    const [readOnly, writeOnly] = [
      await mod.withScopes('admin:read:reports'),
      await mod.withScopes('admin:write:reports'),
    ];
    const plain = await mod.withScopes('read', 'write');
    const actions = ['assign_to_self', 'unassign', 'resolve', 'reopen'];
    for (const path of [
      '/api/v1/admin/reports',
      `/api/v1/admin/reports/${id}`,
      `/api/v1/admin/reports/${ABSENT}`,
    ]) {
      const { status, json } = await everything.get(path);
      expect({ status, json }).to.deep.equal({ status: 403, json: NOT_ALLOWED });
      expect((await writeOnly.get(path)).status).to.equal(403);
      expect((await plain.get(path)).status).to.equal(403);
      expect((await town.nobody.get(path)).status).to.equal(403);
    }
    for (const action of actions) {
      const path = `/api/v1/admin/reports/${id}/${action}`;
      const { status, json } = await everything.post(path);
      expect({ status, json }).to.deep.equal({ status: 403, json: NOT_ALLOWED });
      expect((await readOnly.post(path)).status).to.equal(403);
      expect((await town.nobody.post(path)).status).to.equal(403);
    }
    expect((await everything.put(`/api/v1/admin/reports/${id}`, { category: 'spam' })).status).to.equal(403);
    expect((await readOnly.put(`/api/v1/admin/reports/${id}`, { category: 'spam' })).status).to.equal(403);
    expect(await town.events()).to.equal(before);
    expect((await readOnly.get(`/api/v1/admin/reports/${id}`)).status).to.equal(200);
    expect((await writeOnly.post(`/api/v1/admin/reports/${id}/resolve`)).status).to.equal(200);
  });

  it('replies 404 for an unknown report', async () => {
    for (const id of [ABSENT, 'x', '0']) {
      expect((await mod.get(`/api/v1/admin/reports/${id}`)).status).to.equal(404);
      expect((await mod.put(`/api/v1/admin/reports/${id}`, { category: 'spam' })).status).to.equal(404);
      for (const action of ['assign_to_self', 'unassign', 'resolve', 'reopen']) {
        expect((await mod.post(`/api/v1/admin/reports/${id}/${action}`)).status).to.equal(404);
      }
    }
  });

  it('never shows the reporter which staff member handles a report', async () => {
    const report = await alice.post<Report>('/api/v1/reports', { account_id: bob.id });
    await town.waitUntilIdle();
    await act(mod, report.json.id, 'assign_to_self');
    await act(mod, report.json.id, 'resolve');
    await town.waitUntilIdle();
    for (const path of ['/api/v1/notifications', '/api/v2/notifications', '/api/v1/timelines/home']) {
      for (const person of [alice, bob]) {
        const { status, json } = await person.get(path);
        expect(status).to.equal(200);
        expect(JSON.stringify(json)).not.to.include(mod.id).and.not.include('"mod"');
      }
    }
  });
});
