import { crc32, deflateRawSync } from 'node:zlib';

/** A text in an archive. */
export interface ZippedText {
  /** The path: ASCII, with slashes. */
  name: string;
  text: string;
}

const DEFLATE = 8;
/** Version 2.0: deflate, and folders. */
const VERSION = 20;
/** Names are in UTF-8. */
const UTF8 = 0x800;
/** 1980-01-01, the first day that the format knows: the same texts give the same bytes. */
const DAY = 33;

/** Returns the fields, each of 2 or 4 bytes, as the format orders them: little-endian. */
const fields = (...each: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer =>
  Buffer.concat(
    each.map(([bytes, value]) => {
      const field = Buffer.alloc(bytes);
      field.writeUIntLE(value, 0, bytes);
      return field;
    }),
  );

/** Yields a ZIP archive (APPNOTE 6.3) of some texts, one at a time; all together stay below 4 GB. */
export function* zipOf(files: Iterable<ZippedText>): Generator<Buffer, void, undefined> {
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, text } of files) {
    const plain = Buffer.from(text);
    const packed = deflateRawSync(plain);
    const path = Buffer.from(name);
    const common = fields(
      [2, VERSION],
      [2, UTF8],
      [2, DEFLATE],
      [2, 0],
      [2, DAY],
      [4, crc32(plain)],
      [4, packed.length],
      [4, plain.length],
      [2, path.length],
      [2, 0],
    );
    const local = Buffer.concat([fields([4, 0x04034b50]), common, path, packed]);
    const rest = fields([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]);
    directory.push(Buffer.concat([fields([4, 0x02014b50], [2, VERSION]), common, rest, path]));
    offset += local.length;
    yield local;
  }
  const list = Buffer.concat(directory);
  const { length } = directory;
  const end = fields(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, length],
    [2, length],
    [4, list.length],
    [4, offset],
    [2, 0],
  );
  yield Buffer.concat([list, end]);
}
