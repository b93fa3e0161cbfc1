import type { MediaEvent } from '#events/media.ts';
import type { MediaAttachmentData } from '#events/media-attachment.ts';
import type { Decider } from '#kernel/decider.ts';
import { notFound } from '#kernel/errors.ts';

export interface ExistingMedia {
  state: 'processing' | 'processed' | 'failed';
  accountId: string;
  attachment: MediaAttachmentData;
  /** The key of the original upload until it is processed. */
  source: string | null;
  /** The reason why it cannot be shown. */
  error: string | null;
  /** The strike that it is evidence for; its owner can no longer use it. */
  sealedBy: string | null;
  /** Its status. */
  statusId: string | null;
}

/** The state for decisions about one upload. */
export type Media = { state: 'none' } | { state: 'deleted' } | ExistingMedia;

const FREE = { statusId: null, sealedBy: null };

export const media: Decider<Media, MediaEvent> = {
  initialState: { state: 'none' },
  evolve(state, event) {
    if (event.type === 'MediaUploaded') {
      const { account_id: accountId, created_at: _, state: processing, source, ...attachment } = event.data;
      return { state: processing, accountId, attachment, source, error: null, ...FREE };
    }
    return state.state === 'none' || state.state === 'deleted' ? state : evolveExisting(state, event);
  },
};

/** Returns the upload, if it belongs to this account. @throws RookeryError `not_found` */
export function requireOwn(state: Media, accountId: string): ExistingMedia {
  if (state.state === 'none' || state.state === 'deleted' || state.accountId !== accountId) throw notFound();
  if (state.sealedBy !== null) throw notFound();
  return state;
}

function evolveExisting(state: ExistingMedia, event: Exclude<MediaEvent, { type: 'MediaUploaded' }>): Media {
  const { attachment } = state;
  switch (event.type) {
    case 'MediaProcessed':
      return { ...state, state: 'processed', attachment: { ...attachment, ...event.data }, source: null };
    case 'MediaProcessingFailed':
      return { ...state, state: 'failed', source: null, error: event.data.error };
    case 'MediaUpdated': {
      const { description, preview, blurhash, meta } = event.data;
      return {
        ...state,
        attachment: {
          ...attachment,
          ...(description === undefined ? {} : { description }),
          ...(preview === undefined ? {} : { preview }),
          ...(blurhash === undefined ? {} : { blurhash }),
          ...(meta === undefined ? {} : { meta }),
        },
      };
    }
    case 'MediaAttached':
      return { ...state, statusId: event.data.status_id };
    case 'MediaDetached':
      return { ...state, statusId: null };
    case 'MediaSealed': {
      const { file, preview, strike_id: sealedBy } = event.data;
      return { ...state, attachment: { ...attachment, file, preview }, sealedBy };
    }
    case 'MediaDeleted':
      return { state: 'deleted' };
  }
}
