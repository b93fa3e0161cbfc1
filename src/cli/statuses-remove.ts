import type { Command } from 'commander';
import { removeRemoteStatus } from '#commands/federation/index.ts';
import { unreferencedPosts } from '#queries/federation/index.ts';
import { daysAgo, eachBelow, maintain, parseDays } from './maintenance.ts';
import { asOperator } from './operator.ts';

interface RemoveOptions {
  days: number;
  cleanFollowed?: true;
  dryRun?: true;
}

/** Adds `rookery statuses remove`, modelled on `tootctl statuses remove`. */
export function addRemoval(statuses: Command): void {
  statuses
    .command('remove')
    .description('Remove old posts of other servers that nothing of this server refers to')
    .option('--days <days>', 'only posts that are older; 90 unless given', parseDays, 90)
    .option('--clean-followed', 'also posts of accounts that users of this server follow')
    .option('--dry-run', 'only count them')
    .action((options: RemoveOptions) => remove(options));
}

/** Newest first, so that a reply goes before the post that it answers. */
const remove = ({ days, cleanFollowed, dryRun }: RemoveOptions): Promise<void> =>
  asOperator(async (operator) => {
    await operator.catchUp();
    const olderThan = daysAgo(days);
    await maintain(operator, {
      task: 'statuses_remove',
      options: { days: String(days), clean_followed: String(cleanFollowed === true) },
      done: 'Removed',
      unit: 'posts',
      items: eachBelow((before, limit) =>
        unreferencedPosts(operator.app.projectionDb, {
          before,
          olderThan,
          ofFollowed: cleanFollowed === true,
          limit,
        }),
      ),
      act: removeRemoteStatus,
      dryRun,
    });
  });
