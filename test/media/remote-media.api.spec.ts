import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import sharp from 'sharp';
import { cacheFolderOf } from '#adapters/media/cache/files.ts';
import { deleteRemoteStatus } from '#commands/federation/index.ts';
import { remoteMediaDigest, type RemoteMediaKind } from '#mastodon/remote-media.ts';
import type { MediaAttachment, Status } from '#mastodon/schemas/index.ts';
import { rookeryBeside } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { blockDomain, HERE } from '../support/inbox.ts';
import { ask } from '../support/peer.ts';
import { moving, still } from '../support/pictures.ts';
import { shownAt } from '../support/remote-media.ts';
import { MediaTown } from './media-town.ts';

const [photo] = await Promise.all([
  sharp({ create: { width: 1_200, height: 900, channels: 3, background: 'teal' } })
    .withExif({ IFD0: { Copyright: 'Secret garden' } })
    .jpeg()
    .toBuffer(),
]);

describe('Remote files', function () {
  this.timeout(60_000);
  const town = new MediaTown();
  before(() => town.start());
  after(() => town.close());

  it('have local addresses in a post, and the original one in remote_url', async () => {
    const url = town.file('/named.jpg', photo, 'image/jpeg');
    const icon = town.file('/icon.png', await still('red', { width: 90, height: 60 }));
    const emoji = town.file('/emoji.png', await still('gold'));
    const status = await town.post(
      [town.attachment(url), town.attachment(`${url}?video`, { type: 'video', preview: icon })],
      { emojis: [{ shortcode: 'rook', url: emoji }] },
    );
    const below = (...of: [RemoteMediaKind, string, string]): string => shownAt(HERE, ...of);
    const [picture, video] = status.media_attachments;
    expect(picture).to.deep.include({
      url: below('attachments', url, 'original'),
      preview_url: below('attachments', url, 'small'),
      remote_url: url,
    });
    expect(video).to.deep.include({
      url: below('attachments', `${url}?video`, 'original'),
      preview_url: below('previews', icon, 'original'),
      remote_url: `${url}?video`,
    });
    expect(status.emojis).to.deep.equal([
      {
        shortcode: 'rook',
        url: below('emojis', emoji, 'original'),
        static_url: below('emojis', emoji, 'static'),
        visible_in_picker: true,
      },
    ]);
    const preview = await town.fetch(video?.preview_url);
    expect((await sharp(preview.data).metadata()).width).equal(90);
  });

  it('are fetched at the first view, re-encoded, and cached', async () => {
    const url = town.file('/kept.jpg', photo, 'image/jpeg');
    const { media_attachments: media } = await town.post([town.attachment(url)]);
    expect(town.asked('/kept.jpg')).equal(0);
    const whole = await town.fetch(media[0]?.url);
    expect([whole.status, whole.headers.get('content-type')]).deep.equal([200, 'image/jpeg']);
    expect(whole.headers.get('content-security-policy')).to.include('sandbox');
    const { width, height, exif } = await sharp(whole.data).metadata();
    expect({ width, height, exif }).deep.equal({ width: 1_200, height: 900, exif: undefined });
    const small = await town.fetch(media[0]?.preview_url);
    expect(await sharp(small.data).metadata()).to.deep.include({ width: 554, height: 416 });
    await town.fetch(media[0]?.url);
    await town.fetch(media[0]?.preview_url);
    expect(town.asked('/kept.jpg'), 'once for each rendering').equal(2);
  });

  it('get a blurhash and size when their server omits them, also after a rebuild', async () => {
    const url = town.file('/plain.jpg', photo, 'image/jpeg');
    const { id, media_attachments: before } = await town.post([town.attachment(url)]);
    expect(before[0]?.blurhash).equal(null);
    await town.fetch(before[0]?.preview_url);
    const { media_attachments: media } = await town.show(id);
    const [found] = media as [MediaAttachment];
    expect(found.blurhash).to.match(/^.{20,}$/);
    expect(found.meta?.original).to.deep.include({ width: 1_200, height: 900, size: '1200x900' });
    expect(found.meta?.small).to.deep.include({ width: 554, height: 416 });
    expect({ ...found, blurhash: null, meta: null }).deep.equal(before[0]);
  });

  it('keep the blurhash of their server', async () => {
    const blurhash = 'LEHV6nWB2yk8pyo0adR*.7kCMdnj';
    const url = town.file('/described.jpg', photo, 'image/jpeg');
    const meta = { original: { width: 1_200, height: 900 } };
    const { id, media_attachments: media } = await town.post([town.attachment(url, { blurhash, meta })]);
    const head = await town.server.app.log.head();
    await town.fetch(media[0]?.preview_url);
    await town.server.waitUntilIdle();
    expect(await town.server.app.log.head()).equal(head);
    expect((await town.show(id)).media_attachments[0]?.blurhash).equal(blurhash);
  });

  it('are shown in profiles, with a static version of an animated picture', async () => {
    const avatar = town.file('/avatar.gif', await moving('gif'), 'image/gif');
    const header = town.file('/header.png', await still('navy', { width: 300, height: 100 }));
    const shown = await town.profile({
      avatar: { original: avatar, static: avatar },
      header: { original: header, static: header },
    });
    const moves = await town.fetch(shown['avatar']);
    const stands = await town.fetch(shown['avatar_static']);
    expect((await sharp(moves.data).metadata()).pages).equal(2);
    expect(await sharp(stands.data).metadata()).to.deep.include({ format: 'png', width: 400, height: 400 });
    await town.fetch(shown['header']);
    await town.fetch(shown['header_static']);
    expect(town.asked('/header.png'), 'one file serves for both').equal(1);
  });

  it('are fetched once for concurrent requests', async () => {
    const url = town.far.peer.put('/shared.jpg', (_req, res) => {
      setTimeout(() => res.set('Content-Type', 'image/jpeg').send(photo), 50);
    });
    const { media_attachments: media } = await town.post([town.attachment(url)]);
    const all = await Promise.all(Array.from({ length: 8 }, () => town.fetch(media[0]?.url)));
    expect(all.map(({ status }) => status)).deep.equal(Array(8).fill(200));
    expect(town.asked('/shared.jpg')).equal(1);
  });

  it('are served in ranges, and not again to clients that have them', async () => {
    const url = town.file('/ranges.jpg', photo, 'image/jpeg');
    const { media_attachments: media } = await town.post([town.attachment(url)]);
    const whole = await town.fetch(media[0]?.url);
    const part = await town.fetch(media[0]?.url, { Range: 'bytes=10-19' });
    expect([part.status, part.headers.get('content-range')]).deep.equal([
      206,
      `bytes 10-19/${whole.data.length}`,
    ]);
    expect(part.data.equals(whole.data.subarray(10, 20))).equal(true);
    // `fetch` would add a header that bypasses caches.
    const again = await ask(town.server.url, new URL(media[0]?.url ?? '').pathname, {
      Host: new URL(HERE).host,
      'If-Modified-Since': whole.headers.get('last-modified') ?? '',
    });
    expect([again.status, again.body]).deep.equal([304, '']);
  });

  it('are not fetched for an address that no post and no profile contains', async () => {
    town.file('/secret.png', await still('black'));
    for (const digest of [
      remoteMediaDigest(`${town.far.peer.origin}/secret.png`),
      'A'.repeat(24),
      'x',
      '..%2F..',
    ]) {
      const { status } = await fetch(`${town.server.url}/media_proxy/attachments/${digest}/original`);
      expect(status, digest).equal(404);
    }
    const url = town.file('/known.png', await still('black'));
    await town.post([town.attachment(url)]);
    for (const path of [
      `emojis/${remoteMediaDigest(url)}/original`,
      `attachments/${remoteMediaDigest(url)}/huge`,
    ]) {
      expect((await fetch(`${town.server.url}/media_proxy/${path}`)).status, path).equal(404);
    }
    expect([town.asked('/secret.png'), town.asked('/known.png')]).deep.equal([0, 0]);
  });

  it('are refused when they are no pictures, and not fetched again', async () => {
    const page = town.file('/page.png', Buffer.from('<script>alert(1)</script>'), 'text/html');
    const script = town.file('/script.png', Buffer.from('<svg onload="alert(1)">'), 'image/png');
    for (const url of [page, script, `${town.far.peer.origin}/missing.png`]) {
      const { media_attachments: media } = await town.post([town.attachment(url)]);
      expect((await town.fetch(media[0]?.url)).status, url).equal(404);
      expect((await town.fetch(media[0]?.url)).status, url).equal(404);
      expect(town.asked(new URL(url).pathname), url).equal(1);
    }
  });

  it('are fetched later when their server fails', async () => {
    const url = town.far.peer.put('/failing.png', (_req, res) => void res.status(503).end());
    const { media_attachments: media } = await town.post([town.attachment(url)]);
    const { status, headers } = await town.fetch(media[0]?.url);
    expect([status, Number(headers.get('retry-after')) > 0]).deep.equal([503, true]);
  });
});

describe('Removed remote files', function () {
  this.timeout(60_000);
  const town = new MediaTown();
  before(() => town.start());
  after(() => town.close());

  it('are deleted with their post', async () => {
    const url = town.file('/deleted.jpg', photo, 'image/jpeg');
    const { id, media_attachments: media } = await town.post([town.attachment(url)]);
    expect((await town.fetch(media[0]?.url)).status).equal(200);
    expect(await town.onDisk()).greaterThan(0);
    const ctx = town.server.app.systemContext('spec');
    await deleteRemoteStatus(ctx, { id, accountId: town.author.id });
    await town.server.waitUntilIdle();
    expect((await town.fetch(media[0]?.url)).status).equal(404);
    expect(await town.onDisk()).equal(0);
  });

  it('are counted by kind on the command line', async () => {
    const url = town.file('/counted.jpg', photo, 'image/jpeg');
    const { media_attachments: media } = await town.post([town.attachment(url)]);
    const { data } = await town.fetch(media[0]?.url);
    const { stdout, stderr } = await rookeryBeside(town.server.app, 'media', 'usage');
    expect(stderr).equal('');
    expect(stdout).to.match(new RegExp(`^attachments +1 +${data.length} `, 'm'));
    expect(stdout).to.match(new RegExp(`^all +1 +${data.length} `, 'm'));
    expect(stdout).to.include('At most 5.0 GB are kept');
  });

  it('are fetched again when they are missing on the disk', async () => {
    const url = town.file('/lost.jpg', photo, 'image/jpeg');
    const { media_attachments: media } = await town.post([town.attachment(url)]);
    await town.fetch(media[0]?.url);
    const [row] = await town.server.app.db.query<{ key: string }>(
      `select key from durable.media_cache where digest = '${remoteMediaDigest(url)}'`,
    );
    await rm(join(cacheFolderOf(town.server.app.config.dataDir), row?.key ?? ''));
    expect((await town.fetch(media[0]?.url)).status).equal(200);
    expect(town.asked('/lost.jpg')).equal(2);
  });

  it('are neither fetched nor served when their domain is blocked', async () => {
    const kept = town.file('/kept.jpg', photo, 'image/jpeg');
    const late = town.file('/late.jpg', photo, 'image/jpeg');
    const first = (await town.post([town.attachment(kept)])).media_attachments[0]?.url;
    const second = (await town.post([town.attachment(late)])).media_attachments[0]?.url;
    await town.fetch(first);
    await blockDomain(town.server, { domain: 'far.example', severity: 'noop', reject_media: true });
    const { id, media_attachments: media } = await town.post([
      town.attachment(`${late}?2`, { description: 'A rook', meta: { original: { width: 2, height: 1 } } }),
    ]);
    const shown = { type: 'unknown', remote_url: `${late}?2`, description: 'A rook', meta: null };
    expect(media[0]).to.deep.include(shown);
    const { body: versions } = await town.server.call('GET', `/api/v1/statuses/${id}/history`);
    expect((versions as Status[])[0]?.media_attachments[0]).to.deep.include(shown);
    expect((await town.fetch(media[0]?.url)).status).equal(404);
    expect([(await town.fetch(first)).status, (await town.fetch(second)).status]).deep.equal([404, 404]);
    expect(town.asked('/late.jpg')).equal(0);
  });

  it('are not fetched from a blocked host for accounts of other domains', async () => {
    const other = await town.far.account('elsewhere');
    await town.server.app.db.query(
      `update readmodels.accounts set domain = 'wide.example', media_rejected = false where id = ${other.id}`,
    );
    await blockDomain(town.server, { domain: '127.0.0.1', severity: 'suspend' });
    const url = town.file('/hosted.jpg', photo, 'image/jpeg');
    const media = [town.attachment(url)];
    const { id } = await town.far.post(other, 'hosted', { media });
    const shown = (await town.show(id)).media_attachments[0]?.url;
    expect((await town.fetch(shown)).status).equal(404);
    expect(town.asked('/hosted.jpg')).equal(0);
    await town.server.app.db.query(
      `update readmodels.accounts set domain = 'far.example', media_rejected = true where id = ${other.id}`,
    );
  });
});

describe('Remote files without a cache', function () {
  this.timeout(60_000);
  const town = new MediaTown();
  before(() => town.start({ MEDIA_CACHE_SIZE: '0' }));
  after(() => town.close());

  it('are checked and passed on at each view, and stored nowhere', async () => {
    const url = town.file('/passing.jpg', photo, 'image/jpeg');
    const { media_attachments: media } = await town.post([town.attachment(url)]);
    for (let view = 1; view <= 2; view += 1) {
      const { status, data, headers } = await town.fetch(media[0]?.url);
      expect([status, headers.get('cache-control')]).deep.equal([200, 'no-store']);
      expect((await sharp(data).metadata()).exif).equal(undefined);
      expect(town.asked('/passing.jpg')).equal(view);
    }
    const part = await town.fetch(media[0]?.url, { Range: 'bytes=0-9' });
    expect([part.status, part.data.length]).deep.equal([206, 10]);
    expect(await town.onDisk()).equal(0);
    expect((await town.server.app.contextDependencies.services.remoteMedia.usage()).bytes).equal(0);
  });
});

describe('Remote files that are fetched on arrival', function () {
  this.timeout(60_000);
  const town = new MediaTown();
  before(() => town.start({ MEDIA_CACHE_FETCH: 'arrival' }));
  after(() => town.close());

  it('are stored before the first view, in every variant', async () => {
    const url = town.file('/early.jpg', photo, 'image/jpeg');
    const { media_attachments: media } = await town.post([town.attachment(url)]);
    await eventually(async () => {
      const [row] = await town.server.app.db.query<{ kept: string }>(
        `select count(*) as kept from durable.media_cache where state = 'kept'`,
      );
      expect(row?.kept).equal('2');
    });
    expect(town.asked('/early.jpg')).equal(1);
    await town.fetch(media[0]?.url);
    await town.fetch(media[0]?.preview_url);
    expect(town.asked('/early.jpg')).equal(1);
  });
});
