import { access, readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Command, Option } from 'commander';
import { deleteEmoji, importEmoji, updateEmoji } from '../../commands/custom-emojis/index.ts';
import { allCustomEmojis } from '../../queries/custom-emojis/index.ts';
import { MAX_CUSTOM_EMOJIS } from '../events/custom-emojis.ts';
import { isRookeryError, RookeryError } from '../kernel/errors.ts';
import { asOperator, type Operator } from './operator.ts';
import { readTarGz, writeTarGz, type TarFile } from './tar.ts';

/** `rookery emoji`, in the manner of `tootctl emoji`. */
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

interface ImportOptions {
  prefix: string;
  suffix: string;
  category?: string;
  unlisted?: true;
  overwrite?: true;
}

interface ExportOptions {
  category?: string;
  overwrite?: true;
}

interface ModifyOptions {
  /** False: none any more. */
  category?: string | false;
  listed?: true;
  unlisted?: true;
  enable?: true;
  disable?: true;
}

/** A picture that is larger cannot become an emoji (`src/media/emoji-image.ts`); it is not even read. */
const MAX_FILE_BYTES = 256 * 1024;
const PICTURE = /\.(?:png|gif|webp)$/i;

async function importAll(
  { app, ctx, settled }: Operator,
  path: string,
  options: ImportOptions,
): Promise<void> {
  await settled();
  const known = new Set((await allCustomEmojis(app.db)).map(({ shortcode }) => shortcode));
  const count = { imported: 0, skipped: 0, failed: 0 };
  for await (const { name, data } of picturesIn(path)) {
    const shortcode = `${options.prefix}${basename(name, extname(name))}${options.suffix}`;
    if (known.has(shortcode) && !options.overwrite) {
      count.skipped += 1;
      continue;
    }
    try {
      if (!data) throw new RookeryError('invalid', 'Image file size must be less than 256 KB');
      if (!known.has(shortcode) && known.size >= MAX_CUSTOM_EMOJIS) {
        throw new RookeryError(
          'invalid',
          `There are ${MAX_CUSTOM_EMOJIS} emojis, which is the most there can be`,
        );
      }
      const emoji = {
        shortcode,
        data,
        category: options.category ?? null,
        visible_in_picker: !options.unlisted,
      };
      const done = await importEmoji(ctx, emoji, { overwrite: options.overwrite === true });
      known.add(shortcode);
      count[done ? 'imported' : 'skipped'] += 1;
    } catch (error) {
      // What is wrong with one picture is no reason to leave out the others.
      if (!isRookeryError(error) || error.code !== 'invalid') throw error;
      count.failed += 1;
      console.error(`${name}: ${error.message}`);
    }
  }
  await settled();
  console.log(`Imported ${count.imported}, skipped ${count.skipped}, failed to import ${count.failed}`);
}

/** The pictures of a folder and the folders in it, or of an archive; without the shadow files of macOS. */
async function* picturesIn(path: string): AsyncGenerator<TarFile> {
  const files = (await stat(path)).isDirectory() ? filesIn(path) : readTarGz(path, MAX_FILE_BYTES);
  for await (const file of files) {
    if (!PICTURE.test(file.name) || basename(file.name).startsWith('._')) continue;
    yield file;
  }
}

async function* filesIn(folder: string): AsyncGenerator<TarFile> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && PICTURE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  for (const name of paths.sort()) {
    const { size } = await stat(name);
    yield { name, size, data: size > MAX_FILE_BYTES ? undefined : await readFile(name) };
  }
}

async function exportAll(
  { app, ctx, settled }: Operator,
  folder: string,
  options: ExportOptions,
): Promise<void> {
  await settled();
  const { category } = options;
  const all = await allCustomEmojis(app.db);
  const chosen = category === undefined ? all : all.filter((emoji) => emoji.category === category);
  if (category !== undefined && chosen.length === 0) {
    throw new RookeryError('not_found', `There is no category ${category}`);
  }
  const path = join(folder, 'export.tar.gz');
  if (!options.overwrite && (await exists(path))) {
    throw new RookeryError('conflict', `There is an archive already; --overwrite replaces it: ${path}`);
  }
  async function* files(): AsyncGenerator<{ name: string; data: Buffer }> {
    for (const { shortcode, image } of chosen) {
      const file = await ctx.services.media.read(image);
      if (!file)
        throw new RookeryError('not_found', `The picture of :${shortcode}: is not in the media store`);
      yield { name: `${shortcode}${extname(image)}`, data: await buffer(file.stream) };
    }
  }
  await writeTarGz(path, files());
  console.log(`Exported ${chosen.length}`);
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function list({ app, settled }: Operator): Promise<void> {
  await settled();
  for (const { shortcode, category, visible_in_picker, disabled } of await allCustomEmojis(app.db)) {
    const state = [...(visible_in_picker ? [] : ['unlisted']), ...(disabled ? ['disabled'] : [])];
    console.log([`:${shortcode}:`, category ?? '-', state.join(', ') || 'listed'].join('\t'));
  }
}

async function modify(
  { ctx, settled }: Operator,
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
  for (const shortcode of shortcodes) await updateEmoji(ctx, plain(shortcode), changes);
  await settled();
  console.log('OK');
}

async function remove({ ctx, settled }: Operator, shortcodes: string[]): Promise<void> {
  for (const shortcode of shortcodes) await deleteEmoji(ctx, plain(shortcode));
  await settled();
  console.log('OK');
}

/** With or without colons. */
const plain = (shortcode: string): string => shortcode.replaceAll(':', '');
