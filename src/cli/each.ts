import type { CommandContext } from '#kernel/context.ts';
import { isRookeryError, type RookeryError } from '#kernel/errors.ts';
import { domainOf } from '#mastodon/domain-name.ts';
import { asOperator } from './operator.ts';
import { confirm } from './output.ts';

/** Returns why there is nothing to do where a refusal means that, or undefined for a failure. */
export type Skipped = (refused: RookeryError) => string | undefined;

/**
 * Applies an action once to each argument and prints a summary like `tootctl`: "Added 2, skipped 1". Each
 * refusal is printed on a line and the others continue; a failure makes the command fail at the end.
 */
export async function eachGiven(
  done: string,
  given: readonly string[],
  act: (item: string) => Promise<unknown>,
  skipped: Skipped = () => undefined,
): Promise<void> {
  const counts = { done: 0, skipped: 0, failed: 0 };
  for (const item of new Set(given)) {
    try {
      await act(item);
      counts.done += 1;
    } catch (error) {
      if (!isRookeryError(error)) throw error;
      const reason = skipped(error);
      counts[reason === undefined ? 'failed' : 'skipped'] += 1;
      process.stderr.write(`${item}: ${reason ?? error.message}\n`);
    }
  }
  confirm(`${done} ${counts.done}, skipped ${counts.skipped}, failed ${counts.failed}`, counts);
  if (counts.failed > 0) process.exitCode = 1;
}

/** Applies an action to domains, in any spelling. */
export const onDomains =
  (done: string, act: (ctx: CommandContext, domain: string) => Promise<unknown>, skipped?: Skipped) =>
  (names: string[]): Promise<void> =>
    asOperator(async ({ ctx, catchUp }) => {
      await eachGiven(done, names, (name) => act(ctx, domainOf(name)), skipped);
      await catchUp();
    });

export const absent =
  (reason: string): Skipped =>
  ({ code }) =>
    code === 'not_found' ? reason : undefined;

export const taken =
  (reason: string): Skipped =>
  ({ extras }) =>
    Object.values(extras.details ?? {})
      .flat()
      .some(({ error }) => error === 'ERR_TAKEN')
      ? reason
      : undefined;
