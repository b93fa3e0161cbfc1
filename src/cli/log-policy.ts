import { readFile } from 'node:fs/promises';
import { RookeryError } from '#kernel/errors.ts';
import { parseCheckpoints, parsePolicy } from '#operations/transparency-log/index.ts';
import { printResult } from './output.ts';

/**
 * Asserts that one of the checkpoints satisfies the policy in a file, and prints which. `key` is that of the log where the
 * policy names none.
 * @throws RookeryError `conflict` otherwise, `invalid` for a file that is no policy
 */
export async function assertPolicy(
  path: string,
  checkpoints: readonly string[],
  key?: string,
): Promise<void> {
  const policy = parsePolicy(await readFile(path, 'utf8'));
  const judged = checkpoints
    .flatMap((text) => parseCheckpoints(text))
    .map(({ size, note }) => ({ size, ...policy.satisfiedBy(note, key) }));
  const good = judged.find(({ isSatisfied }) => isSatisfied);
  if (!good)
    throw new RookeryError('conflict', judged[0]?.problem ?? 'There is no checkpoint for the policy');
  const { size, cosigned } = good;
  const names = cosigned.length === 0 ? 'No witness' : cosigned.join(', ');
  printResult(`${names} cosigned the checkpoint of ${size} events, which satisfies the policy`, {
    policy_size: size,
    cosigned,
  });
}
