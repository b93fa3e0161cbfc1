import { expect } from 'chai';
import {
  collection,
  decideAccept,
  decideFeature,
  decideKeep,
  decideName,
  decidePropose,
  decideReject,
  decideRememberCollection,
  decideTakeItem,
  decideWithdrawItem,
  type RemoteCollection,
} from '../../commands/collections/index.ts';
import type { CollectionEvent } from '../../src/events/collections.ts';
import { fold } from '../../src/kernel/decider.ts';

const [owner, member] = ['1', '2'];
const now = '2026-11-21T08:00:00.000Z';
const remote: RemoteCollection = {
  uri: 'https://far.example/ap/users/1/collections/1',
  url: 'https://far.example/collections/1',
  created_at: now,
  details: {
    ...{ name: 'Bird people', description: '<p>Birds</p>', language: 'en', sensitive: false },
    ...{ discoverable: true, tag: null },
  },
};
const AUTHORIZATION = 'https://wide.example/ap/users/2/feature_authorizations/1';
const moment = { updateId: '400', now };
const created = decideRememberCollection(null, '100', owner, remote, moment);
const given = (...events: CollectionEvent[]) => fold(collection, [...created, ...events]);

const about = { id: '200', collection_id: '100', owner_id: owner, account_id: member };
const taken: CollectionEvent = {
  type: 'CollectionItemAdded',
  data: {
    ...{ ...about, state: 'pending', uri: 'https://far.example/items/1', authorization: AUTHORIZATION },
    created_at: now,
  },
};
const accepted: CollectionEvent = { type: 'CollectionItemAccepted', data: about };
const consenting = { itemId: '200', accountId: member };

describe('The consent of an account to be in a collection', () => {
  it('is given by the authorization that was proposed last', () => {
    const other = `${AUTHORIZATION}1`;
    expect(decideAccept(given(taken), consenting, AUTHORIZATION)).deep.equal([accepted]);
    expect(decideAccept(given(taken), consenting, other)).deep.equal([]);
    expect(decidePropose(given(taken), consenting, AUTHORIZATION)).deep.equal([]);
    const proposed = decidePropose(given(taken), consenting, other);
    expect(proposed.map(({ type }) => type)).deep.equal(['CollectionItemProposed']);
    expect(decideAccept(given(taken, ...proposed), consenting, AUTHORIZATION)).deep.equal([]);
    expect(decideAccept(given(taken, ...proposed), consenting, other)).deep.equal([accepted]);
    expect(decideAccept(given(taken, accepted), consenting, AUTHORIZATION), 'again').deep.equal([]);
    expect(decidePropose(given(taken, accepted), consenting, other), 'too late').deep.equal([]);
  });

  it('ends with the authorization at any time', () => {
    for (const past of [[taken], [taken, accepted]]) {
      const ended = decideWithdrawItem(given(...past), consenting, AUTHORIZATION);
      expect(ended).deep.equal([{ type: 'CollectionItemRevoked', data: about }]);
      expect(decideAccept(given(...past, ...ended), consenting, AUTHORIZATION)).deep.equal([]);
      expect(decideWithdrawItem(given(...past), consenting, `${AUTHORIZATION}1`)).deep.equal([]);
    }
  });

  it('can be given and withdrawn by that account alone', () => {
    const others = { itemId: '200', accountId: '3' };
    for (const decided of [
      decideAccept(given(taken), others, AUTHORIZATION),
      decidePropose(given(taken), others, `${AUTHORIZATION}1`),
      decideReject(given(taken), others),
      decideWithdrawItem(given(taken), others, AUTHORIZATION),
      decideReject(null, consenting),
    ]) {
      expect(decided).deep.equal([]);
    }
  });

  it('can be refused before and after it was given', () => {
    expect(decideReject(given(taken), consenting)[0]?.type).equal('CollectionItemRejected');
    expect(decideReject(given(taken, accepted), consenting)[0]?.type).equal('CollectionItemRevoked');
  });
});

describe('A remote collection', () => {
  it('changes only in different fields, by its owner', () => {
    const change = (name: string, by = owner) =>
      decideRememberCollection(
        given(),
        '100',
        by,
        { ...remote, details: { ...remote.details, name } },
        moment,
      );
    expect(change('Bird people')).deep.equal([]);
    expect(change('Birds')).to.have.length(1);
    expect(change('Birds')[0]?.data).deep.include({ name: 'Birds', update_id: '400' });
    expect(change('Birds', '9')).deep.equal([]);
  });

  it('contains an account once, and at most 50 accounts', () => {
    const item = { id: '201', account_id: member, created_at: now };
    const foreign = { ...item, uri: 'https://far.example/items/2', authorization: AUTHORIZATION };
    expect(decideFeature(given(), owner, item)).to.have.length(1);
    expect(decideFeature(given(taken), owner, item)).deep.equal([]);
    expect(decideTakeItem(given(taken), owner, foreign)).deep.equal([]);
    expect(decideFeature(given(), '9', item), 'of another owner').deep.equal([]);
    const full = Array.from({ length: 50 }, (_, index): CollectionEvent => ({
      type: 'CollectionItemAdded',
      data: { ...about, id: String(300 + index), account_id: String(500 + index), created_at: now },
    }));
    expect(decideFeature(given(...full), owner, item)).deep.equal([]);
    expect(decideTakeItem(given(...full), owner, foreign)).deep.equal([]);
  });

  it('does not regain an account that removed itself', () => {
    const revoked: CollectionEvent = { type: 'CollectionItemRevoked', data: about };
    const item = { id: '201', account_id: member, created_at: now };
    expect(decideFeature(given(taken, revoked), owner, item)).deep.equal([]);
  });

  it('loses items that its server no longer lists, once they have URIs', () => {
    const unnamed: CollectionEvent = { type: 'CollectionItemAdded', data: { ...about, created_at: now } };
    const nothing = () => false;
    expect(decideKeep(given(taken), owner, nothing)).to.have.length(1);
    expect(decideKeep(given(taken), owner, () => true)).deep.equal([]);
    expect(decideKeep(given(unnamed), owner, nothing)).deep.equal([]);
    const named = decideName(given(unnamed), owner, member, 'https://far.example/items/3');
    expect(decideKeep(given(unnamed, ...named), owner, nothing)).to.have.length(1);
    expect(decideName(given(unnamed, ...named), owner, member, 'https://far.example/items/3')).deep.equal([]);
  });
});
