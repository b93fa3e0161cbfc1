import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the links in the mails to an address, oldest first, from a server without SMTP. */
export const linksMailedTo = async (address: string, dataDir: string): Promise<string[]> =>
  (await textsMailedTo(address, dataDir)).flatMap((mail) => /https?:\/\/[^\s<>"]+/.exec(mail)?.[0] ?? []);

/** Returns the mails with their headers. */
export async function textsMailedTo(address: string, dataDir: string): Promise<string[]> {
  const folder = join(dataDir, 'mail');
  const files = await readdir(folder).catch(() => []);
  const mails = await Promise.all(files.sort().map((file) => readFile(join(folder, file), 'utf8')));
  return mails
    .filter((mail) => new RegExp(`^To: .*${address.replace(/[.+]/g, '\\$&')}`, 'm').test(mail))
    .map(decodeQuotedPrintable);
}

const decodeQuotedPrintable = (text: string): string =>
  text
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
