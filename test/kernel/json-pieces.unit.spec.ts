import { expect } from 'chai';
import { bytesIn, bytesOf, json, jsonArray } from '#kernel/json-pieces.ts';

const TEXT = '{"a":[1,"\u00fc \u20ac \u{1f426}"],"b":2}';
const pieces = json`{"a":${jsonArray(['1', Buffer.from('"\u00fc \u20ac \u{1f426}"')])},"b":${'2'}}`;

describe('JSON in pieces', () => {
  it('is the UTF-8 of all pieces in order', () => {
    expect(bytesOf(pieces).toString()).to.equal(TEXT);
  });

  it('uses as much of the given memory as it needs', () => {
    const memory = Buffer.alloc(200, '#');
    const bytes = bytesIn((size) => memory.subarray(0, size), ['\u20ac'.repeat(5), Buffer.from('x'), 'abc']);
    expect(bytes.toString()).to.equal('\u20ac\u20ac\u20ac\u20ac\u20acxabc');
    expect(memory.toString('latin1', bytes.length, 200)).to.match(/^#+$/);
  });
});
