import { expect } from 'chai';
import { decideAddStatus, MAX_STATUSES } from '#commands/filters/add-status.ts';
import { decideCreate } from '#commands/filters/create.ts';
import { decideCreateKeyword } from '#commands/filters/create-keyword.ts';
import { decideCreateV1 } from '#commands/filters/create-v1.ts';
import { decideDelete } from '#commands/filters/delete.ts';
import { decideDeleteKeyword } from '#commands/filters/delete-keyword.ts';
import { type Filter, filter } from '#commands/filters/filter.ts';
import type { KeywordEdit } from '#commands/filters/keywords.ts';
import { checkFilterLimits, filterQuota, MAX_FILTERS } from '#commands/filters/quota.ts';
import { decideRemoveStatus } from '#commands/filters/remove-status.ts';
import { decideUpdate } from '#commands/filters/update.ts';
import { decideUpdateKeyword } from '#commands/filters/update-keyword.ts';
import { decideUpdateV1 } from '#commands/filters/update-v1.ts';
import type { FilterEvent } from '#events/filters.ts';
import type { Db } from '#kernel/read.ts';
import { type Given, given } from '../support/given.ts';
import { refusal } from '../support/refusal.ts';

const owned = { filter_id: '10', account_id: '1' };
const now = '2026-11-21T08:00:00.000Z';
const created = (keywords: [id: string, keyword: string, wholeWord?: boolean][] = []): FilterEvent => ({
  type: 'FilterCreated',
  data: {
    ...owned,
    title: 'Series',
    context: ['home'],
    filter_action: 'warn',
    expires_at: null,
    keywords: keywords.map(([id, keyword, whole_word = true]) => ({ id, keyword, whole_word })),
  },
});
const update = (
  state: Given<Filter>,
  settings: Parameters<typeof decideUpdate>[1]['settings'] = {},
  keywords: KeywordEdit[] = [],
) => state.when(decideUpdate, { account_id: '1', now, settings, keywords });
const edited = (changes: object): FilterEvent => ({
  type: 'FilterKeywordsEdited',
  data: { ...owned, added: [], changed: [], removed: [], ...changes },
});

describe('Deciding about a filter', () => {
  const create = (settings: Parameters<typeof decideCreate>[1]['settings'], keywords: KeywordEdit[] = []) =>
    given(filter).when(decideCreate, { ...owned, now, settings, keywords });

  it('creates a filter with its keywords in one event', () => {
    const events = create({ title: 'Series', context: ['home', 'public', 'home'], expires_in: 60 }, [
      { new_id: '11', keyword: 'spoiler' },
      { new_id: '12', keyword: 'finale', whole_word: false },
      { new_id: '13', keyword: '', whole_word: false },
      { new_id: '14', keyword: 'not this one', _destroy: true },
    ]).decided();
    expect(events).to.deep.equal([
      {
        type: 'FilterCreated',
        data: {
          ...owned,
          title: 'Series',
          context: ['home', 'public'],
          filter_action: 'warn',
          expires_at: '2026-11-21T08:01:00.000Z',
          keywords: [
            { id: '11', keyword: 'spoiler', whole_word: true },
            { id: '12', keyword: 'finale', whole_word: false },
          ],
        },
      },
    ]);
  });

  it('reports all errors at once', () => {
    create({}).thenRefuses(
      'invalid',
      "Validation failed: Title can't be blank, Context can't be blank, Context None or invalid context supplied",
    );
    create({ title: 'x'.repeat(257), context: ['home', 'everywhere'], filter_action: 'eat' }).thenRefuses(
      'invalid',
      'Validation failed: Action is not included in the list, Title is too long (maximum is 256 characters), ' +
        'Context None or invalid context supplied',
    );
    const keyword = { new_id: '11', keyword: ' ', whole_word: true };
    create({ title: 'x', context: ['home'] }, [keyword]).thenRefuses(
      'invalid',
      "Validation failed: Keywords keyword can't be blank",
    );
  });

  it('answers not_found for a keyword id in a new filter', () => {
    const edit = { id: '5', new_id: '11', keyword: 'x' };
    create({ title: 'x', context: ['home'] }, [edit]).thenRefuses('not_found');
  });

  it('allows a hundred filters', () => {
    const check = (filters: number, isNew: boolean) => () =>
      checkFilterLimits({ filters, keywords: 0, characters: 0 }, { isNew });
    expect(refusal(check(MAX_FILTERS, true))).to.equal(undefined);
    expect(refusal(check(MAX_FILTERS + 1, true))?.[0]).to.equal('invalid');
    expect(refusal(check(MAX_FILTERS + 1, false))).to.equal(undefined);
  });

  it('records only the fields that differ', () => {
    const state = given(filter, created([['11', 'spoiler']]));
    update(state, { title: 'Series', context: ['home'], filter_action: 'warn' }).then([]);
    update(state, { filter_action: 'blur' }).then([
      { type: 'FilterUpdated', data: { ...owned, filter_action: 'blur' } },
    ]);
    update(state, { title: '' }).thenRefuses('invalid', "Validation failed: Title can't be blank");
    expect(refusal(() => update(state, { context: [] }).decided())?.[1]).to.contain(
      'None or invalid context',
    );
  });

  it('sets and removes the expiry time', () => {
    const until = update(given(filter, created()), { expires_in: 1 }).decided();
    expect(until[0]?.data).to.deep.include({ expires_at: '2026-11-21T08:00:01.000Z' });
    const state = given(filter, created(), ...until);
    update(state, {}).then([]);
    expect(update(state, { expires_in: null }).decided()[0]?.data).to.deep.include({ expires_at: null });
  });

  it('adds, edits and removes keywords in one event', () => {
    const state = given(
      filter,
      created([
        ['11', 'one'],
        ['12', 'two'],
        ['13', 'three'],
      ]),
    );
    const edits = [
      { id: '11', new_id: '21', _destroy: true },
      { id: '12', new_id: '22', keyword: 'deux' },
      { id: '13', new_id: '23', keyword: 'three', whole_word: true },
      { new_id: '24', keyword: 'four', whole_word: false },
    ];
    const events = update(state, {}, edits).decided();
    expect(events).to.deep.equal([
      edited({
        added: [{ id: '24', keyword: 'four', whole_word: false }],
        changed: [{ id: '12', keyword: 'deux', whole_word: true }],
        removed: ['11'],
      }),
    ]);
    const after = given(
      filter,
      created([
        ['11', 'one'],
        ['12', 'two'],
        ['13', 'three'],
      ]),
      ...events,
    );
    expect(after.state.state === 'exists' && [...after.state.keywords.keys()]).to.deep.equal([
      '12',
      '13',
      '24',
    ]);
    update(after, {}, [{ id: '11', new_id: '25', keyword: 'x' }]).thenRefuses('not_found');
  });

  it('accepts keywords of 512 characters of any kind, and refuses longer ones', () => {
    const add = (keyword: string) =>
      given(filter, created()).when(decideCreateKeyword, { account_id: '1', id: '11', input: { keyword } });
    expect(add('x'.repeat(512)).decided()).to.have.length(1);
    expect(add('😀'.repeat(512)).decided()).to.have.length(1);
    add('x'.repeat(513)).thenRefuses(
      'invalid',
      'Validation failed: Keyword is too long (maximum is 512 characters)',
    );
    add(' ').thenRefuses('invalid', "Validation failed: Keyword can't be blank");
  });

  it('limits keywords over all filters, but allows shortening one of them', () => {
    const { taken, check } = filterQuota({} as Db, '1', { isNew: false });
    const before = given(filter, created([['11', 'spoiler']]));
    const add = { account_id: '1', id: '12', input: { keyword: 'finale 😀' } };
    const more = taken(
      before.state,
      given(filter, created([['11', 'spoiler']]), ...before.when(decideCreateKeyword, add).decided()).state,
    );
    expect(more).to.deep.equal([{ id: '10', keywords: 2, characters: 15 }]);
    const others = { filters: 5, keywords: 999, characters: 99_990 };
    expect(refusal(() => check(others, more))?.[1]).to.contain('more than 1000 filter keywords');
    expect(refusal(() => check({ ...others, keywords: 0 }, more))?.[1]).to.contain('than 100000 characters');
    expect(refusal(() => check({ ...others, keywords: 998, characters: 0 }, more))).to.equal(undefined);
    // When two requests change one filter, the larger claim counts.
    const two = [...more, { id: '10', keywords: 3, characters: 9 }];
    expect(refusal(() => check({ ...others, keywords: 998, characters: 0 }, two))?.[0]).to.equal('invalid');
    const shorter = { account_id: '1', id: '11', input: { keyword: 'spoil' } };
    const after = given(
      filter,
      created([['11', 'spoiler']]),
      ...before.when(decideUpdateKeyword, shorter).decided(),
    );
    expect(taken(before.state, after.state)).to.deep.equal([]);
  });

  it('edits a keyword, and keeps omitted fields', () => {
    const state = given(filter, created([['11', 'one']]));
    const edit = (input: object, id = '11', accountId = '1') =>
      state.when(decideUpdateKeyword, { account_id: accountId, id, input });
    edit({ keyword: 'two' }).then([edited({ changed: [{ id: '11', keyword: 'two', whole_word: true }] })]);
    edit({ keyword: 'one' }).then([]);
    edit({ whole_word: false }).then([
      edited({ changed: [{ id: '11', keyword: 'one', whole_word: false }] }),
    ]);
    edit({ keyword: null }).thenRefuses('invalid', "Validation failed: Keyword can't be blank");
    edit({ keyword: 'x' }, '12').thenRefuses('not_found');
    edit({ keyword: 'x' }, '11', '2').thenRefuses('not_found');
  });

  it('adds a status once, and removes it', () => {
    const add = (state: Given<Filter>, id: string, status: string | null) =>
      state.when(decideAddStatus, { account_id: '1', id, status_id: status });
    const added = add(given(filter, created()), '31', '100').decided();
    expect(added).to.deep.equal([
      { type: 'FilterStatusAdded', data: { ...owned, id: '31', status_id: '100' } },
    ]);
    const state = given(filter, created(), ...added);
    add(state, '32', '100').thenRefuses('invalid', 'Validation failed: Status has already been taken');
    add(state, '32', null).thenRefuses('invalid', 'Validation failed: Status must exist');
    const removed = state.when(decideRemoveStatus, '1', '31').decided();
    expect(removed[0]?.type).to.equal('FilterStatusRemoved');
    given(filter, created(), ...added, ...removed)
      .when(decideRemoveStatus, '1', '31')
      .thenRefuses('not_found');
  });

  it('allows a thousand statuses', () => {
    const added = Array.from({ length: MAX_STATUSES }, (_, index): FilterEvent => ({
      type: 'FilterStatusAdded',
      data: { ...owned, id: String(1_000 + index), status_id: String(5_000 + index) },
    }));
    const state = given(filter, created(), ...added);
    const add = () => state.when(decideAddStatus, { account_id: '1', id: '9', status_id: '9' }).decided();
    expect(refusal(add)?.[0]).to.equal('invalid');
  });

  it('answers not_found to other accounts, and after the filter is deleted', () => {
    const state = given(filter, created([['11', 'one']]));
    const deleted = state.when(decideDelete, '1').decided();
    expect(deleted).to.deep.equal([{ type: 'FilterDeleted', data: owned }]);
    const gone = given(filter, created([['11', 'one']]), ...deleted);
    for (const [each, accountId] of [
      [state.state, '2'],
      [gone.state, '1'],
      [given(filter).state, '1'],
    ] as const) {
      expect(refusal(() => decideDelete(each, accountId))?.[0]).to.equal('not_found');
      expect(refusal(() => decideDeleteKeyword(each, accountId, '11'))?.[0]).to.equal('not_found');
      const command = { account_id: accountId, now, settings: {}, keywords: [] };
      expect(refusal(() => decideUpdate(each, command))?.[0]).to.equal('not_found');
    }
    expect(refusal(() => create({ title: 'x', context: ['home'] }).decided())).to.equal(undefined);
    const again = { ...owned, now, settings: { title: 'x', context: ['home'] }, keywords: [] };
    state.when(decideCreate, again).thenRefuses('conflict');
  });
});

describe('Deciding about a filter of API version 1', () => {
  const createV1 = (input: Parameters<typeof decideCreateV1>[1]['input']) =>
    given(filter).when(decideCreateV1, { ...owned, id: '11', now, input });
  const change = (state: Given<Filter>, input: Parameters<typeof decideUpdateV1>[1]['input'], id = '11') =>
    state.when(decideUpdateV1, { account_id: '1', id, now, input });

  it('creates a filter with one keyword, which is also its title', () => {
    const [event] = createV1({ phrase: 'spoiler', context: ['home'], irreversible: true }).decided();
    expect(event).to.deep.include({ type: 'FilterCreated' });
    expect(event?.data).to.deep.equal({
      ...owned,
      title: 'spoiler',
      context: ['home'],
      filter_action: 'hide',
      expires_at: null,
      keywords: [{ id: '11', keyword: 'spoiler', whole_word: false }],
    });
    const [long] = createV1({ phrase: '😀'.repeat(512), context: ['home'] }).decided();
    expect(long?.type === 'FilterCreated' && [...long.data.title]).to.have.length(256);
  });

  it('reports errors in the words of version 1', () => {
    createV1({ phrase: '', context: ['home'] }).thenRefuses(
      'invalid',
      "Validation failed: Title can't be blank",
    );
    createV1({ phrase: 'x', context: [] }).thenRefuses(
      'invalid',
      "Validation failed: Context can't be blank, Context None or invalid context supplied",
    );
  });

  it('changes the keyword and its filter, and the title if it was the keyword', () => {
    const state = given(filter, ...createV1({ phrase: 'spoiler', context: ['home'] }).decided());
    change(state, { phrase: 'spoiler', context: ['home'] }).then([]);
    change(state, { phrase: 'finale', context: ['home'], irreversible: true }).then([
      { type: 'FilterUpdated', data: { ...owned, filter_action: 'hide', title: 'finale' } },
      edited({ changed: [{ id: '11', keyword: 'finale', whole_word: false }] }),
    ]);
    const named = given(filter, created([['11', 'one']]));
    change(named, { phrase: 'two', context: ['home'] }).then([
      edited({ changed: [{ id: '11', keyword: 'two', whole_word: true }] }),
    ]);
  });

  it('changes only what is sent', () => {
    const state = given(filter, ...createV1({ phrase: 'spoiler', context: ['home'] }).decided());
    change(state, {}).then([]);
    change(state, { phrase: 'finale' }).then([
      { type: 'FilterUpdated', data: { ...owned, title: 'finale' } },
      edited({ changed: [{ id: '11', keyword: 'finale', whole_word: false }] }),
    ]);
    change(state, { context: ['public'] }).then([
      { type: 'FilterUpdated', data: { ...owned, context: ['public'] } },
    ]);
    change(state, { irreversible: true }).then([
      { type: 'FilterUpdated', data: { ...owned, filter_action: 'hide' } },
    ]);
    change(state, { phrase: '' }).thenRefuses('invalid', /can't be blank/);
    change(state, { context: [] }).thenRefuses('invalid', /Context can't be blank/);
  });

  it('refuses to change settings that other keywords of the filter share', () => {
    const state = given(
      filter,
      created([
        ['11', 'one'],
        ['12', 'two'],
      ]),
    );
    change(state, { phrase: 'uno', context: ['home'], whole_word: false }).then([
      edited({ changed: [{ id: '11', keyword: 'uno', whole_word: false }] }),
    ]);
    for (const input of [
      { context: ['public'] },
      { context: ['home'], irreversible: true },
      { context: ['home'], expires_in: 60 },
    ]) {
      change(state, { phrase: 'one', ...input }).thenRefuses('invalid');
    }
  });

  it('ignores the order of contexts, and does not turn a blur into a warning', () => {
    const two = update(
      given(
        filter,
        created([
          ['11', 'one'],
          ['12', 'two'],
        ]),
      ),
      { context: ['home', 'public'], filter_action: 'blur' },
    ).decided();
    const state = given(
      filter,
      created([
        ['11', 'one'],
        ['12', 'two'],
      ]),
      ...two,
    );
    const input = { phrase: 'one', context: ['public', 'home'], irreversible: false };
    change(state, input).then([]);
  });
});
