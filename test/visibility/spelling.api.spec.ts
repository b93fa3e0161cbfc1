import { expect } from 'chai';
import { describeTown, type Person } from '../support/people.ts';

/** Rails reads `0115…` as `115…`. Otherwise the longer name would be a second stream. */
describeTown('An id with a leading zero', function (town) {
  this.timeout(60_000);
  let alice: Person;
  let bob: Person;
  let post: { id: string; poll: { id: string } };

  before(async () => {
    alice = await town.person('alice');
    bob = await town.person('bob');
    const poll = { options: ['yes', 'no'], expires_in: 3_600 };
    ({ json: post } = await alice.post<typeof post>('/api/v1/statuses', { status: 'Well?', poll }));
    await bob.post(`/api/v1/polls/${post.poll.id}/votes`, { choices: [0] });
    await bob.post(`/api/v1/accounts/${alice.id}/follow`);
    await town.waitUntilIdle();
  });

  it('identifies the same object, so that an action is not done twice', async () => {
    const vote = await bob.post(`/api/v1/polls/0${post.poll.id}/votes`, { choices: [0] });
    expect(vote).to.deep.include({
      status: 422,
      json: { error: 'Validation failed: You have already voted on this poll' },
    });
    await bob.post(`/api/v1/statuses/${post.id}/favourite`);
    const before = await town.events();
    for (const path of [`accounts/0${alice.id}/follow`, `statuses/00${post.id}/favourite`]) {
      expect((await bob.post(`/api/v1/${path}`)).status, path).to.equal(200);
    }
    expect(await town.events()).to.equal(before);
    const { json: shown } = await bob.get<{ id: string; favourites_count: number }>(
      `/api/v1/statuses/0${post.id}`,
    );
    expect(shown).to.include({ id: post.id, favourites_count: 1 });
  });

  it('identifies the user themselves, who cannot mute or block their own account with it', async () => {
    const before = await town.events();
    for (const act of ['mute', 'block', 'follow']) {
      const [plain, padded] = [bob.id, `0${bob.id}`].map((id) => bob.post(`/api/v1/accounts/${id}/${act}`));
      expect((await padded)?.status, act).to.equal((await plain)?.status);
    }
    expect(await town.events()).to.equal(before);
  });

  it('identifies the same account in a body', async () => {
    const { status, json } = await bob.post<{ target_account: { id: string } }>('/api/v1/reports', {
      account_id: `0${alice.id}`,
    });
    expect(status).to.equal(200);
    expect(json.target_account.id).to.equal(alice.id);
  });
});
