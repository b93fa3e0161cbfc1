import { expect } from 'chai';
import {
  checkCollectionLimit,
  type Collection,
  collection,
  decideAdd,
  decideCreate,
  decideDelete,
  decideRemove,
  decideRevoke,
  decideUpdate,
} from '#commands/collections/collection.ts';
import type { CollectionDetails, CollectionEvent } from '#events/collections.ts';
import { given } from '../support/given.ts';
import { refusalCode } from '../support/refusal.ts';

const [alice, bob, carol] = ['1', '2', '3'];
const act = { by: alice, now: '2026-11-21T08:00:00.000Z' };
const details: CollectionDetails = {
  name: 'Bird people',
  description: '',
  language: 'en',
  sensitive: false,
  discoverable: true,
  tag: null,
};
const origin = 'https://rookery.example';
const created: CollectionEvent = {
  type: 'CollectionCreated',
  data: {
    id: '100',
    account_id: alice,
    uri: `${origin}/ap/users/1/collections/100`,
    url: `${origin}/collections/100`,
    created_at: act.now,
    ...details,
  },
};
const about = (id: string, account_id: string) => ({ id, collection_id: '100', owner_id: alice, account_id });
const added = (id: string, account_id: string): CollectionEvent => ({
  type: 'CollectionItemAdded',
  data: { ...about(id, account_id), created_at: act.now },
});
const removed = (id: string, account_id: string): CollectionEvent => ({
  type: 'CollectionItemRemoved',
  data: about(id, account_id),
});
const revoked = (id: string, account_id: string): CollectionEvent => ({
  type: 'CollectionItemRevoked',
  data: about(id, account_id),
});
const deleted: CollectionEvent = { type: 'CollectionDeleted', data: { id: '100', account_id: alice } };
const featurable = new Set([bob, carol]);
const facts = { featurable, known: new Set([bob, carol, '4']) };
const add = (past: CollectionEvent[], account_id: string, by = alice) =>
  given(collection, ...past).when(decideAdd, { id: '300', account_id }, { ...act, by }, facts);

describe('Creating a collection', () => {
  const create = (...accounts: string[]): CollectionEvent[] => {
    const items = accounts.map((account_id, index) => ({ id: String(200 + index), account_id }));
    return given(collection).when(decideCreate, { id: '100', origin, details, items }, act, facts).decided();
  };

  it('adds the first accounts', () => {
    expect(create()).to.deep.equal([created]);
    expect(create(bob, carol)).to.deep.equal([created, added('200', bob), added('201', carol)]);
  });

  it('is limited to ten collections, and requires accounts that allow it', () => {
    expect(refusalCode(() => checkCollectionLimit(10))).to.equal(undefined);
    expect(refusalCode(() => checkCollectionLimit(11))).to.equal('invalid');
    expect(refusalCode(() => create(bob, '4'))).to.equal('forbidden');
    expect(refusalCode(() => create(bob, '5'))).to.equal('not_found');
  });

  it('is limited to 25 accounts', () => {
    const everybody = Array.from({ length: 26 }, (_, index) => String(index + 10));
    const facts = { featurable: new Set(everybody), known: new Set(everybody) };
    const items = everybody.map((account_id) => ({ id: account_id, account_id }));
    const command = { id: '100', origin, details, items: items.slice(0, 25) };
    expect(given(collection).when(decideCreate, command, act, facts).decided()).to.have.length(26);
    given(collection)
      .when(decideCreate, { ...command, items }, act, facts)
      .thenRefuses('invalid');
  });
});

describe('Changing a collection', () => {
  it('records only changed fields', () => {
    given(collection, created).when(decideUpdate, { name: 'Bird people', tag: null }, '400', act).then([]);
    const tag = { name: 'Birds', normal: 'birds' };
    const changed = given(collection, created)
      .when(decideUpdate, { name: 'Birds', language: null, tag }, '400', act)
      .decided();
    const ofChange = { id: '100', account_id: alice, update_id: '400', updated_at: act.now };
    expect(changed).to.deep.equal([
      { type: 'CollectionUpdated', data: { ...ofChange, name: 'Birds', language: null, tag } },
    ]);
    const after = given(collection, created, ...changed);
    after.when(decideUpdate, { name: 'Birds', language: null, tag }, '401', act).then([]);
  });

  it('notifies members of a new name or description only', () => {
    const told = (changes: Partial<CollectionDetails>): unknown[] =>
      given(collection, created)
        .when(decideUpdate, changes, '400', act)
        .decided()
        .map(({ data }) => 'update_id' in data && data.update_id);
    expect(told({ name: 'Birds' })).to.deep.equal(['400']);
    expect(told({ description: 'Who knows birds', sensitive: true })).to.deep.equal(['400']);
    expect(told({ name: 'Bird people', sensitive: true, discoverable: false })).to.deep.equal([null]);
  });

  it('is reserved to the owner of an existing collection', () => {
    const decisions = [
      (state: Collection, by: string) => decideUpdate(state, { name: 'Mine' }, '400', { ...act, by }),
      (state: Collection, by: string) => decideDelete(state, { by }),
      (state: Collection, by: string) => decideRemove(state, '200', { by }),
      (state: Collection, by: string) =>
        decideAdd(state, { id: '300', account_id: carol }, { ...act, by }, facts),
    ];
    for (const decide of decisions) {
      expect(refusalCode(() => decide(given(collection, created, added('200', bob)).state, bob))).to.equal(
        'forbidden',
      );
      expect(refusalCode(() => decide(given(collection).state, alice))).to.equal('not_found');
      expect(
        refusalCode(() => decide(given(collection, created, added('200', bob), deleted).state, alice)),
      ).to.equal('not_found');
      expect(decide(given(collection, created, added('200', bob)).state, alice)).to.have.length(1);
    }
  });
});

describe('The members of a collection', () => {
  it('are added when they allow it, each once', () => {
    add([created], bob).then([added('300', bob)]);
    add([created], '4').thenRefuses('forbidden');
    add([created], '5').thenRefuses('not_found');
    add([created, added('200', bob)], bob).thenRefuses('invalid');
    expect(add([created, added('200', bob), removed('200', bob)], bob).decided()).to.have.length(1);
  });

  it('are limited to 25', () => {
    const many = Array.from({ length: 25 }, (_, index) => added(String(200 + index), String(10 + index)));
    expect(add([created, ...many.slice(1)], bob).decided()).to.have.length(1);
    add([created, ...many], bob).thenRefuses('invalid');
  });

  it('can remove themselves for good, which no other account can do for them', () => {
    const past = [created, added('200', bob), added('201', carol)];
    given(collection, ...past)
      .when(decideRevoke, '200', { by: bob })
      .then([revoked('200', bob)]);
    for (const by of [alice, carol]) {
      given(collection, ...past)
        .when(decideRevoke, '200', { by })
        .thenRefuses('forbidden');
    }
    const after = [...past, revoked('200', bob)];
    given(collection, ...after)
      .when(decideRevoke, '200', { by: bob })
      .thenRefuses('not_found');
    given(collection, ...after)
      .when(decideRemove, '200', { by: alice })
      .thenRefuses('not_found');
    add(after, bob).thenRefuses('forbidden');
  });
});
