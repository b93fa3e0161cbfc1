import { expect } from 'chai';
import { type Account, account } from '#commands/accounts/account.ts';
import { checkProfile, decideUpdate } from '#commands/accounts/profile/profile.ts';
import { decideVerify, linksToVerify } from '#commands/accounts/profile/verify-links.ts';
import { AccountCreated, type AccountEvent, emptyProfile } from '#events/accounts.ts';
import type { Instance } from '#kernel/context.ts';
import { given } from '../support/given.ts';

const HERE = { origin: 'https://rookery.example' } as Instance;
const PLAIN_HERE = { origin: 'http://rookery.example' } as Instance;
const NOW = '2026-11-21T08:00:00.000Z';
const LINK = 'https://alice.example/';

const data = AccountCreated.schema.parse(AccountCreated.samples[AccountCreated.version as 4]);
const { id } = data;
const created: AccountEvent = {
  type: 'AccountCreated',
  data: { ...data, ...emptyProfile, username: 'alice' },
};
const registered: AccountEvent = {
  type: 'UserRegistered',
  data: {
    account_id: id,
    email: 'alice@example.org',
    locale: 'en',
    confirmed: true,
    approved: true,
    role: null,
    reason: null,
    application_id: null,
    sign_up_ip: null,
  },
};
const withFields = (...values: string[]): AccountEvent => ({
  type: 'AccountUpdated',
  data: { id, fields: values.map((value) => ({ name: 'Web', value, html: value, verified_at: null })) },
});
const verified: AccountEvent = {
  type: 'AccountLinkVerified',
  data: { account_id: id, value: LINK, verified_at: NOW },
};
const fieldsOf = (state: Account) => (state.state === 'exists' ? state.profile.fields : []);

describe('The verification of profile links', () => {
  it('considers links that are the whole value of a field', () => {
    const verifiable = [
      LINK,
      'https://alice.example',
      'https://xn--bcher-kva.example/',
      'https://a.example:8443/~x?y#z',
    ];
    expect(
      linksToVerify(given(account, created, registered, withFields(...verifiable)).state, HERE),
    ).to.deep.equal(verifiable);
  });

  it('ignores values that are no such link or look like another one', () => {
    const others = [
      ...[
        '',
        'alice.example',
        'my site https://alice.example/',
        'https://alice.example/ and more',
        'https://',
      ],
      ...['http://alice.example/', 'ftp://alice.example/', 'javascript:alert(1)', 'data:text/html,x'],
      ...['https://bank.example@alice.example/', 'https://@alice.example/', 'https://a:b@alice.example/'],
      ...[
        'https://ALICE.example/',
        'HTTPS://alice.example/',
        'https://bücher.example/',
        'https://a。example/',
      ],
      ...['https://alice.example\\@bank.example/', 'https:alice.example', 'https:///alice.example/'],
      ...['https://alice.example/\u202Emoc', 'https://alice.example/a\tb', 'https://alice.example/../x'],
      ...['https://0x7f.1/', 'https://2130706433/', 'https://alice.example:443/'],
      // The profile itself, which always links to itself.
      'https://rookery.example/@alice',
    ];
    for (const value of others)
      expect(
        linksToVerify(given(account, created, registered, withFields(value)).state, HERE),
        value,
      ).to.deep.equal([]);
  });

  it('considers http links too when this server uses http', () => {
    const state = given(account, created, registered, withFields('http://alice.example/', LINK));
    expect(linksToVerify(state.state, PLAIN_HERE)).to.deep.equal(['http://alice.example/', LINK]);
  });

  it('records a verified link with the time', () => {
    const state = given(account, created, registered, withFields('she', LINK));
    state.when(decideVerify, LINK, NOW, HERE).then([verified]);
    expect(
      fieldsOf(given(account, created, registered, withFields('she', LINK), verified).state).map(
        ({ verified_at }) => verified_at,
      ),
    ).to.deep.equal([null, NOW]);
  });

  it('records nothing when the field changed meanwhile or is verified already', () => {
    given(account, created, registered, withFields('https://bob.example/'))
      .when(decideVerify, LINK, NOW, HERE)
      .then([]);
    given(account, created, registered, withFields(LINK), verified)
      .when(decideVerify, LINK, NOW, HERE)
      .then([]);
  });

  it('records nothing for suspended, erased, missing and remote accounts', () => {
    const suspended: AccountEvent = { type: 'AccountSuspended', data: { account_id: id } };
    const erased: AccountEvent = { type: 'AccountErased', data: { account_id: id } };
    const elsewhere: AccountEvent = { ...created, data: { ...created.data, domain: 'far.example' } };
    const states = [
      given(account, created, registered, withFields(LINK), suspended).state,
      given(account, created, registered, withFields(LINK), erased).state,
      account.initialState,
      given(account, elsewhere, withFields(LINK)).state,
    ];
    for (const state of states) expect(decideVerify(state, LINK, NOW, HERE)).to.deep.equal([]);
  });

  describe('and a later profile change', () => {
    const facts = { origin: HERE.origin, mentions: new Map() };
    const change = (...fields: [string, string][]): Account => {
      const state = given(account, created, registered, withFields(LINK), verified);
      const changes = checkProfile({ fields_attributes: fields.map(([name, value]) => ({ name, value })) });
      const events = state.when(decideUpdate, { ...changes, pictures: {} }, facts).decided();
      expect(events).to.have.length(1);
      return given(account, created, registered, withFields(LINK), verified, ...events).state;
    };

    it('keeps an unchanged link verified, also under another name and at another place', () => {
      const fields = fieldsOf(change(['Pronouns', 'she'], ['Home', LINK]));
      expect(fields.map(({ verified_at }) => verified_at)).to.deep.equal([null, NOW]);
    });

    it('does not carry over to another link', () => {
      const state = change(['Web', 'https://alice.example/other']);
      expect(fieldsOf(state).map(({ verified_at }) => verified_at)).to.deep.equal([null]);
      expect(linksToVerify(state, HERE)).to.deep.equal(['https://alice.example/other']);
    });
  });

  it('verifies no empty field after the link was erased', () => {
    const forgotten: AccountEvent = { type: 'AccountLinkVerified', data: { ...verified.data, value: '' } };
    expect(
      fieldsOf(given(account, created, registered, withFields(''), forgotten).state).map(
        ({ verified_at }) => verified_at,
      ),
    ).to.deep.equal([null]);
  });
});
