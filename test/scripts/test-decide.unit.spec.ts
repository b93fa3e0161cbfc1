import { expect } from 'chai';
import { specsInside, staysInside } from '../../scripts/lib/decide-specs.ts';

describe('npm run test:decide', () => {
  const specs = specsInside();

  it('runs the specs of decisions and of pure functions', () => {
    expect(specs).to.include.members([
      'test/filters/filter.decide.spec.ts',
      'test/kernel/ids.unit.spec.ts',
      'test/text/format.unit.spec.ts',
    ]);
    expect(specs.length).to.be.greaterThan(80);
  });

  it('leaves out specs of the API, of projections, of processes and of browsers', () => {
    const outside = specs.filter((spec) =>
      /\.(api|process|browser)\.spec\.ts$|^test\/projections\//.test(spec),
    );
    expect(outside).to.deep.equal([]);
  });

  it('finds a database that a spec reaches through a helper', () => {
    expect(staysInside('test/markers/markers.api.spec.ts')).to.equal(false);
    expect(staysInside('test/markers/markers.decide.spec.ts')).to.equal(true);
  });
});
