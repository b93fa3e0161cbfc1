import { expect } from 'chai';
import { transparencyLogCheck } from '#app/health-and-metrics.ts';
import { altered } from '#kernel/altered.ts';
import { LogUnavailable } from '#storage/eventlog/port.ts';

describe('The check of the transparency log for /health', () => {
  const problem = altered('The log is not what was recorded of it');
  const failureOf = (check: () => Promise<void>) =>
    check().then(
      () => undefined,
      (error: unknown) => error,
    );

  it('fails when the log contradicts a checkpoint, until it no longer does', async () => {
    let verdict: Error | undefined = problem;
    const check = transparencyLogCheck({
      assertUnaltered: () => (verdict ? Promise.reject(verdict) : Promise.resolve()),
    });
    expect(await failureOf(check)).to.equal(problem);
    verdict = new LogUnavailable('away');
    expect(await failureOf(check)).to.equal(problem);
    verdict = undefined;
    expect(await failureOf(check)).to.equal(undefined);
  });

  it('reports nothing when the log is unavailable', async () => {
    const check = transparencyLogCheck({ assertUnaltered: () => Promise.reject(new LogUnavailable('away')) });
    expect(await failureOf(check)).to.equal(undefined);
  });

  it('passes while a check takes long, and uses its result afterwards', async () => {
    const looking = Promise.withResolvers<undefined>();
    const check = transparencyLogCheck({ assertUnaltered: () => looking.promise });
    expect(await failureOf(check)).to.equal(undefined);
    looking.reject(problem);
    expect(await failureOf(check)).to.equal(problem);
  });
});
