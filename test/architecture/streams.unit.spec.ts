import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { STREAM_NAMES } from '#events/streams.ts';

const EVENTS = resolve(import.meta.dirname, '../../src/events');
const AN_ID = '109500000000000000';
const A_DIGEST = '0f343b0931126a20f133d67c2b018a3b';

describe('The names of streams', () => {
  it('all match the filter for a shared EventStoreDB', async () => {
    const unmatched: string[] = [];
    let streams = 0;
    for (const file of (await readdir(EVENTS)).filter((name) => name.endsWith('.ts'))) {
      const exports = (await import(join(EVENTS, file))) as Record<string, unknown>;
      for (const [name, make] of Object.entries(exports)) {
        if (!/Stream$|_STREAM$/.test(name)) continue;
        streams += 1;
        const made = namesOf(make);
        if (!made.some((each) => STREAM_NAMES.test(each))) unmatched.push(`${name}: ${made.join(', ')}`);
      }
    }
    expect(unmatched).to.deep.equal([]);
    expect(streams).to.be.greaterThan(40);
  });

  it('are distinct from names that other programs may use', () => {
    const foreign = [
      'order-1',
      'account-550e8400-e29b-41d4-a716-446655440000',
      'accounts-1',
      'account-01',
      'statuses-109500000000000000',
      'instance-1',
      'email-alice@example.org',
      '$ce-account',
      'my-account-109500000000000000',
    ];
    expect(foreign.filter((name) => STREAM_NAMES.test(name))).to.deep.equal([]);
  });
});

type NameMaker = (...parts: string[]) => string;

function nameOf(make: NameMaker, part: string): string[] {
  try {
    return [make(part, AN_ID, AN_ID)];
  } catch {
    return [];
  }
}

/** Calls a name maker with an id and with a digest. A call that throws gives no name. */
const namesOf = (make: unknown): string[] =>
  typeof make === 'function'
    ? [AN_ID, A_DIGEST].flatMap((part) => nameOf(make as NameMaker, part))
    : [String(make)];
