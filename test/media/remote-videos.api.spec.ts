import { expect } from 'chai';
import sharp from 'sharp';
import {
  animatedGif,
  animatedPng,
  HAS_FFMPEG,
  lookInto,
  silentVideo,
  telephoneVideo,
  tone,
  webVideo,
} from '../support/videos.ts';
import { MediaTown } from './media-town.ts';

describe('Remote videos', function () {
  this.timeout(120_000);
  const town = new MediaTown();
  before(async function () {
    if (!HAS_FFMPEG) return this.skip();
    await town.start();
  });
  after(() => HAS_FFMPEG && town.close());

  it('are copied into a new file without metadata, and get a preview', async () => {
    const url = town.file('/clip.mov', await telephoneVideo(), 'video/quicktime');
    const before = await town.post([town.attachment(url, { type: 'video', preview: null })]);
    const [video] = before.media_attachments;
    const whole = await town.fetch(video?.url);
    expect([whole.status, whole.headers.get('content-type')]).deep.equal([200, 'video/mp4']);
    const { format } = await lookInto(whole.data);
    expect(JSON.stringify(format.tags ?? {})).not.to.match(/Secret|\+52/);
    const part = await town.fetch(video?.url, { Range: 'bytes=100-' });
    expect([part.status, part.data.length]).deep.equal([206, whole.data.length - 100]);
    const preview = await town.fetch(video?.preview_url);
    expect((await sharp(preview.data).metadata()).width).equal(320);
    const [found] = (await town.show(before.id)).media_attachments;
    expect(found?.blurhash).to.be.a('string');
  });

  it('become animations when they have no sound, also if their server states their size', async () => {
    const url = town.file('/loop.mp4', await silentVideo(), 'video/mp4');
    const said = { blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj', meta: { original: { width: 160, height: 90 } } };
    const { id, media_attachments: before } = await town.post([
      town.attachment(url, { type: 'video', preview: null, ...said }),
    ]);
    // The first reader already sees what it is.
    expect([before[0]?.type, before[0]?.meta?.original?.duration]).deep.equal(['gifv', 1.52]);
    await town.fetch(before[0]?.preview_url);
    const [found] = (await town.show(id)).media_attachments;
    expect(found).to.deep.include({ type: 'gifv', blurhash: said.blurhash });
    expect(found?.meta?.original).to.deep.include({
      width: 160,
      height: 90,
      frame_rate: '25/1',
      duration: 1.52,
    });
    const head = await town.server.app.log.head();
    await town.fetch(before[0]?.url);
    expect(await town.server.app.log.head(), 'nothing is said twice').equal(head);
  });

  it('get a duration when they are played, and a blurhash when their preview is viewed', async () => {
    const url = town.file('/played.mov', await telephoneVideo(), 'video/quicktime');
    const { id, media_attachments: before } = await town.post([
      town.attachment(url, { type: 'video', preview: null }),
    ]);
    await town.fetch(before[0]?.url);
    const [played] = (await town.show(id)).media_attachments;
    expect([played?.type, played?.blurhash]).deep.equal(['video', null]);
    expect(before[0]?.meta?.original?.duration, 'known at once').closeTo(1.5, 0.1);
    expect(played?.meta?.original?.duration).closeTo(1.5, 0.1);
    await town.fetch(before[0]?.preview_url);
    expect((await town.show(id)).media_attachments[0]?.blurhash).to.be.a('string');
  });

  it('are identified by the beginning of a large file, also of a host that sends more than it is asked for', async () => {
    const video = await silentVideo('640x360', 120);
    const { promise: isCut, resolve } = Promise.withResolvers<boolean>();
    const padded = Buffer.concat([video, Buffer.alloc(20_000_000)]);
    const url = town.far.peer.put('/large.mp4', (_req, res) => {
      res.on('close', () => resolve(!res.writableFinished));
      res.set('Content-Type', 'video/mp4').send(padded);
    });
    const { media_attachments: media } = await town.post([
      town.attachment(url, { type: 'video', preview: null }),
    ]);
    expect([media[0]?.type, media[0]?.meta?.original?.duration]).deep.equal(['gifv', 1.5]);
    expect(await isCut).equal(true);
  });

  it('let their post wait three seconds for a host that never answers, and the next one not at all', async () => {
    const url = town.far.peer.put('/silent.mp4', () => undefined);
    for (const [name, least, most] of [
      ['first', 2_500, 15_000],
      ['next', 0, 2_500],
    ] as const) {
      const started = performance.now();
      const { media_attachments: media } = await town.post([
        town.attachment(`${url}?${name}`, { type: 'video', preview: null }),
      ]);
      expect(media[0]?.type).equal('video');
      expect(performance.now() - started, name).within(least, most);
    }
  });

  it('get a duration when they contain only sound', async () => {
    const url = town.file('/tone.mp3', await tone('mp3'), 'audio/mpeg');
    const { id, media_attachments: before } = await town.post([
      town.attachment(url, { type: 'audio', preview: null }),
    ]);
    await town.fetch(before[0]?.url);
    const [found] = (await town.show(id)).media_attachments;
    expect([found?.type, found?.meta?.original?.duration !== undefined]).deep.equal(['audio', true]);
  });

  it('stay WebM if browsers play that', async () => {
    const url = town.file('/clip.webm', await webVideo(), 'video/webm');
    const { media_attachments: media } = await town.post([
      town.attachment(url, { type: 'video', preview: null }),
    ]);
    const { status, headers } = await town.fetch(media[0]?.url);
    expect([status, headers.get('content-type')]).deep.equal([200, 'video/webm']);
  });

  it('stay animated when they are GIFs', async () => {
    const url = town.file('/moving.gif', await animatedGif(), 'image/gif');
    const { media_attachments: media } = await town.post([town.attachment(url)]);
    const { data, headers } = await town.fetch(media[0]?.url);
    expect(headers.get('content-type')).equal('image/gif');
    expect((await sharp(data).metadata()).pages).greaterThan(5);
  });

  it('stay animated when they are PNGs', async () => {
    const url = town.file('/moving.png', await animatedPng(), 'image/png');
    const { media_attachments: media } = await town.post([town.attachment(url)]);
    const { data, headers } = await town.fetch(media[0]?.url);
    expect(headers.get('content-type')).equal('image/png');
    const { format, streams } = await lookInto(data);
    expect([format.format_name, streams[0]?.codec_name]).deep.equal(['apng', 'apng']);
  });
});
