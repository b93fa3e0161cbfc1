import { expect } from 'chai';
import { closeAll } from '#kernel/close-all.ts';

describe('Closing everything that was opened', () => {
  it('closes the last first and one after the other, past those that fail, and throws the first error', async () => {
    const calls: string[] = [];
    const closer = (name: string, error?: Error) => async (): Promise<void> => {
      calls.push(`${name} begins`);
      await Promise.resolve();
      calls.push(`${name} ends`);
      if (error) throw error;
    };
    const [first, second] = [new Error('first'), new Error('second')];
    const failing = (): never => {
      calls.push('at once');
      throw second;
    };
    const closing = closeAll([closer('database'), failing, closer('jobs', first), closer('mail')]);
    expect(await closing.catch((error: unknown) => error)).equal(first);
    expect(calls).deep.equal([
      ...['mail begins', 'mail ends', 'jobs begins', 'jobs ends', 'at once'],
      ...['database begins', 'database ends'],
    ]);
  });
});
