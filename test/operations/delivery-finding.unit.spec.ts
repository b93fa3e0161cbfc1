import { expect } from 'chai';
import { deliveryFinding } from '#app/delivery-finding.ts';

describe('The finding of the doctor about deliveries', () => {
  const QUIET = { servers: 100, down: 5, queued: 200, queued_for_down: 150, late: 0 };

  it('is no warning while some servers are down and some deliveries wait for them', () => {
    expect(deliveryFinding(QUIET)).deep.equal({
      name: 'deliveries',
      state: 'ok',
      text: '200 queued, 5 of 100 servers down',
    });
    expect(deliveryFinding({ servers: 2, down: 2, queued: 3, queued_for_down: 3, late: 0 }).state).equal(
      'ok',
    );
  });

  it('is a warning when most servers are down', () => {
    const finding = deliveryFinding({
      ...QUIET,
      servers: 1_000,
      down: 1_000,
      queued: 65_000,
      queued_for_down: 65_000,
    });
    expect(finding.state).equal('warning');
    expect(finding.text)
      .match(/^65000 queued, 1000 of 1000 servers down; most servers do not answer/)
      .and.match(/65000 wait for servers that are down$/);
  });

  it('is a warning when first attempts to servers that are up are late', () => {
    const finding = deliveryFinding({ ...QUIET, late: 3 });
    expect(finding.state).equal('warning');
    expect(finding.text).match(/3 wait for more than 5 minutes for a first attempt/);
  });

  it('is a warning when many deliveries wait for servers that are up', () => {
    const finding = deliveryFinding({ ...QUIET, queued: 20_000 });
    expect(finding.state).equal('warning');
    expect(finding.text).match(/sends more slowly/);
  });
});
