import { expect } from 'chai';
import { type Account, account } from '#commands/accounts/account.ts';
import { decideCreate } from '#commands/accounts/create-account.ts';
import { decideModify } from '#commands/accounts/modify-user.ts';
import { newRecoveryCodes, plainCode, recoveryCodeHash } from '#commands/accounts/sign-in/recovery-codes.ts';
import { newTotpSecret, timeStepOf, totpCode, totpUri } from '#commands/accounts/sign-in/totp.ts';
import {
  decideDisableTwoFactor,
  decideEnableTwoFactor,
  decidePrepareTwoFactor,
  decideReplaceRecoveryCodes,
  decideUseSecondFactor,
} from '#commands/accounts/sign-in/two-factor.ts';
import type { AccountEvent } from '#events/accounts.ts';
import { type Given, given } from '../support/given.ts';
import { refusalCode } from '../support/refusal.ts';

const ID = '115500000000000000';
/** The secret of RFC 6238, appendix B: 12345678901234567890 in ASCII. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const OTHER = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const NOW = '2026-11-23T08:00:10.000Z';
/** The time step of `NOW`. */
const STEP = Date.parse(NOW) / 30_000 - 1 / 3;
const later = (seconds: number): string => new Date(Date.parse(NOW) + seconds * 1_000).toISOString();

const signedUp = decideCreate(
  { state: 'none' },
  {
    username: 'alice',
    email: 'alice@example.org',
    password: 'x',
    locale: 'en',
    reason: null,
    confirmed: true,
    approved: true,
    role: null,
    applicationId: null,
    signUpIp: null,
  },
  { id: ID, now: '2026-11-21T08:00:00.000Z', origin: 'https://rookery.example' },
);
const about = <Type extends string>(type: Type): { type: Type; data: { account_id: string } } => ({
  type,
  data: { account_id: ID },
});
const hashOf = (code: string): string => recoveryCodeHash(ID, plainCode(code));
const CODES = ['aaaa-bbbb-cccc-dddd', 'eeee-ffff-gggg-hhhh'];

const prepared = (secret = SECRET): AccountEvent => ({
  type: 'UserTwoFactorPrepared',
  data: { account_id: ID, secret, prepared_at: NOW },
});
const enabled: AccountEvent = {
  type: 'UserTwoFactorEnabled',
  data: { account_id: ID, secret: SECRET, time_step: STEP, recovery_codes: CODES.map(hashOf) },
};
const codeUsed = (step: number): AccountEvent => ({
  type: 'UserTwoFactorCodeUsed',
  data: { account_id: ID, time_step: step },
});
const recoveryCodeUsed = (code: string): AccountEvent => ({
  type: 'UserRecoveryCodeUsed',
  data: { account_id: ID, recovery_code: hashOf(code) },
});
const disabled = about('UserTwoFactorDisabled');
const nobody: Account[] = [{ state: 'none' }, { state: 'erased' }, { state: 'rejected' }];

describe('Codes of authenticator apps', () => {
  it('match RFC 6238', () => {
    // Appendix B, SHA-1: the last six of its eight digits.
    for (const [seconds, code] of [
      [59, '287082'],
      [1_111_111_109, '081804'],
      [1_111_111_111, '050471'],
      [1_234_567_890, '005924'],
      [2_000_000_000, '279037'],
      [20_000_000_000, '353130'],
    ] as const) {
      const at = new Date(seconds * 1_000).toISOString();
      expect(totpCode(SECRET, at)).to.equal(code);
      expect(timeStepOf(SECRET, code, at)).to.equal(Math.floor(seconds / 30));
    }
  });

  it('are valid in their time step, the previous and the next one', () => {
    const steps = [-60, -30, 0, 30, 60].map((seconds) =>
      timeStepOf(SECRET, totpCode(SECRET, later(seconds)), NOW),
    );
    expect(steps).to.deep.equal([undefined, STEP - 1, STEP, STEP + 1, undefined]);
  });

  it('have six ASCII digits and need a secret', () => {
    const code = totpCode(SECRET, NOW);
    for (const wrong of ['', '12345', `${code}0`, 'abcdef', '٠١٢٣٤٥', code.slice(1)]) {
      expect(timeStepOf(SECRET, wrong, NOW), wrong).to.equal(undefined);
    }
    // An erased secret has no valid code.
    expect(timeStepOf('', '328482', '1970-01-01T00:00:00.000Z')).to.equal(undefined);
  });

  it('have secrets of 160 bits, given to apps as an otpauth URI', () => {
    expect(newTotpSecret()).to.match(/^[A-Z2-7]{32}$/);
    expect(newTotpSecret()).not.to.equal(newTotpSecret());
    expect(totpUri({ secret: SECRET, domain: 'rookery.example', username: 'alice' })).to.equal(
      `otpauth://totp/rookery.example:alice?issuer=rookery.example&secret=${SECRET}&algorithm=SHA1&digits=6&period=30`,
    );
  });
});

describe('Recovery codes', () => {
  it('are ten different codes, stored as hashes that include the account id', () => {
    const { codes, hashes } = newRecoveryCodes(ID);
    expect(new Set(codes)).to.have.property('size', 10);
    for (const code of codes) expect(code).to.match(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
    expect(hashes).to.deep.equal(codes.map(hashOf));
    expect(hashes.join()).to.match(/^[0-9a-f]{64}(,[0-9a-f]{64}){9}$/);
    expect(recoveryCodeHash('115500000000000001', plainCode(codes[0]!))).not.to.equal(hashes[0]);
  });

  it('are read in any case, with spaces and hyphens', () => {
    expect(plainCode(' ABCD efgh-IJKL\tmnop ')).to.equal('abcdefghijklmnop');
  });
});

describe('The decision on two-factor sign-in', () => {
  it('prepares a secret any number of times, except when it is enabled', () => {
    const ask = (state: Account) => decidePrepareTwoFactor(state, { secret: SECRET, now: NOW });
    expect(ask(given(account, ...signedUp).state)).to.deep.equal([prepared()]);
    expect(ask(given(account, ...signedUp, prepared(OTHER)).state)).to.deep.equal([prepared()]);
    expect(ask(given(account, ...signedUp, prepared(), enabled, disabled).state)).to.deep.equal([prepared()]);
    expect(refusalCode(() => ask(given(account, ...signedUp, prepared(), enabled).state))).to.equal(
      'invalid',
    );
    for (const state of nobody) expect(refusalCode(() => ask(state))).to.equal('not_found');
  });

  it('enables it with a code of the latest secret', () => {
    const recoveryCodes = CODES.map(hashOf);
    const ask = (state: Account, input: { secret?: string; code?: string; now?: string } = {}) =>
      decideEnableTwoFactor(state, {
        secret: SECRET,
        code: totpCode(SECRET, NOW),
        recoveryCodes,
        now: NOW,
        ...input,
      });
    expect(ask(given(account, ...signedUp, prepared()).state)).to.deep.equal([enabled]);
    const spaced = totpCode(SECRET, NOW).replace(/^(...)/, '$1 ');
    expect(ask(given(account, ...signedUp, prepared()).state, { code: spaced })).to.deep.equal([enabled]);
    expect(
      refusalCode(() => ask(given(account, ...signedUp, prepared()).state, { code: '000000' })),
    ).to.equal('invalid');
    expect(
      refusalCode(() => ask(given(account, ...signedUp, prepared()).state, { code: CODES[0]! })),
    ).to.equal('invalid');
    const now = later(3_601);
    for (const [state, input] of [
      [given(account, ...signedUp).state, {}],
      [given(account, ...signedUp, prepared(OTHER)).state, {}],
      [given(account, ...signedUp, prepared()).state, { secret: OTHER, code: totpCode(OTHER, NOW) }],
      [given(account, ...signedUp, prepared()).state, { secret: '' }],
      [given(account, ...signedUp, prepared()).state, { now, code: totpCode(SECRET, now) }],
      // A new password cancels a setup begun under the old one.
      [given(account, ...signedUp, prepared(), about('UserPasswordReset')).state, {}],
      [given(account, ...signedUp, prepared(), enabled).state, {}],
      [given(account, ...signedUp, prepared(), enabled, disabled).state, {}],
    ] as const) {
      expect(refusalCode(() => ask(state, input))).to.equal('gone');
    }
    for (const state of nobody) expect(refusalCode(() => ask(state))).to.equal('not_found');
  });

  it('accepts a code once, and no earlier code after it', () => {
    const on = given(account, ...signedUp, prepared(), enabled);
    const use = (state: Given<Account>, at: string, now = NOW) =>
      state.when(decideUseSecondFactor, { code: totpCode(SECRET, at), now });
    // The code that enabled it is used up.
    use(on, NOW).thenRefuses('invalid');
    use(on, later(-30)).thenRefuses('invalid');
    use(on, later(30)).then([codeUsed(STEP + 1)]);
    const used = given(account, ...signedUp, prepared(), enabled, codeUsed(STEP + 1));
    for (const at of [-30, 0, 30].map(later)) {
      use(used, at, later(30)).thenRefuses('invalid');
    }
    use(used, later(60), later(30)).then([codeUsed(STEP + 2)]);
    // A new password does not disable it.
    expect(
      use(given(account, ...signedUp, prepared(), enabled, about('UserPasswordReset')), later(30)).decided(),
    ).to.have.length(1);
  });

  it('accepts each recovery code once, in any spelling', () => {
    const use = (state: Given<Account>, code: string) =>
      state.when(decideUseSecondFactor, { code, now: NOW });
    const [first = '', second = ''] = CODES;
    use(given(account, ...signedUp, prepared(), enabled), first.toUpperCase().replaceAll('-', ' ')).then([
      recoveryCodeUsed(first),
    ]);
    const used = given(account, ...signedUp, prepared(), enabled, recoveryCodeUsed(first));
    use(used, first).thenRefuses('invalid');
    use(used, second).then([recoveryCodeUsed(second)]);
    for (const wrong of ['', 'aaaa', hashOf(first), '0'.repeat(16)]) {
      expect(
        refusalCode(() => use(used, wrong).decided()),
        wrong,
      ).to.equal('invalid');
    }
  });

  it('replaces recovery codes and invalidates the previous ones', () => {
    const [first = '', second = ''] = CODES;
    const replaced: AccountEvent = {
      type: 'UserRecoveryCodesReplaced',
      data: { account_id: ID, recovery_codes: [hashOf(second)] },
    };
    given(account, ...signedUp, prepared(), enabled)
      .when(decideReplaceRecoveryCodes, [hashOf(second)])
      .then([replaced]);
    const state = given(account, ...signedUp, prepared(), enabled, replaced);
    const use = (code: string) => state.when(decideUseSecondFactor, { code, now: NOW });
    use(first).thenRefuses('invalid');
    use(second).then([recoveryCodeUsed(second)]);
    given(account, ...signedUp, prepared())
      .when(decideReplaceRecoveryCodes, [])
      .thenRefuses('invalid');
    expect(refusalCode(() => decideReplaceRecoveryCodes({ state: 'erased' }, []))).to.equal('not_found');
  });

  it('disables it with a code of the app or a recovery code', () => {
    const on = given(account, ...signedUp, prepared(), enabled);
    const off = (state: Account, code: string) => decideDisableTwoFactor(state, { code, now: NOW });
    expect(off(on.state, totpCode(SECRET, later(30)))).to.deep.equal([disabled]);
    expect(off(on.state, CODES[1]!)).to.deep.equal([disabled]);
    expect(refusalCode(() => off(on.state, totpCode(SECRET, NOW)))).to.equal('invalid');
    expect(refusalCode(() => off(on.state, ''))).to.equal('invalid');
    expect(refusalCode(() => off(given(account, ...signedUp).state, CODES[1]!))).to.equal('invalid');
    expect(refusalCode(() => off({ state: 'erased' }, CODES[1]!))).to.equal('not_found');
    // Nothing of the former setup remains valid.
    const gone = given(account, ...signedUp, prepared(), enabled, disabled);
    gone.when(decideUseSecondFactor, { code: CODES[0]!, now: NOW }).thenRefuses('gone');
    expect(gone.state).to.have.deep.nested.property('user.twoFactor', { state: 'off' });
  });

  it('lets the operator disable it only while it is enabled', () => {
    given(account, ...signedUp, prepared(), enabled)
      .when(decideModify, { twoFactor: false })
      .then([disabled]);
    for (const state of [
      given(account, ...signedUp).state,
      given(account, ...signedUp, prepared()).state,
      given(account, ...signedUp, prepared(), enabled, disabled).state,
    ]) {
      expect(decideModify(state, { twoFactor: false })).to.deep.equal([]);
    }
  });
});
