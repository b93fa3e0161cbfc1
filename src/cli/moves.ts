import { type Command, Option } from 'commander';
import { addAlias, cancelMigration, moveAccount, removeAlias, replayMove } from '#commands/accounts/index.ts';
import { RookeryError } from '#kernel/errors.ts';
import { aliasesOf } from '#queries/accounts/index.ts';
import { accountNamed } from './account-named.ts';
import { username } from './arguments.ts';
import { asOperator, type Operator, projecting } from './operator.ts';
import { confirm, printRow } from './output.ts';

interface MigrateOptions {
  to?: string;
  redirect?: true;
  force?: true;
  cancel?: true;
  replay?: true;
}

/** Moving from one account to another: `rookery accounts migrate` and `alias`. */
export function addMoves(accounts: Command): void {
  accounts
    .command('migrate')
    .description('Move a local account, and its followers, to another account of the same person')
    .addArgument(username())
    .option('--to <acct>', 'the account that is used from now on, which names this one as an alias')
    .option('--redirect', 'only say where the person is now: followers stay, and no alias is needed')
    .option('--force', 'also without the alias, within 30 days, and where the account has moved elsewhere')
    .addOption(
      new Option('--replay', 'tell of the last move once more').conflicts(['to', 'redirect', 'force']),
    )
    .addOption(
      new Option('--cancel', 'give the account back to its user').conflicts([
        ...['to', 'redirect', 'force', 'replay'],
      ]),
    )
    .action((name: string, options: MigrateOptions) => changing(name, migrate(options)));
  const alias = accounts.command('alias').description('Name the accounts that may move to a local one');
  alias
    .command('add')
    .description(`Say that another account is the same person's`)
    .addArgument(username())
    .argument('<acct>', 'name, name@domain or web address')
    .action((name: string, acct: string) =>
      changing(name, ({ ctx }, id) => addAlias(ctx, { accountId: id, text: acct })),
    );
  alias
    .command('remove')
    .description('Say so no more')
    .addArgument(username())
    .argument('<acct>', 'name, name@domain or web address')
    .action((name: string, acct: string) =>
      changing(name, ({ ctx }, id) => removeAlias(ctx, { accountId: id, text: acct })),
    );
  alias
    .command('list')
    .description('Show them')
    .addArgument(username())
    .action((name: string) => asOperator((operator) => list(operator, name)));
}

const migrate =
  ({ to, redirect, force, cancel, replay }: MigrateOptions) =>
  async ({ ctx }: Operator, accountId: string): Promise<unknown> => {
    if (cancel) return cancelMigration(ctx, accountId);
    if (replay) return replayMove(ctx, accountId);
    if (to === undefined) throw new RookeryError('invalid', 'Say where to with --to, or --cancel');
    return moveAccount(ctx, accountId, { to, withFollowers: redirect !== true, force: force === true });
  };

/** The command asks other servers through the read models, so it keeps these up to date meanwhile. */
const changing = (
  name: string,
  change: (operator: Operator, accountId: string) => Promise<unknown>,
): Promise<void> =>
  asOperator(async (operator) => {
    await operator.catchUp();
    const accountId = await accountNamed(operator, name);
    await projecting(operator, () => change(operator, accountId));
    await operator.catchUp();
    confirm();
  });

async function list(operator: Operator, name: string): Promise<void> {
  const { app, catchUp } = operator;
  await catchUp();
  const aliases = await aliasesOf(app.db, await accountNamed(operator, name));
  for (const { username, domain } of aliases) {
    printRow({ acct: `${username}@${domain ?? app.instance.domain}` });
  }
}
