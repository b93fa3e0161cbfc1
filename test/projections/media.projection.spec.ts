import { expect } from 'chai';
import type { MediaEvent } from '#events/media.ts';
import { mediaAttachments } from '#projections/media.ts';
import type { Database } from '#storage/postgres/db.ts';
import { openScratchDatabase, project } from '../support/projection.ts';

const uploaded = (id: string, state: 'processing' | 'processed'): MediaEvent => ({
  type: 'MediaUploaded',
  data: {
    id,
    account_id: '1',
    created_at: '2026-11-20T08:00:00.000Z',
    state,
    type: 'video',
    file: null,
    source: null,
    preview: 'p',
    remote_url: null,
    meta: null,
    description: 'd',
    blurhash: 'b',
  },
});

describe('The read model of media', () => {
  let db: Database;
  before(async () => {
    db = await openScratchDatabase();
  });
  after(() => db.close());

  it('follows uploads that are processed, changed, attached, sealed and removed', async () => {
    const rows = await project(db, mediaAttachments, [
      uploaded('1', 'processing'),
      uploaded('2', 'processing'),
      uploaded('3', 'processed'),
      uploaded('4', 'processed'),
      { type: 'MediaUpdated', data: { id: '1', account_id: '1', description: null } },
      {
        type: 'MediaProcessed',
        data: { id: '1', type: 'gifv', file: 'f', preview: 'q', meta: { fps: 25 }, blurhash: 'c' },
      },
      { type: 'MediaProcessingFailed', data: { id: '2', error: 'no' } },
      { type: 'MediaUpdated', data: { id: '1', account_id: '1', preview: 'r', blurhash: 'e', meta: {} } },
      { type: 'MediaAttached', data: { id: '3', status_id: '9' } },
      { type: 'MediaAttached', data: { id: '1', status_id: '9' } },
      { type: 'MediaDetached', data: { id: '3', status_id: '9' } },
      {
        type: 'MediaSealed',
        data: {
          id: '3',
          account_id: '1',
          status_id: '9',
          strike_id: '7',
          file: 'g',
          preview: null,
          former: { file: 'f', preview: 'p' },
        },
      },
      { type: 'MediaDeleted', data: { id: '4', account_id: '1' } },
    ]);
    const base = {
      account_id: 1,
      created_at: '2026-11-20T08:00:00+00:00',
      type: 'video',
      file: null,
      preview: 'p',
      remote_url: null,
      meta: null,
      description: 'd',
      blurhash: 'b',
      error: null,
      status_id: null,
      unattached_since: '2026-11-20T08:00:00+00:00',
      sealed_by: null,
    };
    const found = rows['media_attachments'] ?? [];
    expect([...found].sort((a, b) => Number(a['id']) - Number(b['id']))).to.deep.equal([
      {
        ...base,
        id: 1,
        state: 'processed',
        type: 'gifv',
        file: 'f',
        preview: 'r',
        blurhash: 'e',
        meta: '{}',
        description: null,
        status_id: 9,
        unattached_since: null,
      },
      { ...base, id: 2, state: 'failed', error: 'no' },
      {
        ...base,
        id: 3,
        state: 'processed',
        unattached_since: '2026-11-21T08:00:00+00:00',
        file: 'g',
        preview: null,
        sealed_by: 7,
      },
    ]);
  });
});
