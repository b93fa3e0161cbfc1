import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import sharp from 'sharp';
import { isMovingAvif, isMovingPng } from '#adapters/media/moving-files.ts';
import { still } from '../support/pictures.ts';

describe('Files that may move', () => {
  let folder: string;

  before(async () => void (folder = await mkdtemp(join(tmpdir(), 'rookery-test-moving-'))));
  after(() => rm(folder, { recursive: true }));

  const stored = async (data: Buffer): Promise<string> => {
    const path = join(folder, 'file');
    await writeFile(path, data);
    return path;
  };

  /** A PNG that announces so many frames; the checksum is not looked at. */
  async function animated(frames: number): Promise<Buffer> {
    const png = await still('red');
    const control = Buffer.alloc(20);
    control.writeUInt32BE(8, 0);
    control.write('acTL', 4, 'latin1');
    control.writeUInt32BE(frames, 8);
    const headerEnd = 8 + 12 + 13;
    return Buffer.concat([png.subarray(0, headerEnd), control, png.subarray(headerEnd)]);
  }

  const box = (type: string, content: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 + content.length, 0);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, content]);
  };

  it('are PNGs with more than one frame', async () => {
    expect(await isMovingPng(await stored(await animated(2)))).to.equal(true);
    expect(await isMovingPng(await stored(await animated(1)))).to.equal(false);
    expect(await isMovingPng(await stored(await still('red')))).to.equal(false);
  });

  it('are AVIFs with a sequence, as a file or as bytes', async () => {
    const sequence = Buffer.concat([
      box('ftyp', Buffer.from('avis\0\0\0\0avifmif1', 'latin1')),
      box('meta', Buffer.alloc(300)),
      box('moov', Buffer.alloc(10)),
    ]);
    expect(await isMovingAvif(sequence)).to.equal(true);
    expect(await isMovingAvif(await stored(sequence))).to.equal(true);
    expect(await isMovingAvif(sequence.subarray(0, 100))).to.equal(false);
    const single = await sharp(await still('red'))
      .avif({ effort: 0 })
      .toBuffer();
    expect(await isMovingAvif(single)).to.equal(false);
    const video = Buffer.concat([
      box('ftyp', Buffer.from('isom\0\0\0\0mp41', 'latin1')),
      box('moov', single),
    ]);
    expect(await isMovingAvif(video)).to.equal(false);
  });

  it('are no files that end early or whose parts have no size', async () => {
    const endless = Buffer.concat([box('ftyp', Buffer.from('avis', 'latin1')), Buffer.alloc(100)]);
    for (const data of [Buffer.alloc(0), Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), endless]) {
      const path = await stored(data);
      expect([await isMovingPng(path), await isMovingAvif(path)]).to.deep.equal([false, false]);
    }
  });
});
