import type { Files, PageOf, SignedInRequest, WebRequest } from '#interfaces/web/page/page.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { MEDIA_LIMITS } from '#mastodon/media-limits.ts';
import type { MediaAttachment } from '#mastodon/schemas/index.ts';
import type { Draft, TypedTexts } from './draft.ts';
import { focusPoint, samePoint } from './focus.ts';
import { type Problem, refusedBy } from './problems.ts';

/** One file more than a post may have, so that the page can say so instead of dropping it silently. */
export const FILE_LIMITS: NonNullable<PageOf<SignedInRequest>['files']> = {
  maxBytes: MEDIA_LIMITS.videoBytes,
  maxCount: MEDIA_LIMITS.perStatus + 1,
  lenient: true,
};

/** The files of a draft. A stranger gets no more than their ids. */
export type Attached = ReadonlyMap<string, MediaAttachment | undefined>;

/** A draft after some work on its files, and what went wrong. */
interface Worked {
  draft: Draft;
  attached: Attached;
  problems: readonly Problem[];
}

/** Uploads the chosen files and adds them to the draft; a refused one leaves the others and the draft as they are. */
export async function withUploads(
  request: SignedInRequest,
  draft: Draft,
  files: Files,
): Promise<{ draft: Draft; problems: readonly Problem[]; uploaded: Attached }> {
  const chosen = Object.values(files).filter((file) => file !== undefined);
  const uploaded = new Map<string, MediaAttachment>();
  const problems: Problem[] = [];
  const room = MEDIA_LIMITS.perStatus - draft.media.length;
  for (const file of chosen.slice(0, Math.max(0, room))) {
    try {
      const { entity } = await request.api('POST v2/media', { files: { file } });
      uploaded.set(entity.id, entity);
    } catch (error) {
      problems.push(...refusedBy(error, 'media', file.filename.slice(0, 200)).problems);
    }
  }
  if (chosen.length > room) problems.push(TOO_MANY);
  return { draft: { ...draft, media: [...draft.media, ...uploaded.keys()] }, problems, uploaded };
}

const TOO_MANY: Problem = {
  place: 'media',
  text: `A post can have at most ${MEDIA_LIMITS.perStatus} files.`,
};

/**
 * Reads the files of a draft, except those that are `known`. Files that are gone, or of another user, leave
 * the draft.
 */
export async function attachedTo(
  request: WebRequest,
  draft: Draft,
  known: Attached = new Map(),
): Promise<Worked> {
  if (!request.user)
    return { draft, attached: new Map(draft.media.map((id) => [id, undefined])), problems: [] };
  const problems: Problem[] = [];
  const read = draft.media.map(async (id) => {
    const here = known.get(id);
    if (here) return [id, here] as const;
    try {
      const { entity } = await request.api('GET v1/media/:id', { params: { id } });
      return [id, entity] as const;
    } catch (error) {
      problems.push(lost(error));
      return undefined;
    }
  });
  const attached = new Map((await Promise.all(read)).filter((each) => each !== undefined));
  return { draft: { ...draft, media: [...attached.keys()] }, attached, problems };
}

function lost(error: unknown): Problem {
  const [problem] = refusedBy(error, 'media').problems;
  const reason = problem?.text ?? '';
  const text = /not found/i.test(reason) ? 'it is no longer there' : reason;
  return { place: 'media', text: `A file was left out: ${text}. Please add it again.` };
}

/** Returns the changes to the texts of an attachment; undefined when nothing changed. */
export function changedTexts(
  { description, meta }: MediaAttachment,
  { description: typed, focus }: TypedTexts = {},
): TypedTexts | undefined {
  const chosen = focus === undefined ? undefined : focusPoint(focus);
  const changes = {
    ...(typed === undefined || typed.trim() === (description ?? '') ? {} : { description: typed }),
    ...(chosen === undefined || samePoint(chosen, meta?.focus) ? {} : { focus }),
  };
  return Object.keys(changes).length === 0 ? undefined : changes;
}

/** Stores the typed descriptions and focal points of uploads that no post has yet. */
export async function saveTexts(
  request: SignedInRequest,
  { media, texts }: Draft,
  attached: Attached,
): Promise<readonly Problem[]> {
  const saving = media.map(async (id) => {
    const attachment = attached.get(id);
    const changes = attachment && changedTexts(attachment, texts[id]);
    if (!changes) return [];
    try {
      await request.api('PUT v1/media/:id', { params: { id }, body: { ...changes } });
      return [];
    } catch (error) {
      // The first of two clicks has attached it: posting again finds that post.
      if (isRookeryError(error) && error.code === 'not_found') return [];
      return refusedBy(error, 'media').problems;
    }
  });
  return (await Promise.all(saving)).flat();
}
