import { expect } from 'chai';
import { decideAdd, MAX_MEMBERS } from '#commands/lists/add-accounts.ts';
import { checkListLimit, decideCreate, MAX_LISTS } from '#commands/lists/create.ts';
import { decideDelete } from '#commands/lists/delete.ts';
import { type List, list } from '#commands/lists/list.ts';
import { decideMoveMember } from '#commands/lists/move-member.ts';
import { decideRemove } from '#commands/lists/remove-accounts.ts';
import { decideUpdate } from '#commands/lists/update.ts';
import type { ListEvent } from '#events/lists.ts';
import { type Given, given } from '../support/given.ts';
import { refusal } from '../support/refusal.ts';

const owned = { list_id: '10', account_id: '1' };
const created: ListEvent = {
  type: 'ListCreated',
  data: { ...owned, title: 'Friends', replies_policy: 'list', exclusive: false },
};
const added = (...members: [account: string, follow: string][]): ListEvent => ({
  type: 'ListAccountsAdded',
  data: { ...owned, members: members.map(([account_id, follow_id]) => ({ account_id, follow_id })) },
});
const create = (input: Parameters<typeof decideCreate>[1]['input'], state = given(list)) =>
  state.when(decideCreate, { ...owned, input });
const add = (state: Given<List>, ids: string[], follows: [string, string | null][], lapsed: string[] = []) =>
  state.when(decideAdd, '1', ids, { ties: new Map(follows), lapsed: new Set(lapsed) });

describe('The decisions about a list', () => {
  it('create a list with the defaults of Mastodon', () => {
    create({ title: 'Friends' }).then([created]);
    expect(create({ title: 'F', replies_policy: 'none', exclusive: true }).decided()[0]?.data).to.deep.equal({
      ...owned,
      title: 'F',
      replies_policy: 'none',
      exclusive: true,
    });
  });

  it('refuse an invalid title and an invalid policy', () => {
    create({}).thenRefuses('invalid', "Validation failed: Title can't be blank");
    create({ title: ' ' }).thenRefuses('invalid');
    create({ title: 'x'.repeat(257) }).thenRefuses('invalid');
    expect(create({ title: '😀'.repeat(256) }).decided()).to.have.length(1);
    create({ title: 'x', replies_policy: 'some' }).thenRefuses(
      'invalid',
      'Validation failed: Replies policy is not included in the list',
    );
  });

  it('create at most fifty lists, and none with a used id', () => {
    expect(refusal(() => checkListLimit(MAX_LISTS))).to.equal(undefined);
    expect(refusal(() => checkListLimit(MAX_LISTS + 1))?.[0]).to.equal('invalid');
    create({ title: 'x' }, given(list, created)).thenRefuses('conflict');
  });

  it('record only changed settings', () => {
    given(list, created).when(decideUpdate, '1', { title: 'Friends', exclusive: false }).then([]);
    const changed = given(list, created)
      .when(decideUpdate, '1', { title: 'Friends', replies_policy: 'followed' })
      .decided();
    expect(changed).to.deep.equal([{ type: 'ListUpdated', data: { ...owned, replies_policy: 'followed' } }]);
    given(list, created, ...changed)
      .when(decideUpdate, '1', { title: 'Friends', replies_policy: 'followed' })
      .then([]);
    given(list, created)
      .when(decideUpdate, '1', { exclusive: true })
      .then([{ type: 'ListUpdated', data: { ...owned, exclusive: true } }]);
    expect(
      refusal(() => given(list, created).when(decideUpdate, '1', { title: ' ' }).decided())?.[1],
    ).to.contain('Title');
  });

  it('add followed accounts, all or none', () => {
    const followed: [string, string][] = [['2', '20']];
    add(
      given(list, created),
      ['2', '3'],
      [
        ['2', '20'],
        ['3', '30'],
      ],
    ).then([added(['2', '20'], ['3', '30'])]);
    add(given(list, created), ['2', '3'], [['2', '20']]).thenRefuses('not_found');
    add(given(list, created), ['2', '3'], [...followed, ['3', null]]).thenRefuses(
      'invalid',
      'Validation failed: Account must be a followed account',
    );
    add(given(list, created), [], []).then([]);
  });

  it('add an account once per follow', () => {
    const state = given(list, created, added(['2', '20']));
    add(state, ['2'], [['2', '20']]).thenRefuses(
      'invalid',
      'Validation failed: Account is already on the list',
    );
    const again = add(state, ['2'], [['2', '21']]).decided();
    expect(again).to.deep.equal([added(['2', '21'])]);
    add(given(list, created, added(['2', '20']), ...again), ['2'], [['2', '21']]).thenRefuses('invalid');
  });

  it('allow a thousand members, without those whose follow has ended', () => {
    const ids = Array.from({ length: MAX_MEMBERS }, (_, index) => String(1_000 + index));
    const state = given(list, created, added(...ids.map((id): [string, string] => [id, `9${id}`])));
    add(state, ['2'], [['2', '20']]).thenRefuses('invalid');
    expect(add(state, ['2'], [['2', '20']], ['91000']).decided()).to.have.length(1);
    // An account with a new follow counts again.
    const back = given(
      list,
      created,
      added(...ids.map((id): [string, string] => [id, `9${id}`])),
      added(['1000', '80']),
    );
    add(back, ['2'], [['2', '20']], ['91000']).thenRefuses('invalid');
  });

  it('remove members, and ignore other accounts', () => {
    const state = given(list, created, added(['2', '20'], ['3', '30']));
    const removed = state.when(decideRemove, '1', ['2', '4', '2', 'x']).decided();
    expect(removed).to.deep.equal([{ type: 'ListAccountsRemoved', data: { ...owned, account_ids: ['2'] } }]);
    given(list, created, added(['2', '20']), ...removed)
      .when(decideRemove, '1', ['2'])
      .then([]);
  });

  it('refuse other users, and end when the list is deleted', () => {
    const deleted = given(list, created).when(decideDelete, '1').decided();
    expect(deleted).to.deep.equal([{ type: 'ListDeleted', data: owned }]);
    for (const [state, accountId] of [
      [given(list, created).state, '2'],
      [given(list, created, ...deleted).state, '1'],
      [given(list).state, '1'],
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
    const along = (state: Given<List>, owner = '1') => state.when(decideMoveMember, owner, { from, to });
    const left: ListEvent = { type: 'ListAccountsRemoved', data: { ...owned, account_ids: ['2'] } };
    const there = given(list, created, added(['2', '20']));
    along(there).then([left, added(['3', '30'])]);
    along(given(list, created, added(['2', '20'], ['3', '30']))).then([left]);
    along(given(list, created, added(['2', '20'], ['3', '29']))).then([left, added(['3', '30'])]);
    // After another follow it is no longer a member. Lists of other owners and deleted lists stay unchanged.
    along(given(list, created, added(['2', '19']))).then([]);
    along(there, '9').then([]);
    along(given(list, created, added(['2', '20']), left)).then([]);
    along(given(list, created, added(['2', '20']), { type: 'ListDeleted', data: owned })).then([]);
    along(given(list)).then([]);
  });
});
