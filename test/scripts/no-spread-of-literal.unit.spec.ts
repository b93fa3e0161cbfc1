import { expect } from 'chai';
import { Linter } from 'eslint';
import { noSpreadOfLiteral } from '../../scripts/lint/no-spread-of-literal.js';

const config: Linter.Config = {
  plugins: { rookery: { rules: { 'no-spread-of-literal': noSpreadOfLiteral } } },
  rules: { 'rookery/no-spread-of-literal': 'error' },
};

describe('The rule against the spread of a literal', () => {
  const linter = new Linter();

  for (const [code, mended] of [
    ['({ ...{ a, b }, c });', '({ a, b, c });'],
    ['({ ...{ a: 1, ...{ b } }, ...{ c }, });', '({ a: 1, b, c, });'],
    ['({ ...{ a, }, c });', '({ a, c });'],
    ['({ ...{ a, // why\n }, c });', '({ a // why\n, c });'],
  ] as const) {
    it(`writes the members in their place: ${JSON.stringify(code)}`, () => {
      expect(linter.verifyAndFix(code, config)).to.deep.include({ output: mended, messages: [] });
    });
  }

  it('reports an empty literal and leaves it as it is', () => {
    const { output, messages } = linter.verifyAndFix('({ ...{} });', config);
    expect(output).to.equal('({ ...{} });');
    expect(messages.map(({ message }) => message)).to.deep.equal(['Write its members in its place.']);
  });

  for (const code of [
    '({ ...a, ...(b ? { c } : {}) });',
    '[...a, ...[b].flat()];',
    '({ ...[a] });',
    '[...[a, b], c];',
    'call({ ...a }, ...[b]);',
  ]) {
    it(`accepts ${code}`, () => {
      expect(linter.verify(code, config)).to.deep.equal([]);
    });
  }
});
