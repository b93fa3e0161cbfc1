import { strToU8, zipSync } from 'fflate';

/** A text in an archive, by its path. */
interface ZippedText {
  name: string;
  text: string;
}

/** The first day that the format knows: the same texts give the same bytes. */
const FIRST_DAY = new Date(1980, 0, 1);

/** Returns a ZIP archive of some texts. */
export const zipOf = (files: readonly ZippedText[]): Buffer =>
  Buffer.from(
    zipSync(Object.fromEntries(files.map(({ name, text }) => [name, strToU8(text)])), { mtime: FIRST_DAY }),
  );
