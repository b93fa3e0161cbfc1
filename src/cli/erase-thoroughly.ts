import { eraseAccount } from '../../commands/accounts/index.ts';
import { erase } from '../../commands/erasure/index.ts';
import { accountIdOfHandle } from '../../queries/accounts/index.ts';
import { RookeryError } from '../kernel/errors.ts';
import { vacuumFully } from '../storage/postgres/vacuum.ts';
import { asOperator, projecting } from './operator.ts';
import { confirm } from './output.ts';

/**
 * `rookery accounts delete --thorough`: erases an account here and now, then writes the tables of the database
 * anew. The write-ahead log and backups keep what they have, as OPERATIONS.md says.
 * @throws RookeryError `not_found`
 */
export const eraseThoroughly = (name: string): Promise<void> =>
  asOperator(async (operator) => {
    const { app, ctx, catchUp } = operator;
    await catchUp();
    const accountId = await accountIdOfHandle(app.db, ctx.instance, name);
    if (accountId === undefined) throw new RookeryError('not_found', `There is no account @${name} here`);
    await projecting(operator, async () => {
      await eraseAccount(ctx, accountId, undefined);
      await catchUp();
      await erase(ctx, accountId, new AbortController().signal);
      await catchUp();
    });
    const { tables, walFiles } = await vacuumFully(app.projectionDb);
    confirm(`OK, wrote ${tables} tables anew`, { tables, wal_files: walFiles ?? null });
    confirm(
      walFiles === undefined
        ? 'The next checkpoints of PostgreSQL recycle its write-ahead log; backups keep what they have'
        : `${walFiles} files of the write-ahead log are overwritten by and by; backups keep what they have`,
    );
  });
