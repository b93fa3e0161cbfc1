import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreMissing } from '#kernel/files.ts';

/** Returns the folder of mails without a mail server. */
export const mailFolder = (dataDir: string): string => join(dataDir, 'mail');

/** Removes written mails to any of these addresses, in any case. */
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
