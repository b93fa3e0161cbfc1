import { expect } from 'chai';
import { decideMove, type Markers, markers, streamAfter } from '#commands/markers/markers.ts';
import type { MarkersEvent } from '#events/markers.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { given } from '../support/given.ts';

const ALICE = '115500000000000000';
const NOW = '2026-11-21T08:00:00.000Z';
const LATER = '2026-11-21T09:00:00.000Z';
const moved = (move: number, home: number | null, notifications: number | null): MarkersEvent => ({
  type: 'MarkersMoved',
  data: {
    account_id: ALICE,
    move,
    home: home === null ? null : { last_read_id: '10', version: home, updated_at: NOW },
    notifications:
      notifications === null ? null : { last_read_id: '20', version: notifications, updated_at: NOW },
  },
});
const seenOf = (event: MarkersEvent): Markers => given(markers, event).state as Markers;
const save = (state: Markers | null, seen: Markers | undefined, positions: object): unknown => {
  try {
    return decideMove(state, { accountId: ALICE, now: LATER, positions, seen })[0]?.data;
  } catch (error) {
    if (isRookeryError(error)) return error.code;
    throw error;
  }
};

describe('The decisions about markers', () => {
  it('count the versions of each timeline separately', () => {
    expect(save(given(markers).state, undefined, { home: '5' })).to.deep.equal({
      account_id: ALICE,
      move: 0,
      home: { last_read_id: '5', version: 1, updated_at: LATER },
      notifications: null,
    });
    const last = moved(3, 2, 0);
    expect(save(given(markers, last).state, seenOf(last), { home: '5' })).to.deep.equal({
      account_id: ALICE,
      move: 4,
      home: { last_read_id: '5', version: 3, updated_at: LATER },
      notifications: { last_read_id: '20', version: 0, updated_at: NOW },
    });
  });

  it('refuse a marker that another client has set in the meantime', () => {
    const seen = seenOf(moved(3, 2, 0));
    expect(save(given(markers, moved(4, 3, 0)).state, seen, { home: '5' })).to.equal('conflict');
    expect(save(given(markers, moved(0, 0, null)).state, undefined, { home: '5' })).to.equal('conflict');
  });

  it('accept a marker that another request has set to the same position in the meantime', () => {
    const last = moved(4, 3, 0);
    const same = { home: '10' };
    expect(save(given(markers, last).state, seenOf(moved(3, 2, 0)), same)).to.equal(undefined);
  });

  it('let two devices set different timelines at once', () => {
    const seen = seenOf(moved(3, 2, 0));
    expect(save(given(markers, moved(4, 3, 0)).state, seen, { notifications: '5' })).to.deep.include({
      move: 5,
      notifications: { last_read_id: '5', version: 1, updated_at: LATER },
    });
  });

  it('continue in another stream after a hundred changes, from the last position', () => {
    const seen = seenOf(moved(99, 99, null));
    expect(streamAfter(ALICE, seen)).not.to.equal(streamAfter(ALICE, seenOf(moved(98, 98, null))));
    expect(save(given(markers).state, seen, { home: '5' })).to.deep.include({
      move: 100,
      home: { last_read_id: '5', version: 100, updated_at: LATER },
    });
    // A client that saw the ended stream must read again.
    expect(save(given(markers, moved(99, 98, 0)).state, seenOf(moved(98, 98, null)), { home: '5' })).to.equal(
      'conflict',
    );
  });
});
