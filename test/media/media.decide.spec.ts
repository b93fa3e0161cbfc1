import { expect } from 'chai';
import { decideAttach, decideDetach } from '#commands/media/claim.ts';
import { decideDelete, decideRemoveUnattached } from '#commands/media/delete.ts';
import { media } from '#commands/media/media.ts';
import { decideProcessed } from '#commands/media/process.ts';
import { decideUpdate } from '#commands/media/update.ts';
import type { MediaEvent } from '#events/media.ts';
import { mediaAttachmentJson } from '#events/media-attachment.ts';
import type { RenderedMedia } from '#kernel/services/media.ts';
import { given } from '../support/given.ts';

const small = { width: 320, height: 180, size: '320x180', aspect: 16 / 9 };
const uploaded = (state: 'processing' | 'processed'): MediaEvent => ({
  type: 'MediaUploaded',
  data: {
    id: '10',
    account_id: '1',
    created_at: '2026-11-21T08:00:00.000Z',
    state,
    type: 'video',
    file: state === 'processed' ? 'a.mp4' : null,
    source: state === 'processed' ? null : 'a.bin',
    preview: 'p.jpg',
    remote_url: null,
    meta: { small, focus: { x: 0, y: 1 } },
    description: 'one',
    blurhash: 'L',
  },
});
const attached: MediaEvent = { type: 'MediaAttached', data: { id: '10', status_id: '99' } };
const claim = { accountId: '1', statusId: '99' };

describe('The decisions about media', () => {
  it('keep preview, focus and small size of a file that is rendered', () => {
    const rendered: RenderedMedia = {
      type: 'video',
      file: 'b.mp4',
      preview: null,
      blurhash: null,
      meta: { original: { width: 640 }, length: '0:00:01.00' },
    };
    given(media, uploaded('processing'))
      .when(decideProcessed, rendered)
      .then([
        {
          type: 'MediaProcessed',
          data: {
            id: '10',
            type: 'video',
            file: 'b.mp4',
            preview: 'p.jpg',
            blurhash: 'L',
            meta: { original: { width: 640 }, length: '0:00:01.00', small, focus: { x: 0, y: 1 } },
          },
        },
      ]);
    const deleted: MediaEvent = { type: 'MediaDeleted', data: { id: '10', account_id: '1' } };
    for (const state of [
      given(media).state,
      given(media, uploaded('processed')).state,
      given(media, uploaded('processing'), deleted).state,
    ]) {
      expect(decideProcessed(state, rendered)).to.deep.equal([]);
    }
  });

  it('attach a processed upload once, for its owner', () => {
    expect(decideAttach('10', given(media, uploaded('processed')).state, claim)).to.deep.equal([attached]);
    expect(decideAttach('10', given(media, uploaded('processed'), attached).state, claim)).to.deep.equal([]);
    expect(() => decideAttach('10', given(media, uploaded('processing')).state, claim)).to.throw(
      'not finished',
    );
    for (const state of [given(media).state, given(media, uploaded('processed')).state]) {
      expect(() => decideAttach('10', state, { ...claim, accountId: '2' })).to.throw('Media 10 not found');
    }
    const elsewhere = { ...claim, statusId: '98' };
    expect(() => decideAttach('10', given(media, uploaded('processed'), attached).state, elsewhere)).to.throw(
      'already attached',
    );
  });

  it('detach an upload only from the status that has it', () => {
    const state = given(media, uploaded('processed'), attached);
    expect(decideDetach('10', state.state, '98')).to.deep.equal([]);
    expect(decideDetach('10', given(media).state, '99')).to.deep.equal([]);
    expect(decideDetach('10', state.state, '99')).to.deep.equal([
      { type: 'MediaDetached', data: { id: '10', status_id: '99' } },
    ]);
  });

  it('delete an upload for its owner or as unused, but never while a status uses it', () => {
    const gone = [{ type: 'MediaDeleted', data: { id: '10', account_id: '1' } }];
    given(media, uploaded('processing')).when(decideDelete, '1').then(gone);
    given(media, uploaded('processed'))
      .when(decideDelete, '2')
      .thenRefuses('not_found', /Record not found/);
    given(media, uploaded('processed'), attached)
      .when(decideDelete, '1')
      .thenRefuses('invalid', /used by a status/);
    given(media, uploaded('processed')).when(decideRemoveUnattached).then(gone);
    given(media, uploaded('processed'), attached).when(decideRemoveUnattached).then([]);
  });

  it('record only changed attributes', () => {
    const own = { accountId: '1', statusId: null };
    const state = given(media, uploaded('processed'));
    state.when(decideUpdate, own, { description: 'one', focus: { x: 0, y: 1 } }).then([]);
    state
      .when(decideUpdate, own, { description: null, focus: null })
      .then([
        { type: 'MediaUpdated', data: { id: '10', account_id: '1', description: null, meta: { small } } },
      ]);
    state.when(decideUpdate, { ...own, accountId: '2' }, {}).thenRefuses('not_found', /Record not found/);
  });
});

describe('An attachment as JSON', () => {
  it('has addresses of this server, and the origin of a remote file', () => {
    const data = {
      ...({ id: '10', type: 'image', remote_url: 'https://else.example/a.png', meta: null } as const),
      file: 'https://else.example/a.png',
      preview: 'ab/cd/p.png',
      description: '"\u0001',
      blurhash: null,
    };
    expect(mediaAttachmentJson(data)).to.equal(
      '{"id":"10","type":"image","url":"\u0002/media_proxy/attachments/GlGvjOu2ntf5vyf6eytDHH9Z/original",' +
        '"preview_url":"\u0001/ab/cd/p.png","remote_url":"https://else.example/a.png","preview_remote_url":null,"text_url":null,' +
        '"meta":null,"description":"\\"\\u0001","blurhash":null}',
    );
  });
});
