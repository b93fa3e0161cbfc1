import { expect } from 'chai';
import { takeAction } from '#commands/accounts/index.ts';
import { Context } from '#kernel/context.ts';
import type { AdminAppeal, Notification, Report, Status, Strike } from '#mastodon/schemas/index.ts';
import { moderationBy } from '../admin-accounts/support.ts';
import { type Client, describeTown, ok, type Person } from '../support/people.ts';

const DAY = 86_400_000;

describeTown('Strikes, for their account', function (town) {
  this.timeout(60_000);
  let mod: Person;
  let admin: Person;
  let people = 0;
  before(async function () {
    this.timeout(120_000);
    mod = await town.staff('mod', 'Moderator');
    admin = await town.staff('admin', 'Admin');
  });

  const person = (): Promise<Person> => town.person(`person${(people += 1)}`);
  const own = async (who: Client, query = ''): Promise<Strike[]> => {
    await town.waitUntilIdle();
    return ok(who.get<Strike[]>(`/api/v1/strikes${query}`));
  };
  /** A user with one strike. */
  const struck = async (type = 'silence', more: object = {}): Promise<{ who: Person; id: string }> => {
    const who = await person();
    await moderationBy(mod).act(who, type, more);
    const [strike] = await own(who);
    return { who, id: strike?.id ?? '' };
  };
  const appeal = (who: Client, id: string, text: unknown = 'It was my own book') =>
    who.post<Strike>(`/api/v1/strikes/${id}/appeal`, { text });
  const withdraw = (who: Client, id: string) => who.delete<Strike>(`/api/v1/strikes/${id}/appeal`);
  const judge = async (id: string | undefined, verdict: 'approve' | 'reject', note = ''): Promise<void> => {
    await ok(admin.post<AdminAppeal>(`/api/v1/admin/appeals/${id}/${verdict}`, { note }));
  };
  const warningOf = async (who: Client): Promise<Notification['moderation_warning']> => {
    await town.waitUntilIdle();
    const [first] = await ok(who.get<Notification[]>('/api/v1/notifications?types[]=moderation_warning'));
    return first?.moderation_warning;
  };

  it('are listed newest first, page by page, with all attributes', async () => {
    const who = await person();
    const { id: post } = await ok(who.post<Status>('/api/v1/statuses', { status: 'Eggs' }));
    const body = { account_id: who.id, status_ids: [post] };
    const { id: report_id } = await ok(admin.post<Report>('/api/v1/reports', body));
    await town.waitUntilIdle();
    await moderationBy(mod).act(who, 'none', { text: 'No eggs', report_id });
    for (const type of ['sensitive', 'silence']) await moderationBy(mod).act(who, type);
    const strikes = await own(who);
    expect(strikes.map(({ action }) => action)).to.deep.equal(['silence', 'sensitive', 'none']);
    const { id, created_at, target_account, ...rest } = strikes[2]!;
    expect(rest).to.deep.equal({
      action: 'none',
      text: 'No eggs',
      status_ids: [post],
      grounds: { category: 'other', rules: [] },
      appeal: null,
      overruled_at: null,
      appealable_until: new Date(Date.parse(created_at) + 20 * DAY).toISOString(),
    });
    expect(target_account.id).to.equal(who.id);
    expect(await ok(who.get(`/api/v1/strikes/${id}`))).to.deep.equal(strikes[2]);
    const { json, links } = await who.get<Strike[]>('/api/v1/strikes?limit=2');
    expect(json).to.deep.equal(strikes.slice(0, 2));
    expect(await own(who, `?${links['next']}`)).to.deep.equal(strikes.slice(2));
    expect(await own(who, `?min_id=${id}&limit=1`)).to.deep.equal(strikes.slice(1, 2));
    expect(await own(await person())).to.deep.equal([]);
  });

  it('are private to the user, also from staff', async () => {
    const { who, id } = await struck();
    const other = await person();
    for (const stranger of [other, mod, admin]) {
      expect((await stranger.get(`/api/v1/strikes/${id}`)).status).to.equal(404);
      expect((await appeal(stranger, id)).status).to.equal(404);
      expect((await withdraw(stranger, id)).status).to.equal(404);
    }
    expect((await town.nobody.get('/api/v1/strikes')).status).to.equal(401);
    const narrow = await who.withScopes('read:statuses', 'write:statuses');
    for (const answer of [
      await narrow.get('/api/v1/strikes'),
      await narrow.get(`/api/v1/strikes/${id}`),
      await appeal(narrow, id),
      await withdraw(narrow, id),
    ]) {
      expect(answer.status).to.equal(403);
    }
    const wide = await who.withScopes('read:accounts', 'write:accounts');
    expect((await own(wide))[0]?.appeal).to.equal(null);
    expect((await appeal(wide, id)).status).to.equal(200);
  });

  it('can be appealed once, which the notification shows too', async () => {
    const { who, id } = await struck();
    expect((await warningOf(who))?.appeal).to.equal(null);
    const strike = await ok(appeal(who, id, ' Not me '));
    expect(strike).to.include({ id, appealable_until: null, overruled_at: null });
    expect(strike.appeal).to.deep.include({ text: 'Not me', state: 'pending', note: '', closed_at: null });
    expect(await own(who)).to.deep.equal([strike]);
    expect((await warningOf(who))?.appeal).to.deep.equal({ text: 'Not me', state: 'pending' });
    const before = await town.events();
    const again = await appeal(who, id, 'Really not');
    expect([again.status, again.json]).to.deep.equal([
      422,
      { error: 'This strike was appealed already, and that can be done once' },
    ]);
    expect(await town.events()).to.equal(before);
  });

  it('are appealed once, by any number of concurrent requests', async () => {
    const { who, id } = await struck();
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((text) => appeal(who, id, text)));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 422, 422, 422]);
    await town.waitUntilIdle();
    const { json } = await admin.get<AdminAppeal[]>('/api/v1/admin/appeals');
    expect(json.filter(({ strike }) => strike.id === id)).to.have.length(1);
  });

  it('are not appealed with a blank or too long text', async () => {
    const { who, id } = await struck();
    const before = await town.events();
    expect((await who.post(`/api/v1/strikes/${id}/appeal`)).status).to.equal(422);
    for (const text of ['', '  ', null, 'x'.repeat(2_001), 'x'.repeat(30_000), ['a'], { a: 1 }]) {
      expect((await appeal(who, id, text)).status, JSON.stringify(text)).to.equal(422);
    }
    for (const strange of ['0', '1', 'x', '99999999999999999999', '100000000000000000']) {
      expect((await appeal(who, strange)).status).to.equal(404);
      expect((await withdraw(who, strange)).status).to.equal(404);
      expect((await who.get(`/api/v1/strikes/${strange}`)).status).to.equal(404);
    }
    expect(await town.events()).to.equal(before);
  });

  it('can be appealed for 20 days', async () => {
    const old = async (age: number): Promise<{ who: Person; id: string }> => {
      const who = await person();
      const ctx = new Context(town.app.contextDependencies, {
        requestId: 'spec',
        ip: '',
        locale: undefined,
        rule: 'spec',
        identity: {
          commandId: `spec-${age}`,
          firstId: mod.id,
          repeated: false,
          now: new Date(Date.now() - age).toISOString(),
        },
      });
      const id = town.app.systemContext('spec').newId();
      const strike = {
        id,
        action: 'none' as const,
        text: 'Hm',
        reportId: null,
        statusIds: [],
        notify: false,
      };
      await takeAction(ctx, who.id, strike, undefined);
      return { who, id };
    };
    const [late, inTime] = [await old(20 * DAY + 1_000), await old(19 * DAY)];
    await town.waitUntilIdle();
    const refused = await appeal(late.who, late.id);
    expect([refused.status, refused.json]).to.deep.equal([
      422,
      { error: 'It is too late to appeal this strike' },
    ]);
    expect((await appeal(inTime.who, inTime.id)).status).to.equal(200);
  });

  it('keep a withdrawn appeal for good', async () => {
    const { who, id } = await struck();
    expect((await withdraw(who, id)).status).to.equal(404);
    await ok(appeal(who, id));
    const withdrawn = await ok(withdraw(who, id));
    expect(withdrawn.appeal).to.include({ state: 'withdrawn', text: 'It was my own book' });
    expect(withdrawn.appeal?.closed_at).to.be.a('string');
    expect(withdrawn.appealable_until).to.equal(null);
    const before = await town.events();
    expect(await ok(withdraw(who, id))).to.deep.equal(withdrawn);
    expect((await appeal(who, id)).status).to.equal(422);
    expect(await town.events()).to.equal(before);
    // Mastodon's entity knows no such state.
    expect((await warningOf(who))?.appeal).to.equal(null);
    expect(await ok(who.get<{ silenced: boolean }>('/api/v1/accounts/verify_credentials'))).to.include({
      limited: true,
    });
  });

  it('show the decision of staff, and their note', async () => {
    for (const [verdict, state] of [
      ['approve', 'approved'],
      ['reject', 'rejected'],
    ] as const) {
      const { who, id } = await struck();
      const { appeal: pending } = await ok(appeal(who, id));
      await judge(pending?.id, verdict, 'We looked again.');
      const [strike] = await own(who);
      expect(strike?.appeal).to.include({ state, note: 'We looked again.' });
      expect(strike?.appeal?.closed_at).to.be.a('string');
      expect(strike?.overruled_at === null).to.equal(verdict === 'reject');
      expect((await warningOf(who))?.appeal).to.deep.equal({ text: 'It was my own book', state });
      const before = await town.events();
      const late = await withdraw(who, id);
      expect([late.status, late.json]).to.deep.equal([422, { error: 'This appeal is decided already' }]);
      expect((await appeal(who, id)).status).to.equal(422);
      expect(await town.events()).to.equal(before);
    }
  });
});
