import { Command } from 'commander';
import { publishTerms } from '#commands/instance/index.ts';
import { readFileOf } from './files.ts';
import { asOperator } from './operator.ts';
import { confirm } from './output.ts';

/** `rookery terms`: the terms of service, with the dates on which they take effect. */
export function termsCommand(): Command {
  const terms = new Command('terms').description('Publish the terms of service');
  terms
    .command('publish')
    .description('Publish terms, as text or HTML, for ever')
    .requiredOption('--file <path>', 'where they are')
    .requiredOption('--effective <date>', 'the day on which they take effect (UTC), such as 2026-12-01')
    .action(({ file, effective }: { file: string; effective: string }) =>
      asOperator(async ({ ctx, catchUp }) => {
        const text = (await readFileOf(file)).toString();
        await publishTerms(ctx, { text, effectiveDate: effective });
        await catchUp();
        confirm();
      }),
    );
  return terms;
}
