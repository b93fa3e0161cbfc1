import { Command } from 'commander';
import { asOperator, type Operator } from './operator.ts';
import { confirm, printTable } from './output.ts';

/** `rookery media`, modelled on `tootctl media`. */
export function mediaCommand(): Command {
  const media = new Command('media').description('Look after files of other servers');
  media
    .command('usage')
    .description('Show how many files of other servers are kept, and their size, by what they are')
    .action(() => asOperator(usage));
  return media;
}

async function usage({ app }: Operator): Promise<void> {
  const { budget, bytes, files, classes } = await app.contextDependencies.services.remoteMedia.usage();
  const lines = [...classes, { name: 'all', bytes, files }].map((each) => [
    each.name,
    each.files,
    each.bytes,
    sizeOf(each.bytes),
  ]);
  printTable(['KIND', 'FILES', 'BYTES', 'SIZE'], lines);
  confirm(budget === 0 ? 'Nothing is kept (MEDIA_CACHE_SIZE=0)' : `At most ${sizeOf(budget)} are kept`, {
    budget,
  });
}

/** In powers of 1000, like the setting. */
function sizeOf(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3));
  const shown = bytes / 1_000 ** power;
  return `${power === 0 ? shown : shown.toFixed(1)} ${['B', 'kB', 'MB', 'GB', 'TB'][power]}`;
}
