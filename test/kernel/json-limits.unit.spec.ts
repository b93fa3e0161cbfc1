import assert from 'node:assert/strict';
import { assertJsonWithin, jsonExcess, type JsonLimits } from '#kernel/json-limits.ts';
import { randomNumbers } from '../../bench/text.ts';

const counts = (value: unknown): JsonLimits => {
  if (typeof value !== 'object' || value === null) return { values: 1, keys: 0, depth: 0 };
  const inner = (Object.values(value) as unknown[]).map(counts);
  const sum = (name: keyof JsonLimits): number => inner.reduce((total, each) => total + each[name], 0);
  return {
    values: 1 + sum('values'),
    keys: sum('keys') + (Array.isArray(value) ? 0 : inner.length),
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
  };
};

const excessOf = (text: string, limits: JsonLimits): keyof JsonLimits | undefined =>
  jsonExcess(Buffer.from(text), limits);

function assertExact(text: string, limits: JsonLimits): void {
  assert.equal(excessOf(text, limits), undefined, text);
  for (const name of ['values', 'keys', 'depth'] as const) {
    if (limits[name] > 0) assert.equal(excessOf(text, { ...limits, [name]: limits[name] - 1 }), name, text);
  }
}

/** Cases that a naive count misses: quotes, brackets and commas in texts, escapes at their ends, empty containers. */
const TEXTS = ['', 'a', '[{"', ',:,', '\\', '\\"', 'é\u0000', '\ud83d\ude00', ']}'];

function valueOf(random: () => number, depth = 0): unknown {
  const draw = random();
  if (depth < 5 && draw < 0.3) return Array.from({ length: random() * 5 }, () => valueOf(random, depth + 1));
  if (depth < 5 && draw < 0.6) {
    const entries = Array.from({ length: random() * 5 }, (_, index) => [
      `${TEXTS[Math.floor(random() * TEXTS.length)]}${index}`,
      valueOf(random, depth + 1),
    ]);
    return Object.fromEntries(entries) as unknown;
  }
  if (draw < 0.8) return TEXTS[Math.floor(random() * TEXTS.length)];
  return [true, false, null, 0, -1.5e-7, 12][Math.floor(random() * 6)];
}

describe('The limits of JSON before it is parsed', () => {
  it('count what a parser finds in 2,000 random documents, with and without spaces', () => {
    const random = randomNumbers(22);
    for (let round = 0; round < 2_000; round += 1) {
      const value = valueOf(random);
      const limits = counts(value);
      for (const text of [JSON.stringify(value), JSON.stringify(value, null, '\t')])
        assertExact(text, limits);
    }
  });

  it('count a repeated name each time', () => {
    const limits = { values: 10, keys: 2, depth: 1 };
    assert.equal(excessOf('{"a":1,"a":2}', limits), undefined);
    assert.equal(excessOf('{"a":1,"a":2,"a":3}', limits), 'keys');
  });

  it('end for bytes that are no JSON', () => {
    const limits = { values: 1, keys: 1, depth: 1 };
    for (const text of ['', '"', '"\\', '"a', ']]]]', '::', ',,,', '\ufeff', '{"a', 'nul']) {
      assert.doesNotThrow(() => jsonExcess(Buffer.from(text), limits), text);
    }
    assert.equal(jsonExcess(Buffer.from([0xff, 0xfe, 0x22, 0xc3]), limits), 'values');
  });

  it('refuse a document beyond a limit as a bad request', () => {
    const limits = { values: 3, keys: 3, depth: 3 };
    assert.doesNotThrow(() => assertJsonWithin(Buffer.from('[1,2]'), limits));
    assert.throws(() => assertJsonWithin(Buffer.from('[1,2,3]'), limits), { code: 'bad_request' });
  });
});
