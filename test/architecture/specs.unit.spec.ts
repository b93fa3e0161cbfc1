import { expect } from 'chai';
import { staysInside } from '../../scripts/lib/decide-specs.ts';
import { filesIn } from '../../scripts/lib/imports.ts';

const LAYER = /\.(decide|unit|projection|adapter|api|process|browser)\.spec\.ts$/;

describe('A spec', () => {
  const specs = filesIn('test').filter((file) => file.endsWith('.spec.ts'));

  it('names its layer in its suffix', () => {
    const unnamed = specs.filter((file) => !LAYER.test(file));
    expect(unnamed, 'Use a suffix of the table in CONTRIBUTING, Specs').to.deep.equal([]);
  });

  it('needs neither a database nor the network when it is about decisions', () => {
    const decide = specs.filter((file) => file.endsWith('.decide.spec.ts'));
    expect(decide).to.have.length.greaterThan(30);
    expect(decide.filter((file) => !staysInside(file))).to.deep.equal([]);
  });
});
