import { expect } from 'chai';
import sharp from 'sharp';
import { MAX_EMOJI_BYTES, processEmoji } from '#adapters/media/emoji-image.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { moving, movingGif, still } from '../support/pictures.ts';

const messageOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    if (isRookeryError(error) && error.code === 'invalid') return error.message;
    throw error;
  }
  return '';
};

describe('The pictures of emojis', () => {
  it('stay PNG, without metadata', async () => {
    const file = await sharp(await still('red'))
      .withExif({ IFD0: { Copyright: 'somebody' } })
      .png()
      .toBuffer();
    expect((await sharp(file).metadata()).exif).to.not.equal(undefined);
    const { original, static: first } = await processEmoji(file);
    expect(original).to.equal(first);
    expect(original).to.deep.include({ contentType: 'image/png', extension: 'png' });
    expect((await sharp(original.data).metadata()).exif).to.equal(undefined);
  });

  for (const format of ['gif', 'webp'] as const) {
    it(`stay animated ${format.toUpperCase()}, with a static PNG of the first frame`, async () => {
      const { original, static: first } = await processEmoji(await moving(format));
      expect(original.extension).to.equal(format);
      expect((await sharp(original.data).metadata()).pages).to.equal(2);
      const metadata = await sharp(first.data).metadata();
      expect([metadata.format, metadata.pages ?? 1]).to.deep.equal(['png', 1]);
      const { dominant } = await sharp(first.data).stats();
      expect(dominant.r).to.be.greaterThan(200);
      expect(dominant.b).to.be.lessThan(50);
    });
  }

  it('become at most 256 pixels wide and high, and are never enlarged', async () => {
    const large = await processEmoji(await still('red', { width: 800, height: 400 }));
    expect(await sharp(large.original.data).metadata()).to.deep.include({ width: 256, height: 128 });
    const small = await processEmoji(await still('red', { width: 20, height: 10 }));
    expect(await sharp(small.original.data).metadata()).to.deep.include({ width: 20, height: 10 });
  });

  it('become smaller when they move in many frames', async () => {
    const { original } = await processEmoji(await movingGif({ width: 256, height: 256 }, 200));
    const { width, height, pages } = await sharp(original.data).metadata();
    expect({ width, height }).to.deep.equal({ width: 122, height: 122 });
    expect(pages).to.be.within(199, 200);
  });

  it('are refused above 256 KB', async () => {
    const file = Buffer.concat([await still('red'), Buffer.alloc(MAX_EMOJI_BYTES)]);
    expect(await messageOf(processEmoji(file))).to.equal('Image file size must be less than 256 KB');
  });

  it('are refused in other formats, whatever their name, and when broken', async () => {
    const jpeg = await sharp(await still('red'))
      .jpeg()
      .toBuffer();
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    for (const file of [jpeg, svg, Buffer.alloc(0), Buffer.from('text')]) {
      expect(await messageOf(processEmoji(file))).to.match(/^Image content type is not supported/);
    }
    const png = await still('red');
    expect(await messageOf(processEmoji(png.subarray(0, png.length - 30)))).to.equal(
      'Image could not be read',
    );
  });

  it('are refused when a small file contains very many pixels', async () => {
    const bomb = await still('red', { width: 7_000, height: 6_000 });
    expect(bomb.length).to.be.lessThan(MAX_EMOJI_BYTES);
    expect(await messageOf(processEmoji(bomb))).to.match(/^Image is too large: 7000x6000/);
  });
});
