import { expect } from 'chai';
import { hurryJobs } from '../support/broken-off.ts';
import { describeTown } from '../support/people.ts';

describeTown('Jobs that were stored under a former name', function (town) {
  this.timeout(60_000);

  for (const name of ['finish-measure', 'quote-stamp']) {
    it(`are still worked on: ${name}`, async () => {
      await town.app.systemContext('spec').services.jobs.enqueue(name, {}, { after: 3_600 });
      expect(await hurryJobs(town, name)).equal(1);
    });
  }
});
