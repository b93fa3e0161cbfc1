import { Argument, Command } from 'commander';
import { invalid, RookeryError } from '#kernel/errors.ts';
import { isId } from '#kernel/ids.ts';
import { sizeText } from '#kernel/quantities.ts';
import type { RemoteMediaKind } from '#mastodon/remote-media.ts';
import { accountIdOf } from '#queries/accounts/index.ts';
import { filesShownBy, remoteAccountsBelow } from '#queries/federation/index.ts';
import { knownDomain } from './known-domain.ts';
import { daysAgo, eachBelow, parseDays } from './maintenance.ts';
import { removeOrphans } from './media-orphans.ts';
import { asOperator, type Operator } from './operator.ts';
import { confirm, printTable } from './output.ts';
import { countProgress } from './progress.ts';

/** `rookery media`, modelled on `tootctl media`. */
export function mediaCommand(): Command {
  const media = new Command('media').description('Look after files of this server and of others');
  media
    .command('usage')
    .description('Show how many files of other servers are kept, and their size, by what they are')
    .action(() => asOperator(usage));
  media
    .command('remove')
    .description(
      'Remove files of other servers that nobody looked at for long; they are fetched again when asked for',
    )
    .option('--days <days>', 'for how long; 7 unless given', parseDays, 7)
    .option('--profiles', 'only pictures of profiles')
    .action((options: RemoveOptions) => asOperator((operator) => remove(operator, options)));
  media
    .command('remove-orphans')
    .description('Remove files from DATA_DIR that nothing refers to any more')
    .option('--days <days>', 'only files that are older; 1 unless given', parseDays, 1)
    .option('--dry-run', 'only count them')
    .action((options: { days: number; dryRun?: true }) =>
      asOperator((operator) => removeOrphans(operator, options)),
    );
  media
    .command('refresh')
    .description('Fetch files of other servers anew')
    .addArgument(new Argument('[acct]', 'all files that this account shows: name@domain'))
    .option('--status <id>', 'those of one post instead')
    .option('--domain <domain>', 'those of all known accounts of a server instead')
    .action((acct: string | undefined, options: RefreshOptions) =>
      asOperator((operator) => refresh(operator, { acct, ...options })),
    );
  return media;
}

async function usage({ app }: Operator): Promise<void> {
  const { budget, bytes, files, classes } = await app.contextDependencies.services.remoteMedia.usage();
  const lines = [...classes, { name: 'all', bytes, files }].map((each) => [
    each.name,
    each.files,
    each.bytes,
    sizeText(each.bytes),
  ]);
  printTable(['KIND', 'FILES', 'BYTES', 'SIZE'], lines);
  confirm(budget === 0 ? 'Nothing is kept (MEDIA_CACHE_SIZE=0)' : `At most ${sizeText(budget)} are kept`, {
    budget,
  });
}

interface RemoveOptions {
  days: number;
  profiles?: true;
}

const remove = (operator: Operator, { days, profiles }: RemoveOptions): Promise<void> =>
  removeUnseen(operator, { days, kinds: profiles ? ['avatars', 'headers'] : undefined, unit: 'files' });

/** Removes files of other servers that were not looked at for so many days, of some kinds or of all. */
export async function removeUnseen(
  { app }: Operator,
  { days, kinds, unit }: { days: number; kinds: readonly RemoteMediaKind[] | undefined; unit: string },
): Promise<void> {
  const progress = countProgress('Removed', unit);
  const { files, bytes } = await app.contextDependencies.services.remoteMedia
    .forgetUnseen(daysAgo(days), kinds, progress.update)
    .finally(progress.stop);
  confirm(`Removed ${files} ${unit}, ${sizeText(bytes)}`, { files, bytes });
}

interface RefreshOptions {
  acct?: string | undefined;
  status?: string;
  domain?: string;
}

async function refresh(operator: Operator, options: RefreshOptions): Promise<void> {
  const { app, catchUp } = operator;
  await catchUp();
  const { remoteMedia } = app.contextDependencies.services;
  const progress = countProgress('Fetched', 'files');
  const counts = { fetched: 0, failed: 0 };
  try {
    for await (const subject of subjectsOf(operator, options)) {
      for (const file of await filesShownBy(app.db, subject)) {
        await remoteMedia.forget([file]);
        counts[(await remoteMedia.prepare(file)) ? 'fetched' : 'failed'] += 1;
        progress.update(counts.fetched);
      }
    }
  } finally {
    progress.stop();
  }
  await catchUp();
  confirm(`Fetched ${counts.fetched} files, failed ${counts.failed}`, counts);
  if (counts.failed > 0) process.exitCode = 1;
}

/** Yields the ids of the post or of the accounts whose files are wanted. */
async function* subjectsOf(
  { app, ctx }: Operator,
  { acct, status, domain }: RefreshOptions,
): AsyncGenerator<string> {
  const given = [acct, status, domain].filter((each) => each !== undefined);
  if (given.length !== 1) throw invalid('Name one account, one --status or one --domain');
  if (status !== undefined) {
    if (!isId(status)) throw invalid(`${status} is no id of a post`);
    yield status;
  } else if (acct !== undefined) {
    const id = await accountIdOf(app.db, ctx.instance, acct);
    if (id === undefined) throw new RookeryError('not_found', `There is no account ${acct} here`);
    yield id;
  } else {
    const domains = [knownDomain(domain ?? '')];
    const all = eachBelow((before, limit) => remoteAccountsBelow(app.db, domains, before, limit));
    for await (const { id } of all) yield id;
  }
}
