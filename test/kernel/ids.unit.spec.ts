import { expect } from 'chai';
import { idGenerator, idNear, secondNotificationId, timeOfId } from '#kernel/ids.ts';

describe('Ids', () => {
  it('increase strictly within one millisecond and beyond, and stay close to the clock', () => {
    const newId = idGenerator(() => 1_700_000_000_000);
    const ids = Array.from({ length: 70_000 }, () => BigInt(newId()));
    expect(ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? id))).to.equal(true);
    expect(timeOfId(String(ids.at(-1)))).to.be.within(1_700_000_000_002, 1_700_000_000_004);
  });

  it('leave room after each id for that of a second notification', () => {
    const newId = idGenerator(() => 1_700_000_000_000);
    const ids = [...Array.from({ length: 1_000 }, () => newId()), idNear(1_700_000_000_000)];
    for (const id of ids) {
      expect(ids).not.to.include(secondNotificationId(id));
      expect(timeOfId(secondNotificationId(id))).to.equal(timeOfId(id));
    }
  });
});
