import { readdir, readFile } from 'node:fs/promises';

/**
 * Returns the command lines of the processes of this machine that have this text in their arguments or their environment, such as the path
 * of a data folder. Linux only.
 */
export async function processesWith(text: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter(
    (name) => /^[0-9]+$/.test(name) && Number(name) !== process.pid,
  );
  const all = await Promise.all(
    ids.map(async (id) => [await read(id, 'cmdline'), await read(id, 'environ')]),
  );
  return all.filter((both) => both.some((each) => each.includes(text))).map(([command = '']) => command);
}

/** Empty for a process that has ended, or is another user's. */
const read = async (id: string, file: string): Promise<string> =>
  (await readFile(`/proc/${id}/${file}`, 'utf8').catch(() => '')).replaceAll('\0', ' ').trim();
