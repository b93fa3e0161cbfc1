import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import sharp from 'sharp';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { picture, uploadForm } from '../support/uploads.ts';
import * as videos from '../support/videos.ts';

describe('Uploading media that takes long to process', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;

  before(async function () {
    if (!videos.HAS_FFMPEG) this.skip();
    server = await startTestServer();
    alice = await server.user('alice');
  });
  after(() => (server as TestServer | undefined)?.close());

  const upload = (form: FormData, path = '/api/v2/media'): Promise<Answer> =>
    server.call('POST', path, { token: alice.token, body: form });
  const show = (id: string): Promise<Answer> =>
    server.call('GET', `/api/v1/media/${id}`, { token: alice.token });
  const bytes = async (url: string): Promise<Buffer> => {
    const response = await fetch(`${server.url}${new URL(url).pathname}`);
    expect(response.status).to.equal(200);
    return Buffer.from(await response.arrayBuffer());
  };
  /** Polls until the file is processed, as clients do. */
  const processed = async (id: string): Promise<Answer> => {
    for (;;) {
      const answer = await show(id);
      if (answer.status !== 206) return answer;
      expect(answer.body.url).to.equal(null);
      await sleep(50);
    }
  };

  it('accepts a video with its preview, and completes it later', async () => {
    const form = uploadForm(await videos.telephoneVideo(), { description: 'A garden', focus: '0,1' });
    const { status, body } = await upload(form);
    expect(status).to.equal(202);
    expect(body).to.include({ type: 'video', url: null, description: 'A garden' });
    expect(body.meta.small).to.deep.equal({ width: 320, height: 180, size: '320x180', aspect: 16 / 9 });
    expect(body.blurhash).to.have.length(36);
    expect(await sharp(await bytes(body.preview_url)).metadata()).to.include({ format: 'jpeg', width: 320 });

    const { status: done, body: ready } = await processed(body.id);
    expect(done).to.equal(200);
    expect(ready).to.include({ type: 'video', preview_url: body.preview_url, blurhash: body.blurhash });
    expect(ready.url).to.match(/\.mp4$/);
    expect(ready.description).to.equal('A garden');
    expect(ready.meta).to.deep.include({
      fps: 25,
      size: '320x180',
      width: 320,
      height: 180,
      aspect: 16 / 9,
      audio_encode: 'aac (LC)',
      audio_bitrate: '44100 Hz',
      audio_channels: 'mono',
      focus: { x: 0, y: 1 },
      small: body.meta.small,
    });
    expect(ready.meta.length).to.match(/^0:00:01\.[45]\d$/);
    expect(ready.meta.original).to.include({ width: 320, height: 180, frame_rate: '25/1' });
    expect(ready.meta.original.duration).to.be.closeTo(1.5, 0.1);
    expect(ready.meta.original.bitrate).to.be.greaterThan(1_000);

    const file = await bytes(ready.url);
    const inside = await videos.lookInto(file);
    expect(inside.streams.map(({ codec_name }) => codec_name)).to.deep.equal(['h264', 'aac']);
    expect(JSON.stringify(inside)).not.to.match(/52\.52|Secret garden/);
    expect(file.indexOf('moov'), 'ready to be played while it comes').to.be.lessThan(file.indexOf('mdat'));
  });

  it('transcodes formats that browsers do not play', async () => {
    const { body } = await upload(uploadForm(await videos.webVideo()));
    const { body: ready } = await processed(body.id);
    expect(ready.meta).to.include({ width: 160, height: 90 });
    const { streams } = await videos.lookInto(await bytes(ready.url));
    expect(streams.map(({ codec_name }) => codec_name)).to.deep.equal(['h264', 'aac']);
    expect(streams[0]?.pix_fmt).to.equal('yuv420p');
  });

  for (const [name, make] of [
    ['a video without sound', () => videos.silentVideo()],
    ['a moving GIF', videos.animatedGif],
    ['a moving PNG', videos.animatedPng],
  ] as const) {
    it(`loops ${name} as gifv`, async () => {
      const { status, body } = await upload(uploadForm(await make()));
      expect(status).to.equal(202);
      expect(body).to.include({ type: 'gifv', url: null });
      const { body: ready } = await processed(body.id);
      expect(ready.type).to.equal('gifv');
      expect(ready.url).to.match(/\.mp4$/);
      const { streams } = await videos.lookInto(await bytes(ready.url));
      expect(streams.map(({ codec_name }) => codec_name)).to.deep.equal(['h264']);
      expect(ready.meta.original).to.include({ width: 160, height: 90 });
    });
  }

  it('refuses a moving AVIF with the reason', async () => {
    const avif = await videos.animatedAvif();
    const reason = 'is a moving AVIF, which this server cannot read: send it as GIF, PNG or video';
    const { status, body } = await upload(uploadForm(avif));
    expect([status, body.error]).to.deep.equal([422, `Validation failed: File ${reason}`]);
    const form = new FormData();
    form.set('avatar', new Blob([new Uint8Array(avif)], { type: 'image/avif' }), 'moving.avif');
    const avatar = await server.call('PATCH', '/api/v1/accounts/update_credentials', {
      token: alice.token,
      body: form,
    });
    expect([avatar.status, avatar.body.error]).to.deep.equal([422, `Validation failed: Avatar ${reason}`]);
  });

  for (const extension of ['mp3', 'ogg', 'flac', 'wav', 'm4a'] as const) {
    it(`converts ${extension} to MP3`, async () => {
      const { status, body } = await upload(uploadForm(await videos.tone(extension)));
      expect(status).to.equal(202);
      expect(body).to.include({ type: 'audio', url: null, preview_url: null, blurhash: null });
      const { body: ready } = await processed(body.id);
      expect(ready.url).to.match(/\.mp3$/);
      expect(ready.meta.original.duration).to.be.closeTo(1.5, 0.1);
      expect(ready.meta).to.include({ audio_encode: 'mp3', audio_bitrate: '44100 Hz' });
      const { format } = await videos.lookInto(await bytes(ready.url));
      expect(format.format_name).to.equal('mp3');
    });
  }

  it('shows the cover of a sound, and its colours', async () => {
    const cover = await sharp({ create: { width: 200, height: 200, channels: 3, background: '#203080' } })
      .jpeg()
      .toBuffer();
    const { body } = await upload(uploadForm(await videos.toneWithCover(cover)));
    expect(body.type).to.equal('audio');
    expect(body.meta.small).to.include({ width: 200, height: 200 });
    const { body: ready } = await processed(body.id);
    expect(ready.preview_url).to.equal(body.preview_url);
    expect(ready.meta.colors).to.have.all.keys('background', 'foreground', 'accent');
    const { streams } = await videos.lookInto(await bytes(ready.url));
    expect(
      streams.map(({ codec_type }) => codec_type),
      'the cover itself is gone',
    ).to.deep.equal(['audio']);
  });

  it('accepts a chosen thumbnail, also during processing', async () => {
    const thumbnail = await picture(90, 60, 'png');
    const { body } = await upload(uploadForm(await videos.silentVideo(), {}, { thumbnail }));
    expect(body.meta.small).to.include({ width: 90, height: 60 });
    const form = new FormData();
    form.set('description', 'later');
    form.set('thumbnail', new Blob([new Uint8Array(await picture(60, 90, 'png'))]), 'x.png');
    const changed = await server.call('PUT', `/api/v1/media/${body.id}`, { token: alice.token, body: form });
    expect(changed.status).to.equal(200);
    const { body: ready } = await processed(body.id);
    expect(ready).to.include({ description: 'later', preview_url: changed.body.preview_url });
    expect(ready.meta.small).to.include({ width: 60, height: 90 });
    expect(await sharp(await bytes(ready.preview_url)).metadata()).to.include({ width: 60, height: 90 });
  });

  it('waits for the result at the deprecated address', async () => {
    const { status, body } = await upload(uploadForm(await videos.silentVideo()), '/api/v1/media');
    expect(status).to.equal(200);
    expect(body.url).to.match(/\.mp4$/);
    expect((await show(body.id)).body).to.deep.equal(body);
  });

  it('refuses files that are cut off, too large or too fast', async () => {
    const whole = await videos.webVideo();
    const mov = await videos.telephoneVideo();
    for (const data of [whole.subarray(0, 200), mov.subarray(0, mov.length >> 1)]) {
      const { status } = await upload(uploadForm(data));
      expect(status).to.equal(422);
    }
    const large = await upload(uploadForm(await videos.silentVideo('4096x2304', 1)));
    expect(large.status).to.equal(422);
    expect(large.body.error).to.contain('4096x2304 videos are not supported');
    const fast = await upload(uploadForm(await videos.silentVideo('64x64', 150)));
    expect(fast.status).to.equal(422);
    expect(fast.body.error).to.contain('150fps videos are not supported');
  });

  it('refuses more than 36,000 frames, counted in the file', async () => {
    const many = await upload(uploadForm(await videos.manyFrames(36_001)));
    expect(many.status).to.equal(422);
    expect(many.body.error).to.contain('16x16 videos of 36001 frames are not supported');
  });

  it('reports when the rest of a video turns out to be broken', async () => {
    const data = await videos.record('mp4', [
      ...[
        '-f',
        'lavfi',
        '-i',
        'testsrc=size=320x180:rate=25:duration=3',
        '-c:v',
        'libx264',
        '-pix_fmt',
        'yuv420p',
      ],
      ...['-movflags', '+faststart'],
    ]);
    const { status, body } = await upload(uploadForm(data.subarray(0, Math.floor(data.length * 0.6))));
    expect(status).to.equal(202);
    const answer = await processed(body.id);
    expect(answer.status).to.equal(422);
    expect(answer.body.error).to.equal('File type of uploaded media could not be verified');
    const removed = await server.call('DELETE', `/api/v1/media/${body.id}`, { token: alice.token });
    expect(removed.status).to.equal(200);
  });

  it('opens no other files and no network for a playlist or a script', async () => {
    for (const data of [
      '#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:10.0,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n',
      "ffconcat version 1.0\nfile '/etc/passwd'\n",
      '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"></MPD>',
    ]) {
      const { status } = await upload(uploadForm(data, {}, { name: 'x.mp4', type: 'video/mp4' }));
      expect(status).to.equal(422);
    }
  });
});

describe('A server without ffmpeg', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;

  before(async function () {
    if (!videos.HAS_FFMPEG) this.skip();
    server = await startTestServer({ FFMPEG_BINARY: '/nowhere/ffmpeg' });
    alice = await server.user('alice');
  });
  after(() => (server as TestServer | undefined)?.close());

  it('refuses videos and sounds, and accepts animated GIFs as images', async () => {
    const upload = (data: Buffer): Promise<Answer> =>
      server.call('POST', '/api/v2/media', { token: alice.token, body: uploadForm(data) });
    for (const data of [await videos.silentVideo(), await videos.tone('mp3')]) {
      const { status, body } = await upload(data);
      expect(status).to.equal(422);
      expect(body.error).to.contain('need ffmpeg');
    }
    const { status, body } = await upload(await videos.animatedGif());
    expect(status).to.equal(200);
    expect(body.type).to.equal('image');
    expect(body.url).to.match(/\.gif$/);
  });
});
