import { account, eraseAccount } from '#commands/accounts/index.ts';
import { erase } from '#commands/erasure/index.ts';
import { accountStream } from '#events/accounts.ts';
import { RookeryError } from '#kernel/errors.ts';
import { isId } from '#kernel/ids.ts';
import { accountIdOfHandle } from '#queries/accounts/index.ts';
import { vacuumFully } from '#storage/postgres/rebuild/vacuum.ts';
import { asOperator, type Operator, projecting } from './operator.ts';
import { confirm } from './output.ts';

/**
 * `rookery accounts delete --thorough`: erases an account here and now, or completes an erasure that the user or staff
 * decided before, then writes the tables of the database anew. The write-ahead log and backups keep what they have, as
 * OPERATIONS.md says.
 * @param name a handle, which an erased account keeps, or the id of an account
 * @throws RookeryError `not_found`
 */
export const eraseThoroughly = (name: string): Promise<void> =>
  asOperator(async (operator) => {
    const { app, ctx, catchUp } = operator;
    await catchUp();
    const { accountId, isErased } = await accountOf(operator, name);
    await projecting(operator, async () => {
      if (!isErased) await eraseAccount(ctx, accountId, undefined);
      await catchUp();
      // Does nothing where the erasure is complete.
      await erase(ctx, accountId, new AbortController().signal);
      await catchUp();
    });
    const { tables, walFiles } = await vacuumFully(app.projectionDb);
    confirm(
      isErased
        ? `OK, @${name} was deleted before; wrote ${tables} tables anew`
        : `OK, wrote ${tables} tables anew`,
      { tables, wal_files: walFiles ?? null },
    );
    confirm(
      walFiles === undefined
        ? 'The next checkpoints of PostgreSQL recycle its write-ahead log; backups keep what they have'
        : `${walFiles} files of the write-ahead log are overwritten by and by; backups keep what they have`,
    );
  });

async function accountOf(
  { app, ctx }: Operator,
  name: string,
): Promise<{ accountId: string; isErased: boolean }> {
  const byHandle = await accountIdOfHandle(app.db, ctx.instance, name);
  const accountId = byHandle ?? (isId(name) ? name : undefined);
  const state = accountId === undefined ? 'none' : (await ctx.load(accountStream(accountId), account)).state;
  if (accountId === undefined || (state !== 'exists' && state !== 'erased')) {
    throw new RookeryError('not_found', `There is no account @${name} here`);
  }
  return { accountId, isErased: state === 'erased' };
}
