import { Argument, Command } from 'commander';
import { authorOf, liftMark, moderateStatuses, type StatusSanction } from '#commands/admin/statuses/index.ts';
import { parseId } from './arguments.ts';
import { asOperator } from './operator.ts';
import { confirm } from './output.ts';
import { addRemoval } from './statuses-remove.ts';

interface ActionOptions {
  text: string;
  notify: boolean;
}

/** `rookery statuses`: removes posts, or marks them as sensitive, on accounts of any server and of any rank. */
export function statusesCommand(): Command {
  const statuses = new Command('statuses').description('Remove posts, or mark them as sensitive');
  const acting = (name: string, action: StatusSanction['action'], description: string): void => {
    statuses
      .command(name)
      .description(description)
      .addArgument(statusId())
      .option('--text <text>', 'what the author is told', '')
      .option('--no-notify', 'do not tell the author')
      .action((id: string, options: ActionOptions) => act(id, action, options));
  };
  acting('delete', 'delete', 'Remove a post and its media for good');
  acting('sensitize', 'mark_as_sensitive', 'Mark a post as sensitive');
  statuses
    .command('unsensitize')
    .description('Take the mark from a post that was marked as sensitive')
    .addArgument(statusId())
    .action((id: string) =>
      asOperator(async ({ ctx, catchUp }) => {
        await liftMark(ctx, { id, strikeId: null });
        await catchUp();
        confirm();
      }),
    );
  addRemoval(statuses);
  return statuses;
}

const statusId = (): Argument =>
  new Argument('<id>', 'of the post: the number at the end of its address').argParser(parseId);

const act = (id: string, action: StatusSanction['action'], { text, notify }: ActionOptions): Promise<void> =>
  asOperator(async ({ ctx, catchUp }) => {
    const sanction = { action, statusIds: [id], text, reportId: null, notify };
    await moderateStatuses(ctx, await authorOf(ctx, id), sanction, undefined);
    await catchUp();
    confirm();
  });
