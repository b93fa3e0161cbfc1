import { Command } from 'commander';
import { blockEmailDomain, unblockEmailDomain } from '#commands/admin/email-domain-blocks/index.ts';
import { eachAbove } from '#kernel/batches.ts';
import { emailDomainBlocksAbove } from '#queries/admin/email-domain-blocks/index.ts';
import { absent, onDomains, taken } from './each.ts';
import { asOperator, type Operator } from './operator.ts';
import { printRow } from './output.ts';

/** `rookery email-domain-blocks`, modelled on `tootctl email-domain-blocks`. */
export function emailDomainBlocksCommand(): Command {
  const blocks = new Command('email-domain-blocks').description('Keep mail domains from signing up');
  blocks
    .command('add')
    .description('Block mail domains and all below them')
    .argument('<domains...>')
    .option('--allow-with-approval', 'let addresses of the domains sign up, but with the approval of staff')
    .action((domains: string[], options: { allowWithApproval?: boolean }) =>
      onDomains(
        'Added',
        (ctx, domain) => blockEmailDomain(ctx, { domain, ...options }),
        taken('is blocked already'),
      )(domains),
    );
  blocks
    .command('remove')
    .description('Lift blocks of mail domains')
    .argument('<domains...>')
    .action(onDomains('Removed', unblockEmailDomain, absent('is not blocked')));
  blocks
    .command('list')
    .description('Show the mail domains that are blocked')
    .action(() => asOperator(list));
  return blocks;
}

async function list({ app, catchUp }: Operator): Promise<void> {
  await catchUp();
  for await (const { domain } of eachAbove((after, limit) => emailDomainBlocksAbove(app.db, after, limit))) {
    printRow({ domain });
  }
}
