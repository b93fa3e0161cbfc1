import { type FileHandle, open } from 'node:fs/promises';

/** Chunks or boxes that are looked at before the picture begins. */
const MAX_PARTS = 200;
const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Bytes of the list of brands. */
const MAX_BRANDS = 400;

/** The image library reads no AV1 track, and ffmpeg loses its transparency. */
export const MOVING_AVIF = 'is a moving AVIF, which this server cannot read: send it as GIF, PNG or video';

/** Returns whether a PNG has more than one frame: https://www.w3.org/TR/png-3/#acTL-chunk */
export const isMovingPng = (path: string): Promise<boolean> =>
  withFile(path, async (read) => {
    if (!(await read(0, 8)).equals(PNG)) return false;
    for (let [part, at] = [0, 8]; part < MAX_PARTS; part += 1) {
      const chunk = await read(at, 12);
      if (chunk.length < 12) return false;
      const type = chunk.toString('latin1', 4, 8);
      if (type === 'acTL') return chunk.readUInt32BE(8) > 1;
      if (type === 'IDAT') return false;
      at += chunk.readUInt32BE(0) + 12;
    }
    return false;
  });

/**
 * Returns whether a file is an AVIF image sequence, by its brands and its track:
 * https://aomediacodec.github.io/av1-avif/#image-sequence-brand
 */
export const isMovingAvif = (file: Buffer | string): Promise<boolean> =>
  withFile(file, async (read) => {
    const brands = (await read(0, MAX_BRANDS)).toString('latin1');
    if (brands.slice(4, 8) !== 'ftyp' || !brands.includes('avis')) return false;
    for (let [part, at] = [0, 0]; part < MAX_PARTS; part += 1) {
      const box = await read(at, 8);
      if (box.length < 8) return false;
      if (box.toString('latin1', 4, 8) === 'moov') return true;
      const size = box.readUInt32BE(0);
      if (size < 8) return false;
      at += size;
    }
    return false;
  });

type Read = (at: number, length: number) => Promise<Buffer>;

async function withFile(given: Buffer | string, look: (read: Read) => Promise<boolean>): Promise<boolean> {
  if (typeof given !== 'string') {
    return look((at, length) => Promise.resolve(given.subarray(at, at + length)));
  }
  const file: FileHandle = await open(given);
  try {
    return await look(async (at, length) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
      return buffer.subarray(0, bytesRead);
    });
  } finally {
    await file.close();
  }
}
