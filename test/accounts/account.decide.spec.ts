import { expect } from 'chai';
import { type Account, account, DEFAULT_PREFERENCES } from '#commands/accounts/account.ts';
import { decideCreate, type NewAccount } from '#commands/accounts/create-account.ts';
import { decideModify } from '#commands/accounts/modify-user.ts';
import { checkProfile, decidePictureRemoval, decideUpdate } from '#commands/accounts/profile/profile.ts';
import { decideAbandon, SIGN_UP_PATIENCE } from '#commands/accounts/reservations.ts';
import { decideConfirm } from '#commands/accounts/sign-in/confirmation.ts';
import { checkSignUp } from '#commands/accounts/sign-up.ts';
import { decideCorrectEmail } from '#commands/emails.ts';
import { decideSettings } from '#commands/instance/settings.ts';
import type { AccountEvent } from '#events/accounts.ts';
import { DEFAULT_SETTINGS } from '#events/instance.ts';
import { idAt } from '#kernel/ids.ts';
import { type Given, given } from '../support/given.ts';
import { refusalCode } from '../support/refusal.ts';

const ID = '115500000000000000';
const NOW = '2026-11-21T08:00:00.000Z';
const facts = { id: ID, now: NOW, origin: 'https://rookery.example' };
const alice: NewAccount = {
  username: 'alice',
  email: 'alice@example.org',
  password: 'correct horse',
  locale: 'en',
  confirmed: false,
  approved: true,
  role: null,
  reason: null,
  applicationId: '1',
  signUpIp: null,
};
const none: Account = { state: 'none' };
const signedUp = decideCreate(none, alice, facts);
const confirmed: AccountEvent = { type: 'UserConfirmed', data: { account_id: ID, email: alice.email } };

describe('Decisions about an account', () => {
  it('create the account together with its user, and never record the password', () => {
    expect(signedUp.map(({ type }) => type)).to.deep.equal(['AccountCreated', 'UserRegistered']);
    expect(JSON.stringify(signedUp)).not.to.contain('correct horse');
    const state = given(account, ...signedUp);
    expect(state.state).to.include({ state: 'exists', username: 'alice' });
    expect(state.state.state === 'exists' && state.state.user?.preferences).to.deep.equal(
      DEFAULT_PREFERENCES,
    );
  });

  it('refuse to create an account that exists or whose sign-up was abandoned', () => {
    given(account, ...signedUp)
      .when(decideCreate, alice, facts)
      .thenRefuses('conflict');
    expect(refusalCode(() => decideCreate({ state: 'abandoned' }, alice, facts))).to.equal('conflict');
  });

  describe('that abandon an interrupted sign-up', () => {
    const begun = Date.parse(NOW);
    const later = (milliseconds: number): string => new Date(begun + milliseconds).toISOString();

    it('wait ten minutes', () => {
      expect(decideAbandon(none, idAt(begun), later(SIGN_UP_PATIENCE - 1_000))).to.deep.equal([]);
      expect(decideAbandon(none, idAt(begun), later(SIGN_UP_PATIENCE + 1_000))).to.deep.equal([
        { type: 'SignUpAbandoned', data: { account_id: idAt(begun) } },
      ]);
    });

    it('keep an account that was created, however old the sign-up is', () => {
      given(account, ...signedUp)
        .when(decideAbandon, ID, later(1e10))
        .then([]);
    });

    it('are taken once', () => {
      expect(decideAbandon({ state: 'abandoned' }, idAt(begun), later(1e10))).to.deep.equal([]);
    });
  });

  describe('that confirm the address', () => {
    it('confirm the current address', () =>
      given(account, ...signedUp)
        .when(decideConfirm, alice.email)
        .then([confirmed]));
    it('change nothing the second time', () =>
      given(account, ...signedUp, confirmed)
        .when(decideConfirm, alice.email)
        .then([]));
    it('refuse a link to an address that was corrected since', () =>
      given(account, ...signedUp)
        .when(decideConfirm, 'typo@example.org')
        .thenRefuses('gone'));
    it('answer not_found without a user', () =>
      expect(refusalCode(() => decideConfirm(none, alice.email))).to.equal('not_found'));
  });

  describe('that correct the address', () => {
    const correct = (state: Given<Account>, email: string, applicationId: string | null = '1') =>
      state.when(decideCorrectEmail, { email, applicationId });

    it('take the new address, unconfirmed', () =>
      correct(given(account, ...signedUp), 'new@example.org').then([
        { type: 'UserEmailChanged', data: { account_id: ID, email: 'new@example.org', confirmed: false } },
      ]));
    it('change nothing for the same address', () =>
      correct(given(account, ...signedUp), alice.email).then([]));
    it('belong to the application that the user signed up with', () =>
      correct(given(account, ...signedUp), 'new@example.org', '2').thenRefuses('forbidden'));
    it('are open to the user in a browser, whatever the application was', () =>
      expect(correct(given(account, ...signedUp), 'new@example.org', null).decided()).to.have.length(1));
    it('are refused after the confirmation', () => {
      for (const applicationId of ['1', null]) {
        const refused = refusalCode(() =>
          correct(given(account, ...signedUp, confirmed), 'new@example.org', applicationId).decided(),
        );
        expect(refused).to.equal('forbidden');
      }
    });
  });

  describe('by staff', () => {
    it('record only differences', () => {
      const events = given(account, ...signedUp)
        .when(decideModify, { confirm: true, approve: true, disabled: true, role: 'Admin' })
        .decided();
      expect(events.map(({ type }) => type)).to.deep.equal([
        'UserConfirmed',
        'UserDisabled',
        'UserRoleChanged',
      ]);
      given(account, ...signedUp, ...events)
        .when(decideModify, { confirm: true, disabled: true, role: 'Admin' })
        .then([]);
    });

    it('record each new password', () => {
      const reset = { type: 'UserPasswordReset', data: { account_id: ID } } as const;
      given(account, ...signedUp, reset)
        .when(decideModify, { password: 'correct horse' })
        .then([reset]);
    });

    it('confirm the new address, not the old one', () => {
      const events = given(account, ...signedUp)
        .when(decideModify, { email: 'new@example.org', confirm: true })
        .decided();
      expect(events.at(-1)).to.deep.equal({
        type: 'UserConfirmed',
        data: { account_id: ID, email: 'new@example.org' },
      });
    });
  });

  describe('that update the profile', () => {
    const context = { origin: 'https://rookery.example', mentions: new Map() };
    const update = (state: Given<Account>, input: Parameters<typeof checkProfile>[0]) =>
      state.when(decideUpdate, { ...checkProfile(input), pictures: {} }, context);

    it('record only changed fields, and texts with their HTML', () => {
      update(given(account, ...signedUp), { display_name: 'Alice', note: 'Hi & bye', locked: false }).then([
        {
          type: 'AccountUpdated',
          data: { id: ID, display_name: 'Alice', note: 'Hi & bye', note_html: '<p>Hi &amp; bye</p>' },
        },
      ]);
    });

    it('record no event when nothing changes', () => {
      const input = {
        display_name: 'Alice',
        note: 'Hi',
        fields_attributes: [{ name: 'Web', value: 'https://example.org' }],
        source: { privacy: 'unlisted', language: 'de' },
      };
      const events = update(given(account, ...signedUp), input).decided();
      expect(events.map(({ type }) => type)).to.deep.equal(['AccountUpdated', 'UserPreferencesChanged']);
      update(given(account, ...signedUp, ...events), input).then([]);
      update(given(account, ...signedUp, ...events), {}).then([]);
      update(given(account, ...signedUp, ...events), { source: {} }).then([]);
    });

    it('remove the default language when it is an empty text', () => {
      const german = update(given(account, ...signedUp), { source: { language: 'de' } }).decided();
      update(given(account, ...signedUp, ...german), { source: { language: '' } }).then([
        { type: 'UserPreferencesChanged', data: { account_id: ID, language: null } },
      ]);
    });

    it('drop empty profile fields', () => {
      const [event] = update(given(account, ...signedUp), {
        fields_attributes: [
          { name: '', value: '' },
          { name: 'Pronouns', value: 'she' },
        ],
      }).decided();
      expect(event?.data).to.deep.include({
        fields: [{ name: 'Pronouns', value: 'she', html: 'she', verified_at: null }],
      });
    });

    it('accept domains in any spelling', () => {
      const typed = ['https://Example.org/', '*.example.org', ' bücher.example ', ''];
      expect(checkProfile({ attribution_domains: typed }).attribution_domains).to.deep.equal([
        'example.org',
        'xn--bcher-kva.example',
      ]);
    });

    it('remove a picture once, and keep its description', () => {
      const picture = { original: 'a.png', static: 'a.png' };
      const [described] = update(given(account, ...signedUp), { avatar_description: 'A rook' }).decided();
      const state = given(
        account,
        ...signedUp,
        { type: 'AccountUpdated', data: { id: ID, avatar: picture } },
        described as AccountEvent,
      );
      const removed = state.when(decidePictureRemoval, 'avatar').decided();
      expect(removed).to.deep.equal([{ type: 'AccountUpdated', data: { id: ID, avatar: null } }]);
      given(account, ...signedUp, ...removed)
        .when(decidePictureRemoval, 'avatar')
        .then([]);
      state.when(decidePictureRemoval, 'header').then([]);
    });

    const refused: [string, Parameters<typeof checkProfile>[0]][] = [
      ['a name of 41 characters', { display_name: 'x'.repeat(41) }],
      ['a note of 501 characters', { note: 'x'.repeat(501) }],
      ['five fields', { fields_attributes: Array(5).fill({ name: 'a', value: 'b' }) }],
      ['a value without a name', { fields_attributes: [{ name: '', value: 'b' }] }],
      ['an unknown language', { source: { language: 'qqq' } }],
      ['direct as a default', { source: { privacy: 'direct' } }],
      ['an avatar description of 151 characters', { avatar_description: 'x'.repeat(151) }],
      ['a header description of 151 characters', { header_description: 'x'.repeat(151) }],
      ['eleven domains', { attribution_domains: Array.from({ length: 11 }, (_, n) => `${n}.example`) }],
      ['a domain that is none', { attribution_domains: ['no domain'] }],
      ['an unknown quote policy', { source: { quote_policy: 'friends' } }],
    ];
    it('cut names and values of profile fields at 255 characters', () => {
      const [name, value] = ['n'.repeat(256), '😀'.repeat(256)];
      const { fields } = checkProfile({ fields_attributes: [{ name, value }] });
      expect(fields).to.deep.equal([{ name: 'n'.repeat(255), value: '😀'.repeat(255) }]);
    });

    it('count a display name in code points, and a link in the note as 23', () => {
      expect(checkProfile({ display_name: '😀'.repeat(40) }).display_name).to.have.length(80);
      expect(refusalCode(() => checkProfile({ display_name: '👨‍👩‍👧'.repeat(30) }))).to.equal('invalid');
      const long = `https://example.org/${'x'.repeat(300)}`;
      expect(checkProfile({ note: `${'x'.repeat(476)} ${long}` }).note).to.contain(long);
    });

    for (const [what, input] of refused) {
      it(`refuse ${what}`, () => expect(refusalCode(() => checkProfile(input))).to.equal('invalid'));
    }

    it('count a link in the note as 23 characters', () => {
      const note = `${'x'.repeat(476)} https://example.org/${'y'.repeat(100)}`;
      expect(refusalCode(() => checkProfile({ note }))).to.equal(undefined);
      expect(refusalCode(() => checkProfile({ note: `x${note}` }))).to.equal('invalid');
    });
  });
});

describe('The fields of a sign-up', () => {
  it('are all checked together, and an unknown locale is no problem', () => {
    const { problems } = checkSignUp({
      username: 'a b',
      email: 'x',
      password: '',
      locale: 'qqq',
      reason: 'x'.repeat(421),
    });
    for (const field of ['username', 'email', 'password', 'agreement', 'reason']) {
      expect(problems.isFine(field), field).to.equal(false);
    }
    expect(problems.isFine('locale')).to.equal(true);
  });
});

describe('Decisions about the server settings', () => {
  it('record only differences', () => {
    expect(decideSettings(DEFAULT_SETTINGS, { registrations: 'open' })).to.deep.equal([]);
    expect(
      decideSettings(DEFAULT_SETTINGS, { registrations: 'closed', timeline_preview: true }),
    ).to.deep.equal([{ type: 'InstanceSettingsChanged', data: { registrations: 'closed' } }]);
  });
});
