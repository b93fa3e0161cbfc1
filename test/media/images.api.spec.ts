import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import sharp from 'sharp';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { picture, uploadForm } from '../support/uploads.ts';

describe('Uploading an image', () => {
  let server: TestServer;
  let alice: TestUser;
  let bob: TestUser;

  before(async function () {
    this.timeout(60_000);
    server = await startTestServer();
    alice = await server.user('alice');
    bob = await server.user('bob');
  });
  after(() => server.close());

  const upload = (form: FormData, path = '/api/v2/media', token = alice.token): Promise<Answer> =>
    server.call('POST', path, { token, body: form });
  const show = (id: string, token = alice.token): Promise<Answer> =>
    server.call('GET', `/api/v1/media/${id}`, { token });
  /** Fetches a file from an address of this server. */
  const file = async (url: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${server.url}${new URL(url).pathname}`, { headers });
  const bytes = async (url: string): Promise<Buffer> => Buffer.from(await (await file(url)).arrayBuffer());

  it('replies at once with the complete attachment', async () => {
    const form = uploadForm(await picture(1600, 1200), { description: ' A sunset ', focus: '-0.5,0.25' });
    const { status, body } = await upload(form);
    expect(status).to.equal(200);
    expect(body).to.include({ type: 'image', description: 'A sunset', remote_url: null });
    expect(body.meta).to.deep.equal({
      original: { width: 1600, height: 1200, size: '1600x1200', aspect: 4 / 3 },
      small: { width: 554, height: 416, size: '554x416', aspect: 554 / 416 },
      focus: { x: -0.5, y: 0.25 },
    });
    expect(body.blurhash).to.match(/^[0-9A-Za-z#$%*+,.:;=?@[\]^_{|}~-]{36}$/);
    expect(await sharp(await bytes(body.url)).metadata()).to.include({ format: 'jpeg', width: 1600 });
    expect(await sharp(await bytes(body.preview_url)).metadata()).to.include({ format: 'jpeg', width: 554 });
    const shown = await show(body.id);
    expect(shown.status).to.equal(200);
    expect(shown.body).to.deep.equal(body);
  });

  it('does the same at the deprecated address', async () => {
    const { status, body } = await upload(uploadForm(await picture(64, 48, 'png')), '/api/v1/media');
    expect(status).to.equal(200);
    expect(body).to.include({ type: 'image', description: null });
    expect(body.url).to.match(/\.png$/);
  });

  for (const [format, extension] of [
    ['png', 'png'],
    ['webp', 'webp'],
    ['gif', 'gif'],
    ['avif', 'jpg'],
  ] as const) {
    it(`accepts ${format}, whatever its name and type claim`, async () => {
      const form = uploadForm(await picture(320, 200, format), {}, { name: 'x.html', type: 'text/html' });
      const { status, body } = await upload(form);
      expect(status).to.equal(200);
      expect(body.url.endsWith(`.${extension}`)).to.equal(true);
      expect(body.meta.original).to.include({ width: 320, height: 200 });
    });
  }

  it('scales down pictures above 8.3 megapixels', async () => {
    const { body } = await upload(uploadForm(await picture(4000, 3000)));
    const { width, height } = body.meta.original as { width: number; height: number };
    expect(width * height).to.be.within(8_200_000, 8_400_000);
    expect(width / height).to.be.closeTo(4 / 3, 0.001);
    expect(await sharp(await bytes(body.url)).metadata()).to.include({ width, height });
  });

  it('rotates the picture and removes its location', async () => {
    const data = await sharp(await picture(300, 100))
      .withExif({ IFD0: { Copyright: 'me' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect((await sharp(data).metadata()).exif?.length).to.be.greaterThan(0);
    const { body } = await upload(uploadForm(data));
    expect(body.meta.original).to.include({ width: 100, height: 300 });
    for (const url of [body.url, body.preview_url] as string[]) {
      const metadata = await sharp(await bytes(url)).metadata();
      expect(metadata).to.include({ width: 100, height: 300 });
      expect(metadata.exif).to.equal(undefined);
      expect(metadata.orientation).to.equal(undefined);
    }
    // Orientation 6: the left edge becomes the top.
    const [red = 255] = await sharp(await bytes(body.url))
      .extract({ left: 50, top: 2, width: 1, height: 1 })
      .raw()
      .toBuffer();
    expect(red).to.be.lessThan(40);
  });

  it('keeps no data behind the end of a picture', async () => {
    const script = '<script>alert(1)</script>';
    const data = Buffer.concat([await picture(200, 100), Buffer.from(script)]);
    const { status, body } = await upload(uploadForm(data));
    expect(status).to.equal(200);
    expect((await bytes(body.url)).includes(script)).to.equal(false);
  });

  it('serves files that no browser runs, cached forever, in ranges', async () => {
    const { body } = await upload(uploadForm(await picture(200, 100)));
    const response = await file(body.url, { Range: 'bytes=0-9' });
    expect(response.status).to.equal(206);
    expect((await response.arrayBuffer()).byteLength).to.equal(10);
    expect(response.headers.get('content-type')).to.equal('image/jpeg');
    expect(response.headers.get('x-content-type-options')).to.equal('nosniff');
    expect(response.headers.get('cache-control')).to.contain('immutable');
    expect(response.headers.get('content-security-policy')).to.contain('sandbox');
  });

  it('accepts a thumbnail in place of the generated one', async () => {
    const thumbnail = await sharp({ create: { width: 100, height: 100, channels: 3, background: '#cc0000' } })
      .png()
      .toBuffer();
    const { body } = await upload(uploadForm(await picture(800, 600), {}, { thumbnail }));
    expect(body.meta.original).to.include({ width: 800 });
    expect(body.meta.small).to.include({ width: 100, height: 100 });
    expect(body.meta.colors).to.deep.equal({
      background: '#cc0000',
      foreground: '#ffffff',
      accent: '#ffffff',
    });
    expect(await sharp(await bytes(body.preview_url)).metadata()).to.include({ format: 'png', width: 100 });
  });

  describe('that breaks a rule', () => {
    const refused = async (form: FormData, text: string): Promise<void> => {
      const head = await server.app.log.head();
      for (const path of ['/api/v1/media', '/api/v2/media']) {
        const { status, body } = await upload(form, path);
        expect(status, JSON.stringify(body)).to.equal(422);
        expect(body.error).to.contain(text);
      }
      expect(await server.app.log.head(), 'nothing is written').to.equal(head);
    };

    it('is refused without a file', async () => {
      const form = new FormData();
      form.set('description', 'nothing');
      await refused(form, "File can't be blank");
    });

    it('is refused when the file is no picture, whatever its type claims', async () => {
      const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
      for (const data of ['', 'hello', svg, `<!doctype html>${svg}`, '%PDF-1.7 x', 'MZ\u0000\u0000']) {
        await refused(uploadForm(data, {}, { name: 'me.png', type: 'image/png' }), 'Validation failed: File');
      }
    });

    it('is refused when the file is a page that begins like a picture', async () => {
      for (const head of [
        'GIF89a/*',
        'GIF89a',
        '\xff\xd8\xff\xe0',
        '\x89PNG\r\n\x1a\n',
        'RIFF\x10\x00\x00\x00WEBPVP8 ',
      ]) {
        const data = Buffer.from(`${head}<html><script>alert(1)</script>${'x'.repeat(500)}</html>`, 'latin1');
        const { status } = await upload(uploadForm(data, {}, { name: 'x.gif', type: 'image/gif' }));
        expect(status, head).to.equal(422);
      }
    });

    it('is refused when the picture is cut off', async () => {
      for (const format of ['jpeg', 'png', 'webp', 'avif'] as const) {
        const whole = await sharp({
          create: {
            width: 300,
            height: 300,
            channels: 3,
            background: 'red',
            noise: { type: 'gaussian', mean: 128, sigma: 60 },
          },
        })
          .toFormat(format)
          .toBuffer();
        for (const length of [14, 60, whole.length >> 1]) {
          const { status } = await upload(uploadForm(whole.subarray(0, length)));
          expect(status, `${format} ${length}`).to.equal(422);
        }
      }
    });

    it('is refused when the picture claims to be enormous, without decoding it', async () => {
      const bomb = await sharp({ create: { width: 8000, height: 5000, channels: 3, background: 'red' } })
        .png()
        .toBuffer();
      expect(bomb.length).to.be.lessThan(1_000_000);
      await refused(uploadForm(bomb), '8000x5000 images are not supported');
      const gif = await picture(1300, 720, 'gif');
      await refused(uploadForm(gif), '1300x720 GIF files are not supported');
    });

    it('is refused when the image has more than 16 MB', async () => {
      const data = Buffer.concat([await picture(10, 10), Buffer.alloc(16 * 1024 * 1024)]);
      await refused(uploadForm(data), 'file size must be less than 16 MB');
    });

    it('is refused with a too long description', async () => {
      const data = await picture(20, 20);
      await refused(uploadForm(data, { description: 'x'.repeat(10_001) }), 'maximum is 10000');
      expect(
        (await upload(uploadForm(data, { description: '😀'.repeat(10_000), focus: '' }))).status,
      ).to.equal(200);
    });

    it('is refused with an invalid thumbnail, without keeping the upload', async () => {
      const stored = async (): Promise<string[]> => {
        const names = await readdir(join(server.app.config.dataDir, 'media'), { recursive: true });
        return names.filter((name) => name.endsWith('.jpg'));
      };
      const before = await stored();
      const thumbnail = Buffer.from('no picture');
      await refused(uploadForm(await picture(33, 21), {}, { thumbnail }), 'invalid');
      expect(await stored()).to.have.members(before);
    });

    it('is refused without a token or the scope', async () => {
      const form = uploadForm(await picture(20, 20));
      expect((await server.call('POST', '/api/v2/media', { body: form })).status).to.equal(401);
      const reader = await server.tokenFor(alice.id, ['read']);
      expect((await upload(form, '/api/v2/media', reader)).status).to.equal(403);
    });
  });

  it('stores a file once for repeated requests with one Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'once' };
    const data = await picture(60, 40);
    const send = (): Promise<Answer> =>
      server.call('POST', '/api/v2/media', { token: alice.token, body: uploadForm(data), headers });
    const [first, second] = [await send(), await send()];
    expect(second.body).to.deep.equal(first.body);
  });

  describe('and afterwards', () => {
    const change = (id: string, body: unknown, token = alice.token): Promise<Answer> =>
      server.call('PUT', `/api/v1/media/${id}`, { token, body });
    const remove = (id: string, token = alice.token): Promise<Answer> =>
      server.call('DELETE', `/api/v1/media/${id}`, { token });

    it('keeps the picture, and its focal point, when the new one has another form', async () => {
      for (const focus of ['2,0', '0', 'a,b', '0,5,0,3', '1e400,0', 'NaN,0']) {
        const { status, body } = await upload(uploadForm(await picture(20, 20), { focus }));
        expect([status, body.meta.focus], focus).to.deep.equal([200, undefined]);
      }
      const form = uploadForm(await picture(20, 20), { focus: '0.5,-0.5' });
      const { id } = (await upload(form)).body;
      expect((await change(id, { focus: '0,5;0,3' })).body.meta.focus).to.deep.equal({ x: 0.5, y: -0.5 });
    });

    it('changes description, focus and thumbnail', async () => {
      const { body: before } = await upload(uploadForm(await picture(640, 480), { description: 'one' }));
      const { status, body } = await change(before.id, { description: 'two', focus: '0.1,0.2' });
      expect(status).to.equal(200);
      expect(body).to.deep.equal({
        ...before,
        description: 'two',
        meta: { ...before.meta, focus: { x: 0.1, y: 0.2 } },
      });
      expect((await show(before.id)).body).to.deep.equal(body);
      const form = new FormData();
      form.set('thumbnail', new Blob([new Uint8Array(await picture(90, 90, 'png'))]), 'x.png');
      const { body: replaced } = await change(before.id, form);
      expect(replaced).to.include({ description: 'two', url: before.url });
      expect(replaced.preview_url).not.to.equal(before.preview_url);
      expect((await file(before.preview_url)).status, 'the old preview').to.equal(404);
      expect((await show(before.id)).body).to.deep.equal(replaced);
      const head = await server.app.log.head();
      expect((await change(before.id, { description: 'two' })).body).to.deep.equal(replaced);
      expect(await server.app.log.head(), 'nothing new').to.equal(head);
      expect((await change(before.id, { description: '' })).body.description).to.equal(null);
    });

    it('is private to its owner', async () => {
      const { body } = await upload(uploadForm(await picture(64, 48)));
      for (const id of [body.id as string, '1', 'x']) {
        for (const answer of [
          await show(id, bob.token),
          await change(id, { description: 'mine' }, bob.token),
          await remove(id, bob.token),
        ]) {
          expect(answer.status).to.equal(404);
          expect(answer.body.error).to.equal('Record not found');
        }
      }
      expect((await show(body.id)).body.description).to.equal(null);
    });

    it('deletes the upload with its files', async () => {
      const { body } = await upload(uploadForm(await picture(72, 48)));
      const { body: twin } = await upload(uploadForm(await picture(72, 48)));
      const answer = await remove(body.id);
      expect(answer.status).to.equal(200);
      expect(answer.body).to.deep.equal({});
      expect((await show(body.id)).status).to.equal(404);
      expect((await remove(body.id)).status).to.equal(404);
      expect((await file(body.url)).status).to.equal(404);
      expect((await file(body.preview_url)).status).to.equal(404);
      expect((await file(twin.url)).status, 'the same picture, uploaded again').to.equal(200);
    });
  });
});
