import { Command } from 'commander';
import { eraseAccount } from '#commands/accounts/index.ts';
import { changeSettings } from '#commands/instance/index.ts';
import { RookeryError } from '#kernel/errors.ts';
import { localAccountsBelow } from '#queries/federation/index.ts';
import { ask } from './ask.ts';
import { eachBelow } from './maintenance.ts';
import { asOperator, type Operator } from './operator.ts';
import { confirm } from './output.ts';
import { countProgress } from './progress.ts';

/** `rookery self-destruct`, modelled on `tootctl self-destruct`. */
export const selfDestructCommand = (): Command =>
  new Command('self-destruct')
    .description('Erase all accounts of this server for good, and tell all other servers')
    .option('--yes-erase <domain>', 'do not ask: the domain of this server')
    .action(({ yesErase }: { yesErase?: string }) =>
      asOperator((operator) => selfDestruct(operator, yesErase)),
    );

async function selfDestruct(operator: Operator, given: string | undefined): Promise<void> {
  const { app, ctx, catchUp } = operator;
  await mustName(app.config.site.localDomain, given);
  await catchUp();
  await changeSettings(ctx, { registrations: 'closed' });
  const progress = countProgress('Erased', 'accounts');
  let erased = 0;
  try {
    for await (const { id } of eachBelow((before, limit) => localAccountsBelow(app.db, before, limit))) {
      if (await eraseOnce(operator, id)) progress.update((erased += 1));
    }
  } finally {
    progress.stop();
  }
  await catchUp();
  confirm(`Erased ${erased} accounts. Keep the server running until other servers are told:`, { erased });
  confirm('"rookery federation deliveries" shows what is still queued');
}

/** @returns whether the account was there */
async function eraseOnce({ ctx }: Operator, id: string): Promise<boolean> {
  try {
    await eraseAccount(ctx, id, undefined);
    return true;
  } catch (error) {
    if (error instanceof RookeryError && error.code === 'forbidden') return false;
    throw error;
  }
}

/** @throws RookeryError `invalid` unless the user names the domain */
async function mustName(domain: string, given: string | undefined): Promise<void> {
  const question = `Nothing brings the accounts of ${domain} back. Type the domain to go on: `;
  const typed = given ?? (await ask(question));
  if (typed?.trim() !== domain) {
    throw new RookeryError('invalid', `Nothing was erased: say --yes-erase ${domain}`);
  }
}
