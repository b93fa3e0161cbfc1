import { expect } from 'chai';
import { humanBytes } from '#queries/admin/measures/bytes.ts';

describe('Human-readable sizes', () => {
  it('have at most three significant digits from a kilobyte on', () => {
    for (const [bytes, words] of [
      [0, '0 Bytes'],
      [1, '1 Byte'],
      [1_023, '1023 Bytes'],
      [1_024, '1 KB'],
      [1_972_544, '1.88 MB'],
      [14_924_935, '14.2 MB'],
      [49_581_359_907, '46.2 GB'],
      [837_837_315_424, '780 GB'],
      [2 ** 70, '1020 EB'],
    ] as const) {
      expect(humanBytes(bytes)).to.equal(words);
    }
  });
});
