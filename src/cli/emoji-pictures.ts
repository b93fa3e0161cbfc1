import { access, readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { readTarGz, type TarFile, writeTarGz } from '#adapters/account-archive/tar.ts';
import { importEmoji } from '#commands/custom-emojis/index.ts';
import { MAX_CUSTOM_EMOJIS } from '#events/custom-emojis.ts';
import { isRookeryError, RookeryError } from '#kernel/errors.ts';
import { allCustomEmojis } from '#queries/custom-emojis/index.ts';
import type { Operator } from './operator.ts';
import { confirm } from './output.ts';

export interface ImportOptions {
  prefix: string;
  suffix: string;
  category?: string;
  unlisted?: true;
  overwrite?: true;
}

export interface ExportOptions {
  category?: string;
  overwrite?: true;
}

/** A larger picture cannot become an emoji (`src/adapters/media/emoji-image.ts`), so it is not read. */
const MAX_FILE_BYTES = 256 * 1024;
const PICTURE = /\.(?:png|gif|webp)$/i;

/** Imports the pictures of a folder or an archive. Prints the reason for each that it cannot import. */
export async function importAll(
  { app, ctx, catchUp }: Operator,
  path: string,
  options: ImportOptions,
): Promise<void> {
  await catchUp();
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
      // A bad picture does not stop the others.
      if (!isRookeryError(error) || error.code !== 'invalid') throw error;
      count.failed += 1;
      console.error(`${name}: ${error.message}`);
    }
  }
  await catchUp();
  confirm(`Imported ${count.imported}, skipped ${count.skipped}, failed to import ${count.failed}`, count);
}

/**
 * Yields the pictures of a folder with its subfolders, or of an archive, without the shadow files of macOS.
 */
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

/** @throws RookeryError when there is nothing to export, or when the archive exists */
export async function exportAll(
  { app, ctx, catchUp }: Operator,
  folder: string,
  options: ExportOptions,
): Promise<void> {
  await catchUp();
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
  confirm(`Exported ${chosen.length}`, { exported: chosen.length });
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
