import { Argument, type Command } from 'commander';
import { approveSignUp, eraseAccount, lift, rejectSignUp, takeAction } from '#commands/accounts/index.ts';
import { resolveReportsOf } from '#commands/reports/index.ts';
import type { AccountAction, Lifting } from '#events/moderation.ts';
import { isRookeryError, RookeryError } from '#kernel/errors.ts';
import { accountIdOfHandle } from '#queries/accounts/index.ts';
import { ask } from './ask.ts';
import { eraseThoroughly } from './erase-thoroughly.ts';
import { asOperator, type Operator } from './operator.ts';
import { confirm } from './output.ts';

const ACTIONS: Record<string, { action: AccountAction; description: string }> = {
  suspend: { action: 'suspend', description: 'Lock an account and hide all of it, until it is unsuspended' },
  silence: {
    action: 'silence',
    description: 'Limit an account: only its followers see its posts, unless others look for them',
  },
  sensitize: { action: 'sensitive', description: 'Mark everything that an account posts as sensitive' },
  warn: { action: 'none', description: 'Warn the user of an account' },
};
const LIFTINGS: Record<string, { what: Lifting; description: string }> = {
  unsuspend: { what: 'unsuspend', description: 'Bring a suspended account back' },
  unsilence: { what: 'unsilence', description: 'Limit an account no longer' },
  unsensitize: { what: 'unsensitive', description: "Mark an account's posts as sensitive no longer" },
};

interface ActionOptions {
  text?: string;
  notify: boolean;
}

/** Moderation by the operator: the actions of the API, on accounts of any server and any rank. */
export function addModeration(accounts: Command): void {
  accounts
    .command('approve')
    .description('Let somebody in whose sign-up waits for it')
    .addArgument(handle)
    .action((name: string) => onAccount(name, ({ ctx }, id) => approveSignUp(ctx, id, undefined), noSignUp));
  accounts
    .command('reject')
    .description('Turn down a sign-up that waits; its name and address are free again')
    .addArgument(handle)
    .action((name: string) => onAccount(name, ({ ctx }, id) => rejectSignUp(ctx, id, undefined), noSignUp));
  accounts
    .command('delete')
    .description('Erase an account for good: its name stays taken, its address is free again')
    .addArgument(handle)
    .alias('erase')
    .option('--yes', 'do not ask; needed without a terminal')
    .option(
      '--thorough',
      'wait until all is erased, and remove what deleted rows left in the database; also of an account that was deleted before, by name or ID',
    )
    .action(async (name: string, { yes, thorough }: { yes?: true; thorough?: true }) => {
      if (yes !== true) await mustConfirm(name);
      if (thorough) await eraseThoroughly(name);
      else await onAccount(name, ({ ctx }, id) => eraseAccount(ctx, id, undefined));
    });
  for (const [verb, { action, description }] of Object.entries(ACTIONS)) {
    accounts
      .command(verb)
      .description(description)
      .addArgument(handle)
      .option('--text <text>', 'what the user is told')
      .option('--no-notify', 'do not tell the user')
      .action((name: string, options: ActionOptions) =>
        onAccount(name, ({ ctx }, id) => act(ctx, id, action, options)),
      );
  }
  for (const [verb, { what, description }] of Object.entries(LIFTINGS)) {
    accounts
      .command(verb)
      .description(description)
      .addArgument(handle)
      .action((name: string) =>
        onAccount(name, ({ ctx }, id) => lift(ctx, id, what, undefined), notSuspended),
      );
  }
}

const handle = new Argument('<acct>', 'name, or name@domain').argParser((name) => name.replace(/^@/, ''));

/** @throws RookeryError unless a user at the terminal repeats the name */
async function mustConfirm(name: string): Promise<void> {
  const typed = await ask(`Nothing brings @${name} back. Type the name to go on: `);
  if (typed === undefined) throw new RookeryError('invalid', 'Nothing was deleted: say --yes');
  if (typed.trim().replace(/^@/, '') !== name) throw new RookeryError('invalid', 'Nothing was deleted');
}

/** Like the API, an action resolves the reports about the account; a warning does not. */
async function act(
  ctx: Operator['ctx'],
  accountId: string,
  action: AccountAction,
  { text = '', notify }: ActionOptions,
): Promise<void> {
  const sanction = { action, id: ctx.newId(), text, reportId: null, statusIds: [], notify };
  await takeAction(ctx, accountId, sanction, undefined);
  if (action !== 'none') await resolveReportsOf(ctx, accountId, null);
}

const noSignUp = (name: string): string => `No sign-up of @${name} waits`;
const notSuspended = (name: string): string => `@${name} is not suspended`;

/**
 * The operator may do everything, so a forbidden action means that there is nothing to do; `refused` says
 * why.
 */
const onAccount = (
  name: string,
  work: (operator: Operator, accountId: string) => Promise<void>,
  refused?: (name: string) => string,
): Promise<void> =>
  asOperator(async (operator) => {
    const { app, ctx, catchUp } = operator;
    await catchUp();
    const accountId = await accountIdOfHandle(app.db, ctx.instance, name);
    if (accountId === undefined) throw new RookeryError('not_found', `There is no account @${name} here`);
    await work(operator, accountId).catch((error: unknown) => {
      if (!refused || !isRookeryError(error) || error.code !== 'forbidden') throw error;
      throw new RookeryError('conflict', refused(name));
    });
    await catchUp();
    confirm();
  });
