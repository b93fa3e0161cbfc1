import type { Command } from 'commander';
import { rotateKeys } from '#commands/accounts/index.ts';
import { isRookeryError, RookeryError } from '#kernel/errors.ts';
import { accountsWithKeys } from '#queries/federation/index.ts';
import { accountNamed } from './account-named.ts';
import { username } from './arguments.ts';
import { asOperator, type Operator } from './operator.ts';
import { confirm } from './output.ts';

/** Accounts per read. */
const BATCH = 200;

/** `rookery accounts rotate-keys`, modelled on `tootctl accounts rotate`. */
export function addKeyRotation(accounts: Command): void {
  accounts
    .command('rotate-keys')
    .description('Give a local account, or all of them, a new key to sign with, and tell other servers')
    .addArgument(username().argOptional())
    .option('--all', 'all local accounts that are not suspended')
    .action((name: string | undefined, { all }: { all?: true }) =>
      asOperator((operator) => rotate(operator, name, all === true)),
    );
}

async function rotate(operator: Operator, name: string | undefined, all: boolean): Promise<void> {
  if (all === (name !== undefined)) {
    throw new RookeryError('invalid', 'Name one account, or say --all');
  }
  const { ctx, catchUp } = operator;
  if (name !== undefined) {
    const hadKey = await rotateKeys(ctx, await accountNamed(operator, name));
    confirm(hadKey ? 'OK' : 'Nothing to do: this account has no key yet', { rotated: hadKey ? 1 : 0 });
  } else await rotateAll(operator);
  await catchUp();
}

/** Skips an account that is deleted meanwhile. */
async function rotateAll({ app, ctx, catchUp }: Operator): Promise<void> {
  await catchUp();
  let rotated = 0;
  for (let after = '0'; ;) {
    const batch = await accountsWithKeys(app.db, after, BATCH);
    for (const { id } of batch) {
      const isRotated = await rotateKeys(ctx, id).catch((error: unknown) => {
        if (isRookeryError(error) && error.code === 'not_found') return false;
        throw error;
      });
      if (isRotated) rotated += 1;
    }
    const last = batch.at(-1);
    if (!last || batch.length < BATCH) break;
    after = last.id;
  }
  confirm(`OK, rotated the keys of ${rotated} accounts`, { rotated });
}
