import type { Command } from 'commander';
import { followAs } from '#commands/accounts/index.ts';
import {
  changeRelationship,
  decideRemoveFromFollowers,
  decideUnfollow,
} from '#commands/relationships/index.ts';
import type { CommandContext } from '#kernel/context.ts';
import { invalid, RookeryError } from '#kernel/errors.ts';
import { accountIdOf } from '#queries/accounts/index.ts';
import { peopleAround } from '#queries/erasure.ts';
import { localUsersBelow } from '#queries/federation/index.ts';
import { accountNamed } from './account-named.ts';
import { username } from './arguments.ts';
import { eachBelow, maintain, type Maintenance } from './maintenance.ts';
import { asOperator, type Operator } from './operator.ts';

/** Adds `rookery accounts follow`, `unfollow` and `reset-relationships`, modelled on `tootctl accounts`. */
export function addFollows(accounts: Command): void {
  accounts
    .command('follow')
    .description('Let all users of this server follow an account')
    .argument('<acct>', 'name, or name@domain')
    .action((acct: string) => follow(acct));
  accounts
    .command('unfollow')
    .description('Let no user of this server follow an account')
    .argument('<acct>', 'name, or name@domain')
    .action((acct: string) => unfollow(acct));
  accounts
    .command('reset-relationships')
    .description('End the follows of a local account')
    .addArgument(username())
    .option('--follows', 'let it follow nobody')
    .option('--followers', 'remove all its followers')
    .action((name: string, options: ResetOptions) => reset(name, options));
}

interface ResetOptions {
  follows?: true;
  followers?: true;
}

async function known({ app, ctx }: Operator, acct: string): Promise<string> {
  const handle = acct.replace(/^@/, '');
  const id = await accountIdOf(app.db, ctx.instance, handle);
  if (id === undefined) throw new RookeryError('not_found', `There is no account @${handle} here`);
  return id;
}

/** Changes what all users of this server are to one account. */
const forAllUsers = (
  acct: string,
  run: Pick<Maintenance<{ id: string }>, 'task' | 'done'>,
  change: (ctx: CommandContext, id: string, target: string) => Promise<boolean>,
): Promise<void> =>
  asOperator(async (operator) => {
    await operator.catchUp();
    const target = await known(operator, acct);
    await maintain(operator, {
      ...run,
      options: { acct },
      unit: 'users',
      items: eachBelow((before, limit) => localUsersBelow(operator.app.db, before, limit)),
      act: (ctx, { id }) => change(ctx, id, target),
    });
  });

const follow = (acct: string): Promise<void> =>
  forAllUsers(acct, { task: 'accounts_follow', done: 'Followed by' }, async (ctx, id, target) => {
    if (id === target) return false;
    await followAs(ctx, id, target, {});
    return true;
  });

const unfollow = (acct: string): Promise<void> =>
  forAllUsers(acct, { task: 'accounts_unfollow', done: 'Unfollowed by' }, async (ctx, id, target) =>
    changed(await changeRelationship(ctx, { account_id: id, target_account_id: target }, decideUnfollow)),
  );

const reset = (name: string, { follows, followers }: ResetOptions): Promise<void> =>
  asOperator(async (operator) => {
    if (!follows && !followers) throw invalid('Say --follows, --followers, or both');
    await operator.catchUp();
    const account_id = await accountNamed(operator, name);
    await maintain(operator, {
      task: 'accounts_reset_relationships',
      options: { acct: name, follows: String(follows === true), followers: String(followers === true) },
      done: 'Ended',
      unit: 'relationships',
      items: eachBelow((before, limit) => peopleAround(operator.app.db, account_id, before, limit)),
      act: async (ctx, { other_id: target_account_id }) =>
        changed(
          await changeRelationship(ctx, { account_id, target_account_id }, (state, pair) => [
            ...(follows ? decideUnfollow(state, pair) : []),
            ...(followers ? decideRemoveFromFollowers(state, pair) : []),
          ]),
        ),
    });
  });

const changed = ({ events }: { events: readonly unknown[] }): boolean => events.length > 0;
