import { type StatusEvent, statusStream } from '#events/statuses.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Decider } from '#kernel/decider.ts';
import type { Id } from '#kernel/ids.ts';
import type { KnownFile } from '#kernel/services/remote-media.ts';
import { isRemotePlace } from '#mastodon/remote-media.ts';

/** All remote files that a post ever had attached, by address. */
interface PostFiles {
  deleted: boolean;
  files: ReadonlyMap<string, KnownFile>;
}

const postFiles: Decider<PostFiles, StatusEvent> = {
  initialState: { deleted: false, files: new Map() },
  evolve(state, event) {
    if (event.type === 'StatusDeleted') return { ...state, deleted: true };
    if (event.type !== 'StatusCreated' && event.type !== 'StatusEdited') return state;
    const found = event.data.media.flatMap(({ file, preview }): KnownFile[] => [
      ...(isRemotePlace(file) ? [{ kind: 'attachments' as const, url: file }] : []),
      ...(isRemotePlace(preview) && preview !== file ? [{ kind: 'previews' as const, url: preview }] : []),
    ]);
    return { ...state, files: new Map([...state.files, ...found.map((file) => [file.url, file] as const)]) };
  },
};

/** Returns the remote files of a deleted post; none for an existing post. */
export async function filesRemovedWith(ctx: CommandContext, statusId: Id): Promise<KnownFile[]> {
  const { deleted, files } = await ctx.load(statusStream(statusId), postFiles);
  return deleted ? [...files.values()] : [];
}
