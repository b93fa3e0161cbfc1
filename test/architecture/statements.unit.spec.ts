import { expect } from 'chai';
import { statementNamesIn } from '../../scripts/lib/statement-names.ts';
import { sourcesBelow } from './sources.ts';

describe('The names of prepared statements', () => {
  it('are given once, because a process refuses a second statement of a name when it runs', () => {
    const places = sourcesBelow('src', 'commands', 'queries', 'projections').flatMap(({ name: file, text }) =>
      statementNamesIn(text).map((name) => ({ name, file })),
    );
    expect(places.length).to.be.greaterThan(700);
    const twice = [...Map.groupBy(places, ({ name }) => name)]
      .filter(([, each]) => each.length > 1)
      .map(([name, each]) => `${name} in ${each.map(({ file }) => file).join(' and ')}`);
    expect(twice, 'Give one of them another name').to.deep.equal([]);
  });

  it('are found with and without the type of their rows, also on the next line', () => {
    const source =
      "statement('a', 'x'); keysetStatement<Row>(\n  'b', x); statement<{ n: number }>('c', 'x')";
    expect(statementNamesIn(source)).to.deep.equal(['a', 'b', 'c']);
  });
});
