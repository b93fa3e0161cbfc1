import { expect } from 'chai';
import { startTown, type Person, type Town } from '../support/people.ts';

/** Postgres finds the same row by `0115…` as by `115…`, but a stream of that name would be another one. */
describe('an id with a zero in front', function () {
  this.timeout(60_000);
  let town: Town;
  let alice: Person;
  let bob: Person;
  let post: { id: string; poll: { id: string } };

  before(async () => {
    town = await startTown();
    alice = await town.person('alice');
    bob = await town.person('bob');
    const poll = { options: ['yes', 'no'], expires_in: 3_600 };
    ({ json: post } = await alice.post<typeof post>('/api/v1/statuses', { status: 'Well?', poll }));
    await bob.post(`/api/v1/polls/${post.poll.id}/votes`, { choices: [0] });
    await bob.post(`/api/v1/accounts/${alice.id}/follow`);
    await town.settle();
  });
  after(() => town.close());

  it('is nobody, so what may be done once is not done twice', async () => {
    const before = await town.events();
    const paths = [
      `/api/v1/polls/0${post.poll.id}/votes`,
      `/api/v1/accounts/0${alice.id}/follow`,
      `/api/v1/accounts/0${alice.id}/block`,
      `/api/v1/accounts/0${bob.id}/mute`,
      `/api/v1/statuses/0${post.id}/favourite`,
    ];
    for (const path of paths) {
      const { status, json } = await bob.post(path, { choices: [0] });
      expect({ path, status, json }).to.deep.equal({
        path,
        status: 404,
        json: { error: 'Record not found' },
      });
    }
    expect(await town.events()).to.equal(before);
    const { json: poll } = await bob.get<{ votes_count: number }>(`/api/v1/polls/${post.poll.id}`);
    expect(poll.votes_count).to.equal(1);
  });

  it('is nobody in a body either', async () => {
    const { status } = await bob.post('/api/v1/reports', { account_id: `0${alice.id}` });
    expect(status).to.equal(404);
  });
});
