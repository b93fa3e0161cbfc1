import { Command } from 'commander';
import { recommendAccount } from '#commands/suggestions/index.ts';
import { RookeryError } from '#kernel/errors.ts';
import { accountIdOf } from '#queries/accounts/index.ts';
import { recommendedAccounts } from '#queries/suggestions/index.ts';
import { asOperator, type Operator } from './operator.ts';
import { confirm, printRow } from './output.ts';

/** `rookery suggestions`: accounts that this server recommends to its users. */
export function suggestionsCommand(): Command {
  const suggestions = new Command('suggestions').description(
    'Choose accounts that are suggested to everybody',
  );
  suggestions
    .command('add')
    .description('Suggest accounts to everybody who does not follow them')
    .argument('<accts...>', 'name or name@domain')
    .action((accts: string[]) => asOperator((operator) => recommend(operator, accts, true)));
  suggestions
    .command('remove')
    .description('Suggest them no longer')
    .argument('<accts...>', 'name or name@domain')
    .action((accts: string[]) => asOperator((operator) => recommend(operator, accts, false)));
  suggestions
    .command('list')
    .description('Show them, the newest first')
    .action(() => asOperator(list));
  return suggestions;
}

/** All or none: looks up every name first. */
async function recommend(
  { ctx, app, catchUp }: Operator,
  accts: string[],
  recommended: boolean,
): Promise<void> {
  await catchUp();
  const ids = await Promise.all(
    accts.map(async (acct) => {
      const id = await accountIdOf(app.db, app.instance, acct);
      if (id === undefined) throw new RookeryError('not_found', `There is no account ${acct}`);
      return id;
    }),
  );
  for (const id of ids) await recommendAccount(ctx, { accountId: id, recommended });
  await catchUp();
  confirm();
}

async function list({ app }: Operator): Promise<void> {
  for (const acct of await recommendedAccounts(app.db)) printRow({ acct });
}
