import { expect } from 'chai';
import sharp from 'sharp';
import { inTurn, laneInWorker } from '#adapters/media/in-turn.ts';
import { movingGif, still } from '../support/pictures.ts';

describe('Pictures that are processed in turn', function () {
  this.timeout(60_000);

  /** Noise has so many colours that it takes long. */
  const noise = (width: number, height: number): Promise<Buffer> =>
    sharp({
      create: {
        width,
        height,
        channels: 3,
        background: 'red',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .webp({ effort: 0 })
      .toBuffer();

  it('go to the lane that their headers name', async () => {
    const lanes = {
      'a pixel': await still('red', { width: 1, height: 1 }),
      'two megapixels': await still('red', { width: 2_000, height: 1_000 }),
      'more than two megapixels': await still('red', { width: 2_000, height: 1_001 }),
      'a small AVIF': await sharp(await still('red', { width: 500, height: 500 }))
        .avif({ effort: 0 })
        .toBuffer(),
      'a larger AVIF': await sharp(await still('red', { width: 600, height: 500 }))
        .avif({ effort: 0 })
        .toBuffer(),
      'ten frames': await movingGif({ width: 100, height: 100 }, 10),
      'a hundred frames': await movingGif({ width: 100, height: 100 }, 100),
      text: Buffer.from('no picture'),
    };
    const found: [string, string][] = [];
    for (const [name, file] of Object.entries(lanes)) found.push([name, await laneInWorker(file)]);
    expect(Object.fromEntries(found)).to.deep.equal({
      'a pixel': 'small',
      'two megapixels': 'small',
      'more than two megapixels': 'large',
      'a small AVIF': 'small',
      'a larger AVIF': 'large',
      'ten frames': 'small',
      'a hundred frames': 'large',
      text: 'small',
    });
  });

  it('wait for no large picture when they are small', async () => {
    const large = await noise(3_000, 3_000);
    const pixel = await still('red', { width: 1, height: 1 });
    const ended: string[] = [];
    const done = (name: string) => (): number => ended.push(name);
    const attacks = [1, 2, 3].map((n) =>
      inTurn('processProfileImage', [large, 'header'], { owner: 'attacker' }).then(done(`large ${n}`)),
    );
    await inTurn('processProfileImage', [pixel, 'avatar'], { owner: 'other' }).then(done('pixel'));
    await Promise.all(attacks);
    expect(ended).to.deep.equal(['pixel', 'large 1', 'large 2', 'large 3']);
  });

  it('let accounts take turns when they are large', async () => {
    const large = await noise(2_000, 1_500);
    const ended: string[] = [];
    const send = (owner: string): Promise<number> =>
      inTurn('processProfileImage', [large, 'header'], { owner }).then(() => ended.push(owner));
    await Promise.all(['first', 'first', 'first', 'second'].map(send));
    expect(ended.indexOf('second')).to.be.lessThan(3);
  });
});
