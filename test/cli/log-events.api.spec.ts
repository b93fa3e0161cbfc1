import { expect } from 'chai';
import { rookeryBeside } from '../support/command-line.ts';
import { describeTown, ok, type Person } from '../support/people.ts';

interface Line {
  position: string;
  stream: string;
  type: string;
  data: { text?: string };
  metadata: { time: string };
}

describeTown('The command line, about events', (town) => {
  let alice: Person;
  let bob: Person;
  let status: { id: string };
  before(async () => {
    alice = await town.person('alice');
    bob = await town.person('bob');
    status = await ok(alice.post<{ id: string }>('/api/v1/statuses', { status: 'Eggs for breakfast' }));
    await ok(bob.post(`/api/v1/statuses/${status.id}/favourite`));
    await town.waitUntilIdle();
  });

  const events = async (...args: string[]): Promise<Line[]> => {
    const { code, stdout, stderr } = await rookeryBeside(town.app, 'log', ...args);
    expect(code, stderr).to.equal(0);
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);
  };

  it('prints one stream, with its personal fields in clear text', async () => {
    const [event, ...others] = await events('show', `status-${status.id}`);
    expect(others).to.deep.equal([]);
    expect(event).to.deep.include({ stream: `status-${status.id}`, type: 'StatusCreated' });
    expect(event?.data.text).to.equal('Eggs for breakfast');
    const missing = await rookeryBeside(town.app, 'log', 'show', 'status-1');
    expect([missing.code, missing.stderr]).to.deep.equal([1, 'Record not found\n']);
  });

  it('selects events by type, stream, actor and time, up to a limit', async () => {
    const typesOf = async (...args: string[]) => (await events('events', ...args)).map(({ type }) => type);
    expect(await typesOf('--type', 'StatusCreated', 'StatusFavourited')).to.deep.equal([
      'StatusCreated',
      'StatusFavourited',
    ]);
    expect(await typesOf('--stream', 'interaction-')).to.deep.equal(['StatusFavourited']);
    expect(await typesOf('--actor', 'bob', '--type', 'StatusCreated', 'StatusFavourited')).to.deep.equal([
      'StatusFavourited',
    ]);
    expect(await typesOf('--limit', '2')).to.have.length(2);
    const [favourite] = await events('events', '--type', 'StatusFavourited');
    expect(await typesOf('--since', favourite?.metadata.time ?? '')).not.to.include('StatusFavourited');
  });

  it('refuses what it cannot read', async () => {
    for (const [args, message] of [
      [['--since', 'yesterday'], 'yesterday is no time, like 2026-11-28T08:00:00Z\n'],
      [['--limit', '0'], '0 is no number of events\n'],
      [['--actor', 'nobody'], 'There is no local account @nobody\n'],
    ] as const) {
      const { code, stderr } = await rookeryBeside(town.app, 'log', 'events', ...args);
      expect([code, stderr]).to.deep.equal([args[0] === '--actor' ? 1 : 64, message]);
    }
  });
});
