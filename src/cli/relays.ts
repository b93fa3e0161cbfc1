import { Command } from 'commander';
import { addRelay, disableRelay, enableRelay, removeRelay } from '#commands/admin/relays/index.ts';
import { eachAbove } from '#kernel/batches.ts';
import type { CommandContext } from '#kernel/context.ts';
import { notFound } from '#kernel/errors.ts';
import { type Id, isId } from '#kernel/ids.ts';
import { relaysAbove } from '#queries/admin/relays.ts';
import { absent, eachGiven, taken } from './each.ts';
import { asOperator, type Operator } from './operator.ts';
import { printRow } from './output.ts';

/** `rookery relays`: servers that distribute public posts. */
export function relaysCommand(): Command {
  const relays = new Command('relays').description('Exchange public posts by relays');
  relays
    .command('add')
    .description('Add a relay by the address of its inbox, and subscribe to it')
    .argument('<inbox>')
    .option('--actor <url>', "the relay's actor, for relays that are followed by their actor (LitePub)")
    .action((inbox: string, { actor }: { actor?: string }) =>
      act('Added', [inbox], (ctx, inboxUrl) =>
        addRelay(ctx, { id: ctx.newId(), inboxUrl, actorUrl: actor ?? null }),
      ),
    );
  for (const [name, description, done, change] of [
    ['enable', 'Subscribe to relays, or ask them once more', 'Enabled', enableRelay],
    ['disable', 'End the subscription to relays', 'Disabled', disableRelay],
    ['remove', 'End the subscription to relays and remove them', 'Removed', removeRelay],
  ] as const) {
    relays
      .command(name)
      .description(description)
      .argument('<ids...>')
      .action((ids: string[]) => act(done, ids, (ctx, id) => change(ctx, idOf(id))));
  }
  relays
    .command('list')
    .description('Show each relay: id, state, inbox, actor')
    .action(() => asOperator(list));
  return relays;
}

const act = (
  done: string,
  given: readonly string[],
  change: (ctx: CommandContext, item: string) => Promise<unknown>,
): Promise<void> =>
  asOperator(async ({ ctx, catchUp }) => {
    await catchUp();
    await eachGiven(
      done,
      given,
      (item) => change(ctx, item),
      (refused) => taken('is there already')(refused) ?? absent('is no relay')(refused),
    );
    await catchUp();
  });

function idOf(text: string): Id {
  if (!isId(text)) throw notFound();
  return text;
}

async function list({ app, catchUp }: Operator): Promise<void> {
  await catchUp();
  for await (const each of eachAbove((after, limit) => relaysAbove(app.db, after, limit))) {
    printRow({ id: each.id, state: each.state, inbox_url: each.inbox_url, actor_url: each.actor_url });
  }
}
