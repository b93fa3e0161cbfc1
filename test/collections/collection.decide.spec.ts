import { expect } from 'chai';
import {
  checkCollectionLimit,
  collection,
  decideAdd,
  decideCreate,
  decideDelete,
  decideRemove,
  decideRevoke,
  decideUpdate,
} from '../../commands/collections/collection.ts';
import type { CollectionDetails, CollectionEvent } from '../../src/events/collections.ts';
import { fold } from '../../src/kernel/decider.ts';
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

const given = (...events: CollectionEvent[]) => fold(collection, events);
const featurable = new Set([bob, carol]);
const facts = { featurable, known: new Set([bob, carol, '4']) };
const add = (past: CollectionEvent[], account_id: string, by = alice): CollectionEvent[] =>
  decideAdd(given(...past), { id: '300', account_id }, { ...act, by }, facts);

describe('Creating a collection', () => {
  const create = (...accounts: string[]): CollectionEvent[] => {
    const items = accounts.map((account_id, index) => ({ id: String(200 + index), account_id }));
    return decideCreate(given(), { id: '100', origin, details, items }, act, facts);
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
    expect(decideCreate(given(), command, act, facts)).to.have.length(26);
    expect(refusalCode(() => decideCreate(given(), { ...command, items }, act, facts))).to.equal('invalid');
  });
});

describe('Changing a collection', () => {
  it('records only changed fields', () => {
    expect(decideUpdate(given(created), { name: 'Bird people', tag: null }, '400', act)).to.deep.equal([]);
    const tag = { name: 'Birds', normal: 'birds' };
    const changed = decideUpdate(given(created), { name: 'Birds', language: null, tag }, '400', act);
    const ofChange = { id: '100', account_id: alice, update_id: '400', updated_at: act.now };
    expect(changed).to.deep.equal([
      { type: 'CollectionUpdated', data: { ...ofChange, name: 'Birds', language: null, tag } },
    ]);
    const after = given(created, ...changed);
    expect(decideUpdate(after, { name: 'Birds', language: null, tag }, '401', act)).to.deep.equal([]);
  });

  it('notifies members of a new name or description only', () => {
    const told = (changes: Partial<CollectionDetails>): unknown[] =>
      decideUpdate(given(created), changes, '400', act).map(
        ({ data }) => 'update_id' in data && data.update_id,
      );
    expect(told({ name: 'Birds' })).to.deep.equal(['400']);
    expect(told({ description: 'Who knows birds', sensitive: true })).to.deep.equal(['400']);
    expect(told({ name: 'Bird people', sensitive: true, discoverable: false })).to.deep.equal([null]);
  });

  it('is reserved to the owner of an existing collection', () => {
    const decisions = [
      (state: ReturnType<typeof given>, by: string) =>
        decideUpdate(state, { name: 'Mine' }, '400', { ...act, by }),
      (state: ReturnType<typeof given>, by: string) => decideDelete(state, { by }),
      (state: ReturnType<typeof given>, by: string) => decideRemove(state, '200', { by }),
      (state: ReturnType<typeof given>, by: string) =>
        decideAdd(state, { id: '300', account_id: carol }, { ...act, by }, facts),
    ];
    for (const decide of decisions) {
      expect(refusalCode(() => decide(given(created, added('200', bob)), bob))).to.equal('forbidden');
      expect(refusalCode(() => decide(given(), alice))).to.equal('not_found');
      expect(refusalCode(() => decide(given(created, added('200', bob), deleted), alice))).to.equal(
        'not_found',
      );
      expect(decide(given(created, added('200', bob)), alice)).to.have.length(1);
    }
  });
});

describe('The members of a collection', () => {
  it('are added when they allow it, each once', () => {
    expect(add([created], bob)).to.deep.equal([added('300', bob)]);
    expect(refusalCode(() => add([created], '4'))).to.equal('forbidden');
    expect(refusalCode(() => add([created], '5'))).to.equal('not_found');
    expect(refusalCode(() => add([created, added('200', bob)], bob))).to.equal('invalid');
    expect(add([created, added('200', bob), removed('200', bob)], bob)).to.have.length(1);
  });

  it('are limited to 25', () => {
    const many = Array.from({ length: 25 }, (_, index) => added(String(200 + index), String(10 + index)));
    expect(add([created, ...many.slice(1)], bob)).to.have.length(1);
    expect(refusalCode(() => add([created, ...many], bob))).to.equal('invalid');
  });

  it('can remove themselves for good, which no other account can do for them', () => {
    const past = [created, added('200', bob), added('201', carol)];
    expect(decideRevoke(given(...past), '200', { by: bob })).to.deep.equal([revoked('200', bob)]);
    for (const by of [alice, carol]) {
      expect(refusalCode(() => decideRevoke(given(...past), '200', { by }))).to.equal('forbidden');
    }
    const after = [...past, revoked('200', bob)];
    expect(refusalCode(() => decideRevoke(given(...after), '200', { by: bob }))).to.equal('not_found');
    expect(refusalCode(() => decideRemove(given(...after), '200', { by: alice }))).to.equal('not_found');
    expect(refusalCode(() => add(after, bob))).to.equal('forbidden');
  });
});
