import { createReadStream, createWriteStream } from 'node:fs';
import { opendir, rename, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isMediaKey } from '#adapters/media/keys.ts';
import { altered } from '#kernel/altered.ts';
import type { RookeryError } from '#kernel/errors.ts';
import { ignoreMissing, makeFolder } from '#kernel/files.ts';
import { digesting, namingPath, readLines, sha256Of } from './lines.ts';
import type { BackupFile } from './manifest.ts';

/** A line of the list of media. */
interface Listed {
  key: string;
  bytes: number;
  sha256: string;
}

/** Lines per write. */
const PAGE = 100;
const FOLDER = 'media';

/**
 * Copies the files of a media folder into a backup. Files are written before the events that name them, so
 * newer files belong to no event of the snapshot; files deleted meanwhile are missing.
 * @param takenAt milliseconds since 1970
 * @returns the lines of their list, as they are copied
 */
export async function* copyMediaOut(
  from: string,
  dir: string,
  takenAt: number,
  onCopied: () => void,
): AsyncGenerator<string[]> {
  let page: string[] = [];
  for await (const key of mediaKeys(from)) {
    const source = join(from, key);
    const found = await stat(source).catch(ignoreMissing);
    if (!found || found.mtimeMs > takenAt) continue;
    const copied = await copy(source, join(dir, FOLDER, key)).catch(ignoreMissing);
    if (!copied) continue;
    page.push(JSON.stringify({ key, ...copied } satisfies Listed));
    onCopied();
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  yield page;
}

/** Yields the paths of the files in a backup that are missing, or differ from its list. */
export async function* damagedMedia(
  dir: string,
  list: BackupFile,
  onChecked: () => void,
): AsyncGenerator<{ key: string; path: string }> {
  for await (const { key, path, sha256 } of listedIn(dir, list)) {
    if ((await sha256Of(path)) !== sha256) yield { key, path };
    onChecked();
  }
}

/** Yields the files of a list with their paths in the backup. @throws RookeryError `conflict` for a wrong name */
async function* listedIn(dir: string, list: BackupFile): AsyncGenerator<Listed & { path: string }> {
  for await (const page of readLines(dir, list, PAGE)) {
    for (const line of page) {
      const listed = JSON.parse(line) as Listed;
      const path = join(dir, FOLDER, listed.key);
      if (!isMediaKey(listed.key)) throw differs(path);
      yield { ...listed, path };
    }
  }
}

/**
 * Copies them back; existing ones stay. @param without keys of files to leave out @throws RookeryError `conflict`
 * for a file that differs from the backup
 */
export async function copyMediaIn(
  dir: string,
  list: BackupFile,
  to: string,
  { without, onCopied }: { without: ReadonlySet<string>; onCopied: () => void },
): Promise<void> {
  for await (const { key, bytes, sha256, path } of listedIn(dir, list)) {
    if (without.has(key)) continue;
    if ((await stat(join(to, key)).catch(ignoreMissing))?.size !== bytes) {
      await copy(path, join(to, key), (copied) => {
        if (copied.sha256 !== sha256) throw differs(path);
      });
    }
    onCopied();
  }
}

const differs = (path: string): RookeryError => altered(`${path} is not what was backed up`);

/** Copies the whole file or nothing. */
async function copy(
  source: string,
  target: string,
  check: (copied: Omit<Listed, 'key'>) => void = () => undefined,
): Promise<Omit<Listed, 'key'>> {
  await makeFolder(dirname(target));
  const tally = digesting();
  await pipeline(
    createReadStream(source),
    tally.pass,
    createWriteStream(`${target}.part`, { mode: 0o644, flush: true }),
  ).catch(namingPath(target));
  const copied = { bytes: tally.bytes(), sha256: tally.sha256() };
  check(copied);
  await rename(`${target}.part`, target);
  return copied;
}

async function* mediaKeys(folder: string): AsyncGenerator<string> {
  const entries = await opendir(folder, { recursive: true }).catch(ignoreMissing);
  if (!entries) return;
  for await (const entry of entries) {
    if (!entry.isFile()) continue;
    const key = relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/');
    if (isMediaKey(key)) yield key;
  }
}
