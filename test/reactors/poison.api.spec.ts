import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { catalogue } from '#events/index.ts';
import type { RecordedEvent } from '#kernel/event.ts';
import { reportStrays } from '#kernel/stray-rejections.ts';
import { reactors } from '#reactors/index.ts';
import { deriveId } from '#storage/eventlog/execute.ts';
import { attempt, type ContextFor } from '#storage/reactor-runtime/attempt.ts';
import { patience } from '../support/deadlines.ts';
import { describeTown } from '../support/people.ts';
import { poisonsOf } from '../support/poisons.ts';

/** Each reactor, with each of its events in each damaged form. */
const poisoned = () =>
  reactors.flatMap((reactor) =>
    catalogue
      .filter(({ type }) => reactor.types.has(type))
      .flatMap((definition) =>
        Object.values(poisonsOf(definition)).map((data) => ({ reactor, type: definition.type, data })),
      ),
  );

describeTown('Each reactor, given events that it cannot take', function (town) {
  this.timeout(300_000);
  const strays: string[] = [];
  before(() => reportStrays((owner, reason) => strays.push(`${owner}: ${String(reason)}`)));

  const contextFor: ContextFor = ({ rule, cause }) =>
    town.app.commandContext(rule, { commandId: deriveId(`${rule}/${cause}`) });

  it('ends each of them, handled or failed, and leaves no rejected promise behind', async () => {
    const metadata = { time: '2026-11-21T08:00:00.000Z', command_id: 'c', correlation_id: randomUUID() };
    const outcomes = { handled: 0, failed: 0, none: [] as string[] };
    for (const { reactor, type, data } of poisoned()) {
      const event: RecordedEvent = {
        position: 1n,
        stream: 'poison-1',
        revision: 0,
        id: randomUUID(),
        type,
        data,
        metadata,
      };
      const outcome = await attempt(event, {
        reactor: { ...reactor, attempts: 1 },
        db: town.app.db,
        contextFor,
        signal: AbortSignal.timeout(patience(10_000)),
      });
      if (!outcome) outcomes.none.push(`${reactor.name} ${type}`);
      else outcomes[outcome.done ? 'handled' : 'failed'] += 1;
    }
    expect(outcomes.none).to.deep.equal([]);
    expect(outcomes.failed).to.be.above(reactors.length);
    await town.waitUntilIdle();
    expect(strays).to.deep.equal([]);
  });

  it('still serves', async () => {
    const alice = await town.person('alice');
    expect((await alice.post('/api/v1/statuses', { status: 'Hello' })).status).to.equal(200);
    await town.waitUntilIdle();
  });
});
