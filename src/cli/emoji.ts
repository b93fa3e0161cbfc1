import { Command, Option } from 'commander';
import { deleteEmoji, updateEmoji } from '#commands/custom-emojis/index.ts';
import { RookeryError } from '#kernel/errors.ts';
import { allCustomEmojis } from '#queries/custom-emojis/index.ts';
import { exportAll, type ExportOptions, importAll, type ImportOptions } from './emoji-pictures.ts';
import { asOperator, type Operator } from './operator.ts';
import { confirm, printRow } from './output.ts';

/** `rookery emoji`, modelled on `tootctl emoji`. */
export function emojiCommand(): Command {
  const emoji = new Command('emoji').description('Look after the custom emojis of this server');
  emoji
    .command('import')
    .description('Import emojis; the name of each picture (PNG, GIF, WebP) becomes its shortcode')
    .argument('<path>', 'a folder, or an archive (tar.gz)')
    .option('--prefix <text>', 'put before each shortcode', '')
    .option('--suffix <text>', 'put after each shortcode', '')
    .option('--category <name>', 'the category that they belong to')
    .option('--unlisted', 'do not offer them in pickers')
    .option('--overwrite', 'replace emojis that have the same shortcode, instead of skipping them')
    .action((path: string, options: ImportOptions) =>
      asOperator((operator) => importAll(operator, path, options)),
    );
  emoji
    .command('export')
    .description('Export emojis to export.tar.gz in a folder')
    .argument('<folder>')
    .option('--category <name>', 'only those of this category')
    .option('--overwrite', 'replace an archive that is there')
    .action((folder: string, options: ExportOptions) =>
      asOperator((operator) => exportAll(operator, folder, options)),
    );
  emoji
    .command('list')
    .description('Show each emoji, its category, and whether it is unlisted or disabled')
    .action(() => asOperator(list));
  emoji
    .command('modify')
    .description('Change emojis')
    .argument('<shortcodes...>')
    .option('--category <name>', 'the category that they belong to')
    .addOption(new Option('--no-category', 'take them out of their category'))
    .option('--listed', 'offer them in pickers')
    .addOption(new Option('--unlisted', 'do not offer them in pickers').conflicts('listed'))
    .option('--enable', 'let them stand for their pictures again')
    .addOption(new Option('--disable', 'let them be plain text').conflicts('enable'))
    .action((shortcodes: string[], options: ModifyOptions) =>
      asOperator((operator) => modify(operator, shortcodes, options)),
    );
  emoji
    .command('remove')
    .description('Remove emojis; texts then show their shortcodes')
    .argument('<shortcodes...>')
    .action((shortcodes: string[]) => asOperator((operator) => remove(operator, shortcodes)));
  return emoji;
}

interface ModifyOptions {
  /** False removes the category. */
  category?: string | false;
  listed?: true;
  unlisted?: true;
  enable?: true;
  disable?: true;
}

async function list({ app, catchUp }: Operator): Promise<void> {
  await catchUp();
  for (const { shortcode, category, visible_in_picker, disabled } of await allCustomEmojis(app.db)) {
    const state = [...(visible_in_picker ? [] : ['unlisted']), ...(disabled ? ['disabled'] : [])];
    printRow({ shortcode: `:${shortcode}:`, category, state: state.join(', ') || 'listed' });
  }
}

async function modify(
  { ctx, catchUp }: Operator,
  shortcodes: string[],
  options: ModifyOptions,
): Promise<void> {
  const { category, listed, unlisted, enable, disable } = options;
  const changes = {
    ...(category === undefined ? {} : { category: category === false ? null : category }),
    ...(listed ? { visible_in_picker: true } : {}),
    ...(unlisted ? { visible_in_picker: false } : {}),
    ...(enable ? { disabled: false } : {}),
    ...(disable ? { disabled: true } : {}),
  };
  if (Object.keys(changes).length === 0) throw new RookeryError('invalid', 'Say what to change; see --help');
  for (const shortcode of shortcodes) await updateEmoji(ctx, { shortcode: plain(shortcode), ...changes });
  await catchUp();
  confirm();
}

async function remove({ ctx, catchUp }: Operator, shortcodes: string[]): Promise<void> {
  for (const shortcode of shortcodes) await deleteEmoji(ctx, plain(shortcode));
  await catchUp();
  confirm();
}

/** Accepts a shortcode with or without colons. */
const plain = (shortcode: string): string => shortcode.replaceAll(':', '');
