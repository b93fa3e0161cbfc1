import { expect } from 'chai';
import { letterData, type Letter } from '../../src/federation/inbox/letter.ts';
import { Performer, type PerformerOptions } from '../../src/federation/inbox/perform.ts';

describe('activities of a server that keeps others waiting', () => {
  const letter = (host: string, deferred = 0): Letter => {
    const actor = `https://${host}/users/a`;
    const text = JSON.stringify({ type: 'Follow', actor, object: 'https://rookery.example/users/alice' });
    return { kind: 'signed', text, actor, command: 'c', followers: null, featured: null, deferred };
  };
  const run = { signal: new AbortController().signal, last: false };

  it('are put off, not for ever, and nobody else is', async () => {
    const { now } = performance;
    const begun: string[] = [];
    const putOff: [unknown, unknown][] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const options = {
      allows: () => Promise.resolve(false),
      context: ({ remote }: { remote: string }) => {
        begun.push(remote);
        return {
          db: { query: () => Promise.resolve([]) },
          settle: () => (begun.length === 1 ? held : Promise.resolve()),
        };
      },
      jobs: () => ({
        enqueue: async (_name: string, data: Letter, { after }: { after: number }) =>
          void putOff.push([data.deferred, after]),
      }),
    } as unknown as PerformerOptions;
    const performer = new Performer(options);
    const perform = (one: Letter) => performer.perform(letterData(one), run);
    try {
      const first = perform(letter('slow.example'));
      const later = now.call(performance) + 2_001;
      performance.now = () => later;
      await perform(letter('slow.example', 3));
      expect(putOff).deep.equal([[4, 10]]);
      await perform(letter('quick.example'));
      expect(begun).deep.equal(['slow.example', 'quick.example']);
      // Once it was put off often enough, it waits for its turn.
      const last = perform(letter('slow.example', 30));
      release();
      await Promise.all([first, last]);
      expect(begun).deep.equal(['slow.example', 'quick.example', 'slow.example']);
      expect(putOff).to.have.length(1);
      await performer.perform({ kind: 'other' }, run);
      expect(begun).to.have.length(3);
    } finally {
      performance.now = now;
    }
  });
});
