import { expect } from 'chai';
import { account } from '#commands/accounts/index.ts';
import { decideDismiss } from '#commands/suggestions/dismiss.ts';
import { recommendAccount } from '#commands/suggestions/index.ts';
import { decideRecommend, recommendation } from '#commands/suggestions/recommend.ts';
import { type AccountEvent, accountStream } from '#events/accounts.ts';
import { fold } from '#kernel/decider.ts';
import type { Account, Status, Suggestion } from '#mastodon/schemas/index.ts';
import { suggestions } from '#projections/suggestions.ts';
import { recommendedAccounts } from '#queries/suggestions/index.ts';
import { rank } from '#reactors/rankings.ts';
import { describeTown, type Person } from '../support/people.ts';
import { openScratchDatabase, project } from '../support/projection.ts';
import { remoteAccount } from '../support/remote.ts';

describeTown('Suggestions over the API', (town) => {
  const post = async (who: Person, body: object): Promise<Status> =>
    (await who.post<Status>('/api/v1/statuses', body)).json;
  const act = async (who: Person, path: string): Promise<void> => {
    const { status, json } = await who.post(`/api/v1/${path}`);
    expect(status, JSON.stringify(json)).to.equal(200);
  };
  const list = async (who: Person, query = ''): Promise<Suggestion[]> => {
    await town.waitUntilIdle();
    return (await who.get<Suggestion[]>(`/api/v2/suggestions${query}`)).json;
  };
  const names = (found: readonly Suggestion[]): string[] => found.map((each) => each.account.username);
  const recommend = async (who: { id: string }, recommended = true): Promise<void> => {
    await recommendAccount(town.app.systemContext('spec'), { accountId: who.id, recommended });
    await town.waitUntilIdle();
  };

  it('are accounts whose posts the user reblogged, favourited or replied to, in this order', async () => {
    const reader = await town.person('weighing');
    const [liked, boosted, answered, twice] = await Promise.all(
      ['liked', 'boosted', 'answered', 'twice'].map((name) => town.person(name)),
    );
    if (!liked || !boosted || !answered || !twice) throw new Error();
    await act(reader, `statuses/${(await post(liked, { status: 'a' })).id}/favourite`);
    await act(reader, `statuses/${(await post(boosted, { status: 'b' })).id}/reblog`);
    const { id: asked } = await post(answered, { status: 'c' });
    for (const text of ['1', '2', '3']) await post(reader, { status: text, in_reply_to_id: asked });
    // Two favourites and a reply: 21.
    for (const text of ['d', 'e']) {
      const { id } = await post(twice, { status: text });
      await act(reader, `statuses/${id}/favourite`);
      if (text === 'e') await post(reader, { status: 'f', in_reply_to_id: id });
    }
    const found = await list(reader);
    expect(names(found)).to.deep.equal(['twice', 'boosted', 'liked', 'answered']);
    for (const { source, sources } of found) {
      expect({ source, sources }).to.deep.equal({
        source: 'past_interactions',
        sources: ['most_interactions'],
      });
    }
    expect(names(await list(reader, '?limit=2'))).to.deep.equal(['twice', 'boosted']);
    const { json: old } = await reader.get<Account[]>('/api/v1/suggestions');
    expect(old).to.deep.equal(found.map((each) => each.account));
    // An undone interaction does not count.
    await act(reader, `statuses/${(await post(boosted, { status: 'g' })).id}/favourite`);
    expect(names(await list(reader))[0]).to.equal('boosted');
  });

  it('leave out followed, requested, blocked, muted, locked, moved, suspended and remote accounts', async () => {
    const reader = await town.person('careful');
    const people = new Map<string, Person>();
    for (const name of [
      ...[
        'followed',
        'asked',
        'blocked',
        'blocking',
        'muted',
        'locked',
        'moved',
        'suspended',
        'dismissed',
        'kept',
      ],
    ]) {
      const person = await town.person(`is_${name}`);
      people.set(name, person);
      await act(reader, `statuses/${(await post(person, { status: name })).id}/favourite`);
    }
    expect(names(await list(reader))).to.have.length(people.size);
    const of = (name: string): Person => people.get(name) as Person;
    await act(reader, `accounts/${of('followed').id}/follow`);
    await town.change(of('asked'), { locked: true });
    await act(reader, `accounts/${of('asked').id}/follow`);
    await act(reader, `accounts/${of('blocked').id}/block`);
    await act(of('blocking'), `accounts/${reader.id}/block`);
    await act(reader, `accounts/${of('muted').id}/mute`);
    await town.change(of('locked'), { locked: true });
    const moved_at = '2026-11-22T08:00:00.000Z';
    const moved: AccountEvent = {
      type: 'AccountMoved',
      data: { account_id: of('moved').id, target_account_id: of('kept').id, moved_at, with_followers: true },
    };
    await town.app.systemContext('spec').execute(accountStream(of('moved').id), account, () => [moved]);
    await town.suspend(of('suspended'));
    const dismiss = (id: string) => reader.delete(`/api/v1/suggestions/${id}`);
    expect(await dismiss(of('dismissed').id)).to.deep.include({ status: 200, json: {} });
    const before = await town.events();
    expect((await dismiss(of('dismissed').id)).status).to.equal(200);
    expect(await town.events()).to.equal(before);
    expect(names(await list(reader))).to.deep.equal(['is_kept']);

    const far = await remoteAccount(town.app, 'far', 'far.example');
    await recommend({ id: far });
    expect(names(await list(reader))).to.deep.equal(['far', 'is_kept']);
    await reader.post('/api/v1/domain_blocks', { domain: 'far.example' });
    expect(names(await list(reader))).to.deep.equal(['is_kept']);
    await recommend({ id: far }, false);
  });

  it('begin with accounts that staff recommend to everyone', async () => {
    const [reader, chosen] = [await town.person('newcomer'), await town.person('chosen')];
    expect(await list(reader)).to.deep.equal([]);
    await recommend(chosen);
    const [first, ...more] = await list(reader);
    expect(more).to.deep.equal([]);
    expect(first).to.deep.include({ source: 'staff', sources: ['featured'] });
    expect(first?.account.username).to.equal('chosen');
    // Users are not recommended to themselves.
    expect(await list(chosen)).to.deep.equal([]);
    expect(await recommendedAccounts(town.app.db)).to.deep.equal(['chosen']);
    await recommend(chosen, false);
    expect(await list(reader)).to.deep.equal([]);
  });

  it('are popular discoverable accounts for a user without follows', async () => {
    const reader = await town.person('cold');
    const popular = await town.person('popular', { discoverable: true });
    const known = await town.person('known', { discoverable: true });
    const shy = await town.person('shy', { discoverable: false });
    const fans = [await town.person('fan1'), await town.person('fan2')];
    for (const fan of fans) {
      for (const whom of fan === fans[0] ? [popular, known, shy] : [popular, shy]) {
        await act(fan, `accounts/${whom.id}/follow`);
      }
    }
    await town.waitUntilIdle();
    await rank(town.app.systemContext('spec'), 'accounts');
    const found = await list(reader);
    expect(names(found)).to.deep.equal(['popular', 'known']);
    expect(found[0]).to.deep.include({ source: 'global', sources: ['most_followed'] });
    // Accounts with posts come before those without.
    await post(known, { status: 'I am here' });
    expect(names(await list(reader))).to.deep.equal(['known', 'popular']);
    // A shorter ranking leaves no rows of a longer one.
    await town.change(popular, { discoverable: false });
    await rank(town.app.systemContext('spec'), 'accounts');
    expect(names(await list(reader))).to.deep.equal(['known']);
  });

  it('are for users with the scope, and dismissing any other account succeeds', async () => {
    const reader = await town.person('strict');
    const narrow = await reader.withScopes('read:accounts');
    expect((await narrow.get('/api/v2/suggestions')).status).to.equal(200);
    const wrong = await reader.withScopes('write:statuses');
    expect((await wrong.get('/api/v1/suggestions')).status).to.equal(403);
    expect((await wrong.delete('/api/v1/suggestions/1')).status).to.equal(403);
    expect((await town.nobody.get('/api/v2/suggestions')).status).to.equal(401);
    expect((await (await town.appOnly()).get('/api/v2/suggestions')).status).to.equal(422);
    const before = await town.events();
    for (const id of ['0', '999', 'nobody', '99999999999999999999999']) {
      expect(await reader.delete(`/api/v1/suggestions/${id}`), id).to.deep.include({ status: 200, json: {} });
    }
    expect(await town.events()).to.equal(before);
  });

  it('accept a limit as documented, and use the default for anything else', async () => {
    const reader = await town.person('limits');
    for (const limit of ['0', '-1', 'many', '1000', '']) {
      expect((await reader.get(`/api/v2/suggestions?limit=${limit}`)).status).to.equal(200);
    }
  });
});

describe('The decisions about suggestions', () => {
  const about = { accountId: '1', recommended: true };

  it('happens once', () => {
    const empty = fold(recommendation, []);
    const added = decideRecommend(empty, about);
    expect(added).to.deep.equal([{ type: 'AccountRecommended', data: { account_id: '1' } }]);
    expect(decideRecommend(fold(recommendation, added), about)).to.deep.equal([]);
    expect(decideRecommend(empty, { ...about, recommended: false })).to.deep.equal([]);
    const ended = decideRecommend(fold(recommendation, added), { ...about, recommended: false });
    expect(ended.map(({ type }) => type)).to.deep.equal(['AccountRecommendationEnded']);
    const data = { account_id: '1', target_account_id: '2' };
    expect(decideDismiss({ dismissed: false }, data)).to.deep.equal([{ type: 'SuggestionDismissed', data }]);
    expect(decideDismiss({ dismissed: true }, data)).to.deep.equal([]);
  });

  it('is projected', async () => {
    const db = await openScratchDatabase();
    const rows = await project(db, suggestions, [
      { type: 'AccountRecommended', data: { account_id: '1' } },
      { type: 'AccountRecommended', data: { account_id: '2' } },
      { type: 'AccountRecommendationEnded', data: { account_id: '1' } },
      { type: 'AccountRecommended', data: { account_id: '1' } },
      { type: 'AccountRecommendationEnded', data: { account_id: '2' } },
      { type: 'SuggestionDismissed', data: { account_id: '1', target_account_id: '2' } },
    ]);
    expect(rows).to.deep.equal({
      recommended_accounts: [{ account_id: 1, position: 4 }],
      dismissed_suggestions: [{ account_id: 1, target_account_id: 2 }],
    });
    await db.close();
  });
});
