import { expect } from 'chai';
import type { Poll, Status } from '#mastodon/schemas/index.ts';
import { describeTown, type Person } from '../support/people.ts';

const ALREADY = 'Validation failed: You have already voted on this poll';

describeTown('Polls', (town) => {
  let alice: Person;
  let bob: Person;

  before(async () => {
    alice = await town.person('alice');
    bob = await town.person('bob');
  });

  const question = { options: ['Tea', 'Coffee', 'Water'], expires_in: 3_600 };
  const ask = (poll: object, status = {}) =>
    alice.post<Status>('/api/v1/statuses', { status: 'Which one?', poll, ...status });
  const asked = async (poll: object = {}, status = {}): Promise<Poll> => {
    const { json } = await ask({ ...question, ...poll }, status);
    if (!json.poll) throw new Error('no poll');
    return json.poll;
  };
  const vote = (who: Person, id: string, ...choices: (string | number)[]) =>
    who.post<Poll>(`/api/v1/polls/${id}/votes`, { choices });
  const votes = ({ options }: Poll) => options.map(({ votes_count }) => votes_count);

  it('are created with a status, open and without votes', async () => {
    const poll = await asked({ multiple: true });
    expect(poll).to.include({ expired: false, multiple: true, votes_count: 0, voters_count: 0, voted: true });
    expect(poll.options.map(({ title }) => title)).to.deep.equal(question.options);
    const { json } = await town.nobody.get<Poll>(`/api/v1/polls/${poll.id}`);
    expect(json).not.to.have.any.keys('voted', 'own_votes');
  });

  it('count each voter once, in the poll and in its status', async () => {
    const poll = await asked({ multiple: true });
    const { json } = await vote(bob, poll.id, 0, '2');
    expect(json).to.deep.include({ voted: true, own_votes: [0, 2], votes_count: 2, voters_count: 1 });
    expect(votes(json)).to.deep.equal([1, 0, 1]);
    const again = await vote(bob, poll.id, 1, 0);
    expect([again.status, again.json]).to.deep.equal([422, { error: ALREADY }]);
    expect(votes((await alice.get<Poll>(`/api/v1/polls/${poll.id}`)).json)).to.deep.equal([1, 0, 1]);
  });

  it('accept further choices of a voter in a multiple-choice poll, in order', async () => {
    const poll = await asked({ multiple: true });
    await vote(bob, poll.id, 0, 2);
    const { json } = await vote(bob, poll.id, 1);
    expect(json).to.deep.include({ voted: true, own_votes: [0, 2, 1], votes_count: 3, voters_count: 1 });
    expect((await vote(bob, poll.id, 2)).json).to.deep.equal({ error: ALREADY });
  });

  it('report the number of voters for a single choice too', async () => {
    const poll = await asked();
    expect(poll).to.include({ multiple: false, voters_count: 0 });
    expect((await vote(bob, poll.id, 1)).json).to.include({ votes_count: 1, voters_count: 1 });
    const { json } = await town.nobody.get<Poll>(`/api/v1/polls/${poll.id}`);
    expect(json).to.include({ votes_count: 1, voters_count: 1 });
  });

  it('count a voter once despite concurrent requests', async () => {
    const poll = await asked();
    const answers = await Promise.all([0, 1, 2, 0, 1].map((choice) => vote(bob, poll.id, choice)));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 422, 422, 422, 422]);
    expect((await bob.get<Poll>(`/api/v1/polls/${poll.id}`)).json.votes_count).to.equal(1);
  });

  it('accept an option by its title as well', async () => {
    const poll = await asked();
    expect((await vote(bob, poll.id, 'Coffee')).json.own_votes).to.deep.equal([1]);
  });

  it('refuse unknown options, two for a single choice, none, and the votes of their author', async () => {
    const poll = await asked();
    const unknown = 'The chosen vote option does not exist';
    for (const [choices, problem] of [
      [[3], unknown],
      [[-1], unknown],
      [['Milk'], unknown],
      [[0, 1], 'You have already voted on this poll'],
      [[0, 0], 'You have already voted on this poll'],
    ] as const) {
      const { status, json } = await vote(bob, poll.id, ...choices);
      expect([status, json]).to.deep.equal([422, { error: `Validation failed: ${problem}` }]);
    }
    const several = await asked({ multiple: true });
    expect((await vote(bob, several.id, 0, 0)).json).to.deep.equal({ error: ALREADY });
    for (const body of [{}, { choices: 0 }, { choices: '0' }, { choices: null }, { choices: [] }]) {
      const { status, json } = await bob.post(`/api/v1/polls/${poll.id}/votes`, body);
      const error = 'param is missing or the value is empty or invalid: choices';
      expect([status, json], JSON.stringify(body)).to.deep.equal([400, { error }]);
    }
    const own = await vote(alice, poll.id, 7);
    const both = `${unknown}, You cannot vote in your own polls`;
    expect([own.status, own.json]).to.deep.equal([422, { error: `Validation failed: ${both}` }]);
    expect((await vote(bob, poll.id, 0)).status).to.equal(200);
  });

  it('hide their counts until they end, if requested', async () => {
    const poll = await asked({ hide_totals: true });
    const { json } = await vote(bob, poll.id, 0);
    expect(votes(json)).to.deep.equal([null, null, null]);
  });

  it('are hidden from others in private posts', async () => {
    const poll = await asked({}, { visibility: 'private' });
    const path = `/api/v1/polls/${poll.id}`;
    expect((await town.nobody.get(path)).status).to.equal(404);
    expect((await town.nobody.get('/api/v1/polls/1')).status).to.equal(404);
    expect(await bob.get(path)).to.deep.equal(await bob.get('/api/v1/polls/1'));
    expect((await vote(bob, poll.id, 0)).status).to.equal(404);
    expect((await alice.get(path)).status).to.equal(200);
  });

  it('are refused with a wrong number or kind of options, or a wrong duration', async () => {
    const wrong = [
      { options: ['one'] },
      { options: ['1', '2', '3', '4', '5'] },
      { options: ['same', 'same'] },
      { options: ['x', 'y'.repeat(51)] },
      { expires_in: 299 },
      { expires_in: 2_629_747 },
      { expires_in: undefined },
    ];
    for (const poll of wrong) {
      expect((await ask({ ...question, ...poll })).status, JSON.stringify(poll)).to.equal(422);
    }
  });

  it('are deleted with their status', async () => {
    const { json } = await ask(question);
    await alice.delete(`/api/v1/statuses/${json.id}`);
    expect((await bob.get(`/api/v1/polls/${json.poll?.id ?? ''}`)).status).to.equal(404);
  });

  it('refuse voters who block the author', async () => {
    const { id } = await asked();
    await bob.post(`/api/v1/accounts/${alice.id}/block`);
    const { status, json } = await vote(bob, id, 0);
    expect([status, json]).to.deep.equal([403, { error: 'This action is not allowed' }]);
    await bob.post(`/api/v1/accounts/${alice.id}/unblock`);
    expect((await vote(bob, id, 0)).json.votes_count).to.equal(1);
  });
});
