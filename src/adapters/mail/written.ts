import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreMissing } from '../../kernel/files.ts';

/** Where mails are written that no server takes. */
export const mailFolder = (dataDir: string): string => join(dataDir, 'mail');

/** Removes the written mails that name one of these addresses, in whatever case. */
export async function removeWrittenMails(dataDir: string, addresses: readonly string[]): Promise<void> {
  const wanted = addresses.map((address) => address.toLowerCase()).filter((address) => address !== '');
  if (wanted.length === 0) return;
  const folder = mailFolder(dataDir);
  for (const name of (await readdir(folder).catch(ignoreMissing)) ?? []) {
    const path = join(folder, name);
    const text = (await readFile(path, 'utf8')).toLowerCase();
    if (wanted.some((address) => text.includes(address))) await rm(path, { force: true });
  }
}
