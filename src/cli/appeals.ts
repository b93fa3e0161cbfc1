import { Argument, Command, Option } from 'commander';
import { judgeAppeal, type Judgement } from '#commands/strikes/index.ts';
import { type AppealState, appealState } from '#events/appeals.ts';
import { newestAppeals } from '#queries/admin/appeals/index.ts';
import { parseId } from './arguments.ts';
import { oneLine } from './one-line.ts';
import { asOperator } from './operator.ts';
import { confirm, printTable } from './output.ts';

const ALL = 'all';
/** Characters of an appeal that the list shows. */
const SHOWN = 60;

/**
 * `rookery appeals`: appeals against strikes. The operator may decide all of them, including those against
 * their own strikes.
 */
export function appealsCommand(): Command {
  const appeals = new Command('appeals').description('Decide appeals against strikes');
  appeals
    .command('list')
    .description('Show the newest appeals, 200 at most')
    .addOption(
      new Option('--state <state>', 'which ones')
        .choices([...appealState.options, ALL])
        .default('pending' satisfies AppealState),
    )
    .action(({ state }: { state: AppealState | typeof ALL }) => list(state === ALL ? null : state));
  const judging = (name: string, verdict: Judgement['verdict'], description: string): void => {
    appeals
      .command(name)
      .description(description)
      .addArgument(new Argument('<id>', 'of the appeal').argParser(parseId))
      .option('--note <text>', 'what the person is told', '')
      .action((id: string, { note }: { note: string }) => judge(id, { verdict, note }));
  };
  judging('approve', 'approved', 'Overrule a strike, and end what it did');
  judging('reject', 'rejected', 'Let a strike stand');
  return appeals;
}

const list = (state: AppealState | null): Promise<void> =>
  asOperator(async ({ app, catchUp }) => {
    await catchUp();
    const rows = (await newestAppeals(app.db, state)).map((row) => [
      ...[row.id, row.state, `@${row.username}`, row.action, row.created_at, oneLine(row.text, SHOWN)],
    ]);
    printTable(['ID', 'STATE', 'ACCOUNT', 'ACTION', 'FILED', 'TEXT'], rows, { headless: true });
  });

const judge = (id: string, judgement: Judgement): Promise<void> =>
  asOperator(async ({ ctx, catchUp }) => {
    await catchUp();
    await judgeAppeal(ctx, { appealId: id, ...judgement, judge: undefined });
    await catchUp();
    confirm();
  });
