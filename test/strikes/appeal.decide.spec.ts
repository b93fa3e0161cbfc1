import { expect } from 'chai';
import { decideCreate } from '#commands/accounts/create-account.ts';
import { decideAction, decideLifting } from '#commands/accounts/moderate.ts';
import { decideAppeal, decideWithdrawal } from '#commands/strikes/appeal.ts';
import {
  type Bench,
  decideJudgement,
  FOUR_EYES,
  type Judge,
  type Judgement,
} from '#commands/strikes/judge.ts';
import { type Strikes, strikes } from '#commands/strikes/strikes.ts';
import type { AccountEvent, UserRole } from '#events/accounts.ts';
import type { AppealState } from '#events/appeals.ts';
import type { AccountAction, Lifting } from '#events/moderation.ts';
import { fold } from '#kernel/decider.ts';
import { refusal, refusalCode } from '../support/refusal.ts';

const [ID, STRIKE, NEXT, APPEAL] = ['115500000000000000', '7', '8', '9'];
const [MOD, ADMIN] = ['21', '22'];
const STRUCK = '2026-11-01T08:00:00.000Z';
const timing = { struckAt: STRUCK, now: '2026-11-02T08:00:00.000Z' };
const admin: Judge = { account_id: ADMIN, role: 'Admin' };
const bench: Bench & { judge: Judge } = { judge: admin, imposedBy: MOD, othersMay: true };

const signedUp = (role: UserRole | null = null): AccountEvent[] =>
  decideCreate(
    { state: 'none' },
    {
      username: 'alice',
      email: 'alice@example.org',
      password: 'x',
      locale: 'en',
      reason: null,
      confirmed: true,
      approved: true,
      role,
      applicationId: null,
      signUpIp: null,
    },
    { id: ID, now: STRUCK, origin: 'https://rookery.example' },
  );
const after = (state: Strikes, events: readonly AccountEvent[]): Strikes =>
  events.reduce(strikes.evolve, state);
const struck = (state: Strikes, action: AccountAction, id = STRIKE): Strikes =>
  after(
    state,
    decideAction(
      state.account,
      { action, id, text: 'Be kind', reportId: null, statusIds: [], notify: true },
      undefined,
    ),
  );
const alice = (role: UserRole | null = null): Strikes => fold(strikes, signedUp(role));
const lifted = (state: Strikes, what: Lifting): Strikes =>
  after(state, decideLifting(state.account, what, undefined));

const plea = (text = 'It was my own book', strikeId = STRIKE) => ({ id: APPEAL, strikeId, text });
const appeal = (state: Strikes): AccountEvent[] => decideAppeal(state, plea(), timing);
const judge = (state: Strikes, verdict: Judgement['verdict'], more: Partial<typeof bench> = {}) =>
  decideJudgement(state, STRIKE, { verdict, note: ' Sorry ' }, { ...bench, ...more });
const named = { id: APPEAL, account_id: ID, strike_id: STRIKE };

const MEASURES = [
  { action: 'sensitive', lifting: 'unsensitive', ends: 'AccountUnsensitized' },
  { action: 'silence', lifting: 'unsilence', ends: 'AccountUnsilenced' },
  { action: 'suspend', lifting: 'unsuspend', ends: 'AccountUnsuspended' },
  { action: 'disable', lifting: 'enable', ends: 'UserEnabled' },
] as const;

describe('The decisions about appeals', () => {
  it('file an appeal against a strike of the user, also a warning', () => {
    for (const action of ['none', ...MEASURES.map(({ action }) => action)] as const) {
      expect(decideAppeal(struck(alice(), action), plea('  Not me\n'), timing)).to.deep.equal([
        { type: 'AppealFiled', data: { ...named, text: 'Not me' } },
      ]);
    }
  });

  it('refuse a blank text and more than 2,000 characters of any script', () => {
    const state = struck(alice(), 'silence');
    const say = (text: string) => refusalCode(() => decideAppeal(state, plea(text), timing));
    expect([say(''), say(' \n\t '), say('x'.repeat(2_001)), say('🐦'.repeat(2_001))]).to.deep.equal([
      ...['invalid', 'invalid', 'invalid', 'invalid'],
    ]);
    expect([say('x'), say(` ${'x'.repeat(2_000)} `), say('🐦'.repeat(2_000))]).to.deep.equal([
      ...[undefined, undefined, undefined],
    ]);
  });

  it('refuse an appeal after 20 days', () => {
    const state = struck(alice(), 'silence');
    const at = (now: string) => refusal(() => decideAppeal(state, plea(), { struckAt: STRUCK, now }));
    expect(at('2026-11-21T08:00:00.000Z')).to.equal(undefined);
    expect(at('2026-11-21T08:00:00.001Z')).to.deep.equal(['invalid', 'It is too late to appeal this strike']);
  });

  it('refuse strikes of other accounts and remote accounts', () => {
    for (const state of [alice(), strikes.initialState]) {
      expect(refusalCode(() => appeal(state))).to.equal('not_found');
      expect(refusalCode(() => decideWithdrawal(state, STRIKE))).to.equal('not_found');
      expect(refusalCode(() => judge(state, 'approved'))).to.equal('not_found');
    }
    const state = struck(alice(), 'silence');
    expect(refusalCode(() => decideAppeal(state, plea('Hm', NEXT), timing))).to.equal('not_found');
    expect(refusalCode(() => decideWithdrawal(state, STRIKE))).to.equal('not_found');
    const gone = after(after(state, appeal(state)), [{ type: 'AccountErased', data: { account_id: ID } }]);
    expect(refusalCode(() => judge(gone, 'approved'))).to.equal('not_found');
    expect(refusalCode(() => decideWithdrawal(gone, STRIKE))).to.equal('not_found');
  });

  describe('over all transitions', () => {
    type Model = AppealState | 'none';
    /** The next state after each action in each state; absent for a refusal, the same for no change. */
    const MODEL: Record<string, Partial<Record<Model, Model>>> = {
      appeal: { none: 'pending' },
      withdraw: { pending: 'withdrawn', withdrawn: 'withdrawn' },
      approve: { pending: 'approved', approved: 'approved' },
      reject: { pending: 'rejected', rejected: 'rejected' },
    };
    const ACTS: Record<string, (state: Strikes) => AccountEvent[]> = {
      appeal,
      withdraw: (state) => decideWithdrawal(state, STRIKE),
      approve: (state) => judge(state, 'approved'),
      reject: (state) => judge(state, 'rejected'),
    };
    const stateOf = (state: Strikes): Model => state.strikes.get(STRIKE)?.appeal?.state ?? 'none';

    it('follow the model in every sequence of four events', () => {
      let tried = 0;
      const go = (state: Strikes, depth: number): void => {
        if (depth === 0) return;
        const now = stateOf(state);
        for (const [name, act] of Object.entries(ACTS)) {
          tried += 1;
          const next = MODEL[name]?.[now];
          const refused = refusalCode(() => act(state));
          if (next === undefined) {
            expect(refused, `${name} of what is ${now}`).to.equal(now === 'none' ? 'not_found' : 'invalid');
            go(state, depth - 1);
            continue;
          }
          expect(refused, `${name} of what is ${now}`).to.equal(undefined);
          const events = act(state);
          expect(events.length === 0, `${name} of what is ${now} adds nothing`).to.equal(next === now);
          const then = after(state, events);
          expect(stateOf(then)).to.equal(next);
          go(then, depth - 1);
        }
      };
      for (const { action } of MEASURES) go(struck(alice(), action), 4);
      expect(tried).to.equal(4 * (4 + 16 + 64 + 256));
    });
  });

  for (const { action, lifting, ends } of MEASURES) {
    describe(`approving an appeal against "${action}"`, () => {
      const pending = (): Strikes => {
        const state = struck(alice(), action);
        return after(state, appeal(state));
      };
      const approved = (undone: Lifting | null) => ({
        type: 'AppealApproved',
        data: { ...named, note: 'Sorry', lifted: undone },
      });

      it('end the action, in the same decision', () => {
        const state = pending();
        expect(judge(state, 'approved')).to.deep.equal([
          { type: ends, data: { account_id: ID } },
          approved(lifting),
        ]);
        expect(judge(state, 'rejected')).to.deep.equal([
          { type: 'AppealRejected', data: { ...named, note: 'Sorry' } },
        ]);
      });

      it('end nothing when the action is over, or in force again by a later strike', () => {
        for (const state of [lifted(pending(), lifting), struck(lifted(pending(), lifting), action, NEXT)]) {
          expect(judge(state, 'approved')).to.deep.equal([approved(null)]);
        }
      });

      it('end nothing while another strike has the same effect, in either order', () => {
        const later = struck(pending(), action, NEXT);
        expect(judge(later, 'approved')).to.deep.equal([approved(null)]);
        const plead = { id: '10', strikeId: NEXT, text: 'Nor me' };
        const both = after(later, [...judge(later, 'approved'), ...decideAppeal(later, plead, timing)]);
        const events = decideJudgement(both, NEXT, { verdict: 'approved', note: '' }, bench);
        expect(events.map(({ type }) => type)).to.deep.equal([ends, 'AppealApproved']);
        const rejected = after(later, judge(later, 'rejected'));
        const pleaded = after(rejected, decideAppeal(rejected, plead, timing));
        expect(
          decideJudgement(pleaded, NEXT, { verdict: 'approved', note: '' }, bench).map(({ type }) => type),
        ).to.deep.equal(['AppealApproved']);
      });

      it('end no other action', () => {
        const other = action === 'silence' ? 'sensitive' : 'silence';
        const state = struck(pending(), other, NEXT);
        const then = after(state, judge(state, 'approved'));
        expect(then.inForce[other]).to.deep.equal([NEXT]);
        expect(then.inForce[action] ?? []).to.deep.equal([]);
      });
    });
  }

  it('end nothing after a warning', () => {
    const state = struck(alice(), 'none');
    const events = judge(after(state, appeal(state)), 'approved');
    expect(events.map(({ type }) => type)).to.deep.equal(['AppealApproved']);
  });

  describe('about the judge', () => {
    const pending = (role: UserRole | null = null): Strikes => {
      const state = struck(alice(role), 'silence');
      return after(state, appeal(state));
    };

    it('refuse the author of the strike, unless no other staff member may decide', () => {
      for (const verdict of ['approved', 'rejected'] as const) {
        const imposedBy = ADMIN;
        expect(refusal(() => judge(pending(), verdict, { imposedBy }))).to.deep.equal([
          'forbidden',
          FOUR_EYES,
        ]);
        expect(refusal(() => judge(pending(), verdict, { imposedBy, othersMay: false }))).to.equal(undefined);
        // The operator has no account and ranks above everybody.
        expect(refusal(() => judge(pending(), verdict, { judge: undefined, imposedBy }))).to.equal(undefined);
      }
    });

    it('require a higher rank than the user: no one decides their own appeal', () => {
      for (const role of ['Admin', 'Owner'] as const) {
        expect(refusalCode(() => judge(pending(role), 'approved'))).to.equal('forbidden');
      }
      expect(refusalCode(() => judge(pending('Moderator'), 'approved'))).to.equal(undefined);
      const own = { account_id: ID, role: 'Admin' };
      expect(refusalCode(() => judge(pending('Admin'), 'approved', { judge: own }))).to.equal('forbidden');
    });

    it('allow a note of 2,000 characters', () => {
      const answer = (note: string) =>
        refusalCode(() => decideJudgement(pending(), STRIKE, { verdict: 'rejected', note }, bench));
      expect([answer(''), answer('x'.repeat(2_000)), answer('x'.repeat(2_001))]).to.deep.equal([
        ...[undefined, undefined, 'invalid'],
      ]);
    });
  });
});
