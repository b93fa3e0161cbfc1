import { expect } from 'chai';
import { batchesOf, eachAbove, forEachBelow } from '#kernel/batches.ts';

/** A list like the rows of a statement. `asked` records the cursors. */
function list(length: number, descending = false) {
  const asked: string[] = [];
  const items = Array.from({ length }, (_, index) => ({ id: String(index + 1) }));
  if (descending) items.reverse();
  return {
    asked,
    read: (place: string, limit: number) => {
      asked.push(place);
      const behind = items.filter(({ id }) =>
        descending ? BigInt(id) < BigInt(place) : Number(id) > Number(place),
      );
      return Promise.resolve(behind.slice(0, limit));
    },
  };
}

describe('Lists that are read in batches', () => {
  it('return every item in order, each batch after the one before', async () => {
    for (const [length, places] of [
      [0, ['0']],
      [2, ['0']],
      [3, ['0', '3']],
      [7, ['0', '3', '6']],
    ] as const) {
      const { asked, read } = list(length);
      const ids: string[] = [];
      for await (const { id } of eachAbove(read, 3)) ids.push(id);
      expect(ids).to.deep.equal(Array.from({ length }, (_, index) => String(index + 1)));
      expect(asked, `${length}`).to.deep.equal(places);
    }
  });

  it('are read only as far as the consumer iterates', async () => {
    const { asked, read } = list(100);
    for await (const batch of batchesOf(read, { from: '0', cursorOf: ({ id }) => id, size: 10 })) {
      if (batch.some(({ id }) => id === '15')) break;
    }
    expect(asked).to.deep.equal(['0', '10']);
  });

  it('are visited newest first until the signal aborts', async () => {
    const { asked, read } = list(250, true);
    const stopping = new AbortController();
    const seen: string[] = [];
    const act = async ({ id }: { id: string }): Promise<void> => {
      seen.push(id);
      if (id === '101') stopping.abort(new Error('stopped'));
    };
    const error = await forEachBelow(read, act, { signal: stopping.signal }).catch(
      (reason: unknown) => reason,
    );
    expect(error).to.have.property('message', 'stopped');
    expect(seen).to.have.length(200);
    expect(asked).to.have.length(2);
  });
});
