import { expect } from 'chai';
import type { Relationship } from '#mastodon/schemas/index.ts';
import { describeTown, type Person } from '../support/people.ts';
import { expectScope } from '../support/scopes.ts';

describeTown('Private notes on accounts', (town) => {
  let alice: Person;
  let bob: Person;
  before(async function () {
    this.timeout(120_000);
    alice = await town.person('alice');
    bob = await town.person('bob');
  });

  const note = (body: object, target = bob.id) =>
    alice.post<Relationship>(`/api/v1/accounts/${target}/note`, body);
  const seenBy = async (who: Person, target: Person): Promise<string | undefined> =>
    (await who.get<Relationship[]>(`/api/v1/accounts/relationships?id[]=${target.id}`)).json[0]?.note;

  it('are set, changed and removed, and shown to their author alone', async () => {
    expect((await note({ comment: 'Met at the harbour 🚢\n"tall"' })).json).to.include({
      id: bob.id,
      note: 'Met at the harbour 🚢\n"tall"',
    });
    expect(await seenBy(alice, bob)).to.equal('Met at the harbour 🚢\n"tall"');
    expect(await seenBy(bob, alice)).to.equal('');
    expect((await note(new URLSearchParams({ comment: 'short' }))).json.note).to.equal('short');
    expect((await note({ comment: '' })).json.note).to.equal('');
    await note({ comment: 'again' });
    expect((await note({})).json.note).to.equal('');
  });

  it('record nothing when nothing changes', async () => {
    await note({ comment: 'same' });
    const before = await town.events();
    await note({ comment: 'same' });
    expect(await town.events()).to.equal(before);
  });

  it('survive a block', async () => {
    await note({ comment: 'loud' });
    const { json } = await alice.post<Relationship>(`/api/v1/accounts/${bob.id}/block`);
    expect(json).to.include({ blocking: true, note: 'loud' });
    await alice.post(`/api/v1/accounts/${bob.id}/unblock`);
  });

  it('may be about oneself', async () => {
    expect((await note({ comment: 'me' }, alice.id)).json).to.include({ id: alice.id, note: 'me' });
  });

  it("are encrypted in the log with the author's key", async () => {
    await note({ comment: 'harbourmaster' });
    const [row] = await town.app.db.query<{ notes: string; readable: string }>(
      `select count(*) filter (where data like '%"target_account_id":"${bob.id}"%') as notes,
         count(*) filter (where data like '%harbourmaster%') as readable
       from eventlog.events where type = 'AccountNoteSet'`,
    );
    expect(Number(row?.notes)).to.be.greaterThan(0);
    expect(row?.readable).to.equal('0');
  });

  it('are limited to 2,000 characters', async () => {
    const before = await town.events();
    expect((await note({ comment: 'x'.repeat(2_001) })).status).to.equal(422);
    expect(await town.events()).to.equal(before);
    expect((await note({ comment: 'x'.repeat(2_000) })).status).to.equal(200);
  });

  it('answer 404 for unknown accounts and require a token with the scope', async () => {
    for (const id of ['1', 'bob', '99999999999999999999']) {
      expect((await note({ comment: 'x' }, id)).status).to.equal(404);
    }
    const path = `/api/v1/accounts/${bob.id}/note`;
    await expectScope(town, alice, (who) => who.post(path), {
      enough: ['write:accounts'],
      others: ['read', 'follow'],
    });
  });
});
