import type { JobDefinition } from '#adapters/jobs/handler.ts';
import { filesRemovedWith } from '#commands/statuses/index.ts';
import { AccountCreated, AccountUpdated } from '#events/accounts.ts';
import { DomainBlockChanged, DomainBlocked } from '#events/admin-domain-blocks.ts';
import { StatusCreated, StatusDeleted, StatusEdited } from '#events/statuses.ts';
import { reactor } from '#kernel/reactor.ts';
import { isRemotePlace } from '#mastodon/remote-media.ts';
import { filesShownBy } from '#queries/federation/index.ts';

const FETCH = 'remote-media-fetch';
const TIDY = 'remote-media-tidy';

/** Fetches the media of remote posts and profiles, unless the setting waits for the first view. */
export const arrivingMedia = reactor({
  name: 'arriving-media',
  on: [AccountCreated, AccountUpdated, StatusCreated, StatusEdited],
  ignores: ({ type, data }, { remoteMedia }) => {
    if (!remoteMedia.fetchesOnArrival) return true;
    if (type === 'StatusCreated' || type === 'StatusEdited') return data.local;
    return ![data.avatar?.original, data.header?.original].some(isRemotePlace) && !data.emojis?.length;
  },
  react: async (ctx, { data: { id } }) => {
    await ctx.services.jobs.enqueue(FETCH, { subject_id: id }, { singletonKey: id });
  },
});

export const fetchArrivingMedia: JobDefinition = {
  name: FETCH,
  running: 2,
  outside: 64,
  work: async (ctx, { subject_id: subjectId }, { signal }) => {
    if (typeof subjectId !== 'string') return;
    for (const { kept, ...file } of await filesShownBy(ctx.db, subjectId)) {
      signal.throwIfAborted();
      if (!kept) await ctx.services.remoteMedia.prepare(file);
    }
  },
};

/** Removes the files of a deleted remote post. */
export const removedRemoteMedia = reactor({
  name: 'removed-remote-media',
  on: [StatusDeleted],
  react: async (ctx, { data: { id } }) => {
    const files = await filesRemovedWith(ctx, id);
    if (files.length > 0) await ctx.services.remoteMedia.forget(files);
  },
});

/** Removes the files of a domain that staff blocks. */
export const blockedMedia = reactor({
  name: 'blocked-remote-media',
  on: [DomainBlocked, DomainBlockChanged],
  ignores: ({ data: { severity, reject_media } }) => severity !== 'suspend' && reject_media !== true,
  react: (ctx, { data: { domain } }) => ctx.services.jobs.enqueue(TIDY, {}, { singletonKey: domain }),
});

export const tidyRemoteMedia: JobDefinition = {
  name: TIDY,
  work: async (ctx) => {
    await ctx.services.remoteMedia.tidy();
  },
};
