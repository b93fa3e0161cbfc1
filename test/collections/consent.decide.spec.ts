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
} from '#commands/collections/index.ts';
import type { CollectionEvent } from '#events/collections.ts';
import { given } from '../support/given.ts';

const [owner, member] = ['1', '2'];
const now = '2026-11-21T08:00:00.000Z';
const remote: RemoteCollection = {
  uri: 'https://far.example/ap/users/1/collections/1',
  url: 'https://far.example/collections/1',
  created_at: now,
  details: {
    name: 'Bird people',
    description: '<p>Birds</p>',
    language: 'en',
    sensitive: false,
    discoverable: true,
    tag: null,
  },
};
const AUTHORIZATION = 'https://wide.example/ap/users/2/feature_authorizations/1';
const moment = { updateId: '400', now };
const created = decideRememberCollection(null, '100', owner, remote, moment);

const about = { id: '200', collection_id: '100', owner_id: owner, account_id: member };
const taken: CollectionEvent = {
  type: 'CollectionItemAdded',
  data: {
    ...about,
    state: 'pending',
    uri: 'https://far.example/items/1',
    authorization: AUTHORIZATION,
    created_at: now,
  },
};
const accepted: CollectionEvent = { type: 'CollectionItemAccepted', data: about };
const consenting = { itemId: '200', accountId: member };

describe('The consent of an account to be in a collection', () => {
  it('is given by the authorization that was proposed last', () => {
    const other = `${AUTHORIZATION}1`;
    given(collection, ...created, taken)
      .when(decideAccept, consenting, AUTHORIZATION)
      .then([accepted]);
    given(collection, ...created, taken)
      .when(decideAccept, consenting, other)
      .then([]);
    given(collection, ...created, taken)
      .when(decidePropose, consenting, AUTHORIZATION)
      .then([]);
    const proposed = given(collection, ...created, taken)
      .when(decidePropose, consenting, other)
      .decided();
    expect(proposed.map(({ type }) => type)).deep.equal(['CollectionItemProposed']);
    given(collection, ...created, taken, ...proposed)
      .when(decideAccept, consenting, AUTHORIZATION)
      .then([]);
    given(collection, ...created, taken, ...proposed)
      .when(decideAccept, consenting, other)
      .then([accepted]);
    given(collection, ...created, taken, accepted)
      .when(decideAccept, consenting, AUTHORIZATION)
      .then([]);
    given(collection, ...created, taken, accepted)
      .when(decidePropose, consenting, other)
      .then([]);
  });

  it('ends with the authorization at any time', () => {
    for (const past of [[taken], [taken, accepted]]) {
      const ended = given(collection, ...created, ...past)
        .when(decideWithdrawItem, consenting, AUTHORIZATION)
        .decided();
      expect(ended).deep.equal([{ type: 'CollectionItemRevoked', data: about }]);
      given(collection, ...created, ...past, ...ended)
        .when(decideAccept, consenting, AUTHORIZATION)
        .then([]);
      given(collection, ...created, ...past)
        .when(decideWithdrawItem, consenting, `${AUTHORIZATION}1`)
        .then([]);
    }
  });

  it('can be given and withdrawn by that account alone', () => {
    const others = { itemId: '200', accountId: '3' };
    for (const decided of [
      given(collection, ...created, taken)
        .when(decideAccept, others, AUTHORIZATION)
        .decided(),
      given(collection, ...created, taken)
        .when(decidePropose, others, `${AUTHORIZATION}1`)
        .decided(),
      given(collection, ...created, taken)
        .when(decideReject, others)
        .decided(),
      given(collection, ...created, taken)
        .when(decideWithdrawItem, others, AUTHORIZATION)
        .decided(),
      decideReject(null, consenting),
    ]) {
      expect(decided).deep.equal([]);
    }
  });

  it('can be refused before and after it was given', () => {
    expect(
      given(collection, ...created, taken)
        .when(decideReject, consenting)
        .decided()[0]?.type,
    ).equal('CollectionItemRejected');
    expect(
      given(collection, ...created, taken, accepted)
        .when(decideReject, consenting)
        .decided()[0]?.type,
    ).equal('CollectionItemRevoked');
  });
});

describe('A remote collection', () => {
  it('changes only in different fields, by its owner', () => {
    const change = (name: string, by = owner) =>
      given(collection, ...created).when(
        decideRememberCollection,
        '100',
        by,
        { ...remote, details: { ...remote.details, name } },
        moment,
      );
    change('Bird people').then([]);
    expect(change('Birds').decided()).to.have.length(1);
    expect(change('Birds').decided()[0]?.data).deep.include({ name: 'Birds', update_id: '400' });
    change('Birds', '9').then([]);
  });

  it('contains an account once, and at most 50 accounts', () => {
    const item = { id: '201', account_id: member, created_at: now };
    const foreign = { ...item, uri: 'https://far.example/items/2', authorization: AUTHORIZATION };
    expect(
      given(collection, ...created)
        .when(decideFeature, owner, item)
        .decided(),
    ).to.have.length(1);
    given(collection, ...created, taken)
      .when(decideFeature, owner, item)
      .then([]);
    given(collection, ...created, taken)
      .when(decideTakeItem, owner, foreign)
      .then([]);
    given(collection, ...created)
      .when(decideFeature, '9', item)
      .then([]);
    const full = Array.from({ length: 50 }, (_, index): CollectionEvent => ({
      type: 'CollectionItemAdded',
      data: { ...about, id: String(300 + index), account_id: String(500 + index), created_at: now },
    }));
    given(collection, ...created, ...full)
      .when(decideFeature, owner, item)
      .then([]);
    given(collection, ...created, ...full)
      .when(decideTakeItem, owner, foreign)
      .then([]);
  });

  it('does not regain an account that removed itself', () => {
    const revoked: CollectionEvent = { type: 'CollectionItemRevoked', data: about };
    const item = { id: '201', account_id: member, created_at: now };
    given(collection, ...created, taken, revoked)
      .when(decideFeature, owner, item)
      .then([]);
  });

  it('loses items that its server no longer lists, once they have URIs', () => {
    const unnamed: CollectionEvent = { type: 'CollectionItemAdded', data: { ...about, created_at: now } };
    const nothing = () => false;
    expect(
      given(collection, ...created, taken)
        .when(decideKeep, owner, nothing)
        .decided(),
    ).to.have.length(1);
    given(collection, ...created, taken)
      .when(decideKeep, owner, () => true)
      .then([]);
    given(collection, ...created, unnamed)
      .when(decideKeep, owner, nothing)
      .then([]);
    const named = given(collection, ...created, unnamed)
      .when(decideName, owner, member, 'https://far.example/items/3')
      .decided();
    expect(
      given(collection, ...created, unnamed, ...named)
        .when(decideKeep, owner, nothing)
        .decided(),
    ).to.have.length(1);
    given(collection, ...created, unnamed, ...named)
      .when(decideName, owner, member, 'https://far.example/items/3')
      .then([]);
  });
});
