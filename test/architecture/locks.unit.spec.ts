import { expect } from 'chai';
import { LOCKS } from '#storage/postgres/locks.ts';
import { sourcesBelow } from './sources.ts';

describe('The advisory locks', () => {
  it('have unique numbers', () => {
    const numbers = Object.values<number>(LOCKS);
    expect(new Set(numbers).size).to.equal(numbers.length);
  });

  it('have their numbers in one file', () => {
    const elsewhere = sourcesBelow('src', 'commands', 'queries', 'projections')
      .filter(({ text }) => /pg_\w*advisory\w*\(\s*\d/.test(text) || /\b7_?270_?\d{3}\b/.test(text))
      .map(({ name }) => name);
    expect(elsewhere).to.deep.equal(['src/storage/postgres/locks.ts']);
  });
});
