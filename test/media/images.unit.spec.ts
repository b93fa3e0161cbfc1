import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import sharp from 'sharp';
import { processProfileImage } from '#adapters/media/images.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { movingGif } from '../support/pictures.ts';

const canvas = (width = 600, height = 300, alpha = 1) =>
  sharp({ create: { width, height, channels: 4, background: { r: 200, g: 30, b: 60, alpha } } });

/** Frames of one shade each, saved as an animation. */
async function animation(format: 'gif' | 'webp', count = 4): Promise<Buffer> {
  const frames = Array.from({ length: count }, (_, n) => Buffer.alloc(64 * 48 * 3, (n * 80) % 256));
  const raw = { width: 64, height: 48 * count, channels: 3, pageHeight: 48 } as const;
  return sharp(Buffer.concat(frames), { raw })
    .toFormat(format, { delay: frames.map(() => 50) })
    .toBuffer();
}

/** A PNG whose header claims a size, with no more data than it needs. */
function claimedPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const frame = Buffer.alloc(8 + body.length);
    frame.writeUInt32BE(data.length, 0);
    body.copy(frame, 4);
    frame.writeUInt32BE(crc32(body), 4 + body.length);
    return frame;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const rows = deflateSync(Buffer.alloc(1_000_000));
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const failure = async (data: Buffer | string) => {
  const error = await processProfileImage(data, 'avatar').catch((reason: unknown) => reason);
  if (!isRookeryError(error)) throw new Error('expected a RookeryError', { cause: error });
  return error;
};

describe('Profile images', () => {
  for (const format of ['jpeg', 'png', 'webp', 'gif'] as const) {
    it(`stay ${format}, in the size of their kind`, async () => {
      const data = await canvas().toFormat(format).toBuffer();
      for (const [kind, width, height] of [
        ['avatar', 400, 400],
        ['header', 1500, 500],
      ] as const) {
        const image = await processProfileImage(data, kind);
        expect(image.static).to.equal(image.original);
        expect(image.original.contentType).to.equal(`image/${format}`);
        expect(image.original.hash).to.match(/^[0-9a-f]{64}$/);
        expect(await sharp(image.original.data).metadata()).to.include({ format, width, height });
      }
    });
  }

  it('become JPEG or PNG when few clients could show them', async () => {
    const avif = await processProfileImage(
      await canvas().removeAlpha().avif({ effort: 0 }).toBuffer(),
      'avatar',
    );
    expect(avif.original).to.include({ contentType: 'image/jpeg', extension: 'jpg' });
    const glass = await processProfileImage(
      await canvas(64, 64, 0.5).avif({ effort: 0 }).toBuffer(),
      'avatar',
    );
    expect(glass.original).to.include({ contentType: 'image/png', extension: 'png' });
  });

  it('stay animated as GIF, with a static PNG', async () => {
    const image = await processProfileImage(await animation('gif'), 'avatar');
    const { format, pages, width, height } = await sharp(image.original.data).metadata();
    // Never enlarged: a client does that at no cost.
    expect({ format, pages, width, height }).to.deep.equal({
      format: 'gif',
      pages: 4,
      width: 48,
      height: 48,
    });
    expect(image.static).to.include({ contentType: 'image/png', extension: 'png' });
    expect(await sharp(image.static.data).metadata()).to.include({ format: 'png', width: 400, height: 400 });
  });

  for (const [kind, size, count, expected] of [
    ['avatar', { width: 400, height: 400 }, 37, { width: 400, height: 400, pages: 37 }],
    ['avatar', { width: 400, height: 400 }, 75, { width: 200, height: 200, pages: 75 }],
    ['avatar', { width: 480, height: 480 }, 75, { width: 200, height: 200, pages: 75 }],
    ['avatar', { width: 160, height: 160 }, 1_000, { width: 55, height: 55, pages: 1_000 }],
    ['header', { width: 1_500, height: 500 }, 44, { width: 452, height: 151, pages: 44 }],
    ['header', { width: 300, height: 100 }, 1_000, { width: 95, height: 32, pages: 1_000 }],
    ['header', { width: 64, height: 48 }, 2_000, { width: 64, height: 21, pages: 1_000 }],
  ] as const) {
    const { width, height } = size;
    it(`have a bounded size as ${kind} when they move in ${count} frames of ${width}x${height}`, async () => {
      const image = await processProfileImage(await movingGif(size, count), kind);
      const metadata = await sharp(image.original.data).metadata();
      expect({ width: metadata.width, height: metadata.height, pages: metadata.pages }).to.deep.equal(
        expected,
      );
    });
  }

  it('become static as WebP', async () => {
    const image = await processProfileImage(await animation('webp'), 'avatar');
    expect((await sharp(image.original.data).metadata()).pages ?? 1).to.equal(1);
  });

  it('are rotated and lose their metadata', async () => {
    const left = await canvas(100, 200).png().toBuffer();
    const right = { input: await sharp(left).negate({ alpha: false }).toBuffer(), left: 100, top: 0 };
    const wide = sharp({ create: { width: 200, height: 200, channels: 3, background: 'red' } }).composite([
      { input: left, left: 0, top: 0 },
      right,
    ]);
    const gps = { IFD0: { Copyright: 'me' }, IFD3: { GPSLatitudeRef: 'N' } };
    // Orientation 3 is upside down, so the left side moves to the right.
    const data = await wide.withExif(gps).withMetadata({ orientation: 3 }).jpeg().toBuffer();
    expect(await sharp(data).metadata())
      .to.include({ orientation: 3 })
      .and.to.have.property('exif');
    const { original } = await processProfileImage(data, 'avatar');
    const metadata = await sharp(original.data).metadata();
    expect(metadata.exif).to.equal(undefined);
    expect(metadata.orientation).to.equal(undefined);
    const corner = await sharp(original.data)
      .extract({ left: 390, top: 200, width: 1, height: 1 })
      .raw()
      .toBuffer();
    expect(corner[0]).to.be.greaterThan(150);
    expect(corner[1]).to.be.lessThan(90);
  });

  it('are refused in AVIF above 16.8 megapixels by their header alone', async () => {
    const create = { width: 4_097, height: 4_096, channels: 3, background: 'red' } as const;
    const data = await sharp({ create }).avif({ effort: 0 }).toBuffer();
    expect(data.length).to.be.lessThan(1_000);
    expect((await failure(data)).message).to.contain('4097x4096 images are not supported');
  });

  it('may be read from the path of a file', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'rookery-image-'));
    try {
      const path = join(directory, 'upload');
      await writeFile(path, await canvas().png().toBuffer());
      expect((await processProfileImage(path, 'avatar')).original.extension).to.equal('png');
      await writeFile(path, Buffer.alloc(8 * 1024 * 1024 + 1));
      expect((await failure(path)).message).to.contain('less than 8 MB');
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('are refused above 8 MB', async () => {
    expect(await failure(Buffer.alloc(8 * 1024 * 1024 + 1))).to.include({ code: 'invalid' });
  });

  it('are refused above the pixels of 8K, whatever a header claims', async () => {
    for (const [width, height] of [
      [50_000, 50_000],
      [8000, 8000],
      [33_177_601, 1],
    ] as const) {
      const error = await failure(claimedPng(width, height));
      expect(error.code).to.equal('invalid');
      expect(error.message).to.contain(`${width}x${height} images are not supported`);
    }
  });

  it('are refused in unknown formats', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
    const tiff = await canvas().tiff().toBuffer();
    for (const data of [
      Buffer.alloc(0),
      Buffer.from('hello'),
      Buffer.from(svg),
      Buffer.from('%PDF-1.7'),
      tiff,
    ]) {
      const error = await failure(data);
      expect(error.code).to.equal('invalid');
      expect(error.message).to.contain('content type');
    }
  });

  it('are refused when they are cut off or garbled', async () => {
    const noise = sharp({
      create: {
        width: 300,
        height: 300,
        channels: 3,
        background: 'red',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    });
    for (const format of ['jpeg', 'png', 'webp', 'gif', 'avif'] as const) {
      const whole = await noise.clone().toFormat(format).toBuffer();
      for (const length of [12, 40, Math.floor(whole.length / 2)]) {
        expect(await failure(whole.subarray(0, length)), `${format} ${length}`).to.include({
          code: 'invalid',
        });
      }
    }
    for (const head of [
      '\xff\xd8\xff',
      '\x89PNG\r\n\x1a\n',
      'GIF89a',
      'RIFF\x10\x00\x00\x00WEBP',
      '\x00\x00\x00\x18ftypavif',
    ]) {
      const garbled = Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(2000, 0xa5)]);
      expect(await failure(garbled)).to.include({ code: 'invalid' });
    }
  });
});

function crc32(data: Buffer): number {
  let crc = ~0;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
