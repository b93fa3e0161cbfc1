import { expect } from 'chai';
import { decideAdd, MAX_MEMBERS } from '../../commands/lists/add-accounts.ts';
import { checkListLimit, decideCreate, MAX_LISTS } from '../../commands/lists/create.ts';
import { decideDelete } from '../../commands/lists/delete.ts';
import { decideMoveMember } from '../../commands/lists/move-member.ts';
import { list, type List } from '../../commands/lists/list.ts';
import { decideRemove } from '../../commands/lists/remove-accounts.ts';
import { decideUpdate } from '../../commands/lists/update.ts';
import type { ListEvent } from '../../src/events/lists.ts';
import { fold } from '../../src/kernel/decider.ts';
import { refusal } from '../support/refusal.ts';

const owned = { list_id: '10', account_id: '1' };
const created: ListEvent = {
  type: 'ListCreated',
  data: { ...owned, title: 'Friends', replies_policy: 'list', exclusive: false },
};
const given = (...events: ListEvent[]): List => fold(list, events);
const added = (...members: [account: string, follow: string][]): ListEvent => ({
  type: 'ListAccountsAdded',
  data: {
    ...owned,
    members: members.map(([account_id, follow_id]) => ({ account_id, follow_id })),
  },
});
const create = (input: Parameters<typeof decideCreate>[1]['input'], state = given()) =>
  decideCreate(state, { ...owned, input });
const add = (state: List, ids: string[], follows: [string, string | null][], lapsed: string[] = []) =>
  decideAdd(state, '1', ids, { ties: new Map(follows), lapsed: new Set(lapsed) });

describe('The decisions about a list', () => {
  it('create a list with the defaults of Mastodon', () => {
    expect(create({ title: 'Friends' })).to.deep.equal([created]);
    expect(create({ title: 'F', replies_policy: 'none', exclusive: true })[0]?.data).to.deep.equal({
      ...owned,
      title: 'F',
      replies_policy: 'none',
      exclusive: true,
    });
  });

  it('refuse an invalid title and an invalid policy', () => {
    expect(refusal(() => create({}))).to.deep.equal(['invalid', "Validation failed: Title can't be blank"]);
    expect(refusal(() => create({ title: ' ' }))?.[0]).to.equal('invalid');
    expect(refusal(() => create({ title: 'x'.repeat(257) }))?.[0]).to.equal('invalid');
    expect(create({ title: '😀'.repeat(256) })).to.have.length(1);
    expect(refusal(() => create({ title: 'x', replies_policy: 'some' }))).to.deep.equal([
      'invalid',
      'Validation failed: Replies policy is not included in the list',
    ]);
  });

  it('create at most fifty lists, and none with a used id', () => {
    expect(refusal(() => checkListLimit(MAX_LISTS))).to.equal(undefined);
    expect(refusal(() => checkListLimit(MAX_LISTS + 1))?.[0]).to.equal('invalid');
    expect(refusal(() => create({ title: 'x' }, given(created)))?.[0]).to.equal('conflict');
  });

  it('record only changed settings', () => {
    expect(decideUpdate(given(created), '1', { title: 'Friends', exclusive: false })).to.deep.equal([]);
    const changed = decideUpdate(given(created), '1', { title: 'Friends', replies_policy: 'followed' });
    expect(changed).to.deep.equal([{ type: 'ListUpdated', data: { ...owned, replies_policy: 'followed' } }]);
    expect(
      decideUpdate(given(created, ...changed), '1', { title: 'Friends', replies_policy: 'followed' }),
    ).to.deep.equal([]);
    expect(decideUpdate(given(created), '1', { exclusive: true })).to.deep.equal([
      { type: 'ListUpdated', data: { ...owned, exclusive: true } },
    ]);
    expect(refusal(() => decideUpdate(given(created), '1', { title: ' ' }))?.[1]).to.contain('Title');
  });

  it('add followed accounts, all or none', () => {
    const followed: [string, string][] = [['2', '20']];
    expect(
      add(
        given(created),
        ['2', '3'],
        [
          ['2', '20'],
          ['3', '30'],
        ],
      ),
    ).to.deep.equal([added(['2', '20'], ['3', '30'])]);
    expect(refusal(() => add(given(created), ['2', '3'], [['2', '20']]))?.[0]).to.equal('not_found');
    expect(refusal(() => add(given(created), ['2', '3'], [...followed, ['3', null]]))?.[1]).to.equal(
      'Validation failed: Account must be a followed account',
    );
    expect(add(given(created), [], [])).to.deep.equal([]);
  });

  it('add an account once per follow', () => {
    const state = given(created, added(['2', '20']));
    expect(refusal(() => add(state, ['2'], [['2', '20']]))).to.deep.equal([
      'invalid',
      'Validation failed: Account is already on the list',
    ]);
    const again = add(state, ['2'], [['2', '21']]);
    expect(again).to.deep.equal([added(['2', '21'])]);
    expect(
      refusal(() => add(given(created, added(['2', '20']), ...again), ['2'], [['2', '21']]))?.[0],
    ).to.equal('invalid');
  });

  it('allow a thousand members, without those whose follow has ended', () => {
    const ids = Array.from({ length: MAX_MEMBERS }, (_, index) => String(1_000 + index));
    const state = given(created, added(...ids.map((id): [string, string] => [id, `9${id}`])));
    expect(refusal(() => add(state, ['2'], [['2', '20']]))?.[0]).to.equal('invalid');
    expect(add(state, ['2'], [['2', '20']], ['91000'])).to.have.length(1);
    // An account with a new follow counts again.
    const back = given(
      created,
      added(...ids.map((id): [string, string] => [id, `9${id}`])),
      added(['1000', '80']),
    );
    expect(refusal(() => add(back, ['2'], [['2', '20']], ['91000']))?.[0]).to.equal('invalid');
  });

  it('remove members, and ignore other accounts', () => {
    const state = given(created, added(['2', '20'], ['3', '30']));
    const removed = decideRemove(state, '1', ['2', '4', '2', 'x']);
    expect(removed).to.deep.equal([{ type: 'ListAccountsRemoved', data: { ...owned, account_ids: ['2'] } }]);
    expect(decideRemove(given(created, added(['2', '20']), ...removed), '1', ['2'])).to.deep.equal([]);
  });

  it('refuse other users, and end when the list is deleted', () => {
    const deleted = decideDelete(given(created), '1');
    expect(deleted).to.deep.equal([{ type: 'ListDeleted', data: owned }]);
    for (const [state, accountId] of [
      [given(created), '2'],
      [given(created, ...deleted), '1'],
      [given(), '1'],
    ] as const) {
      expect(refusal(() => decideDelete(state, accountId))?.[0]).to.equal('not_found');
      expect(refusal(() => decideUpdate(state, accountId, {}))?.[0]).to.equal('not_found');
      expect(refusal(() => decideRemove(state, accountId, []))?.[0]).to.equal('not_found');
      const nothing = { ties: new Map<string, string>(), lapsed: new Set<string>() };
      expect(refusal(() => decideAdd(state, accountId, [], nothing))?.[0]).to.equal('not_found');
    }
  });

  it('replace a moved account by its new account, once', () => {
    const [from, to] = [
      { account_id: '2', follow_id: '20' },
      { account_id: '3', follow_id: '30' },
    ];
    const along = (state: List, owner = '1') => decideMoveMember(state, owner, { from, to });
    const left: ListEvent = { type: 'ListAccountsRemoved', data: { ...owned, account_ids: ['2'] } };
    const there = given(created, added(['2', '20']));
    expect(along(there)).to.deep.equal([left, added(['3', '30'])]);
    expect(along(given(created, added(['2', '20'], ['3', '30'])))).to.deep.equal([left]);
    expect(along(given(created, added(['2', '20'], ['3', '29'])))).to.deep.equal([left, added(['3', '30'])]);
    // After another follow it is no longer a member. Lists of other owners and deleted lists stay unchanged.
    expect(along(given(created, added(['2', '19'])))).to.deep.equal([]);
    expect(along(there, '9')).to.deep.equal([]);
    expect(along(given(created, added(['2', '20']), left))).to.deep.equal([]);
    expect(along(given(created, added(['2', '20']), { type: 'ListDeleted', data: owned }))).to.deep.equal([]);
    expect(along(given())).to.deep.equal([]);
  });
});
