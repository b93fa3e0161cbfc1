import { meetNamed } from '#commands/mentions/index.ts';
import { extractMentions, handleKey } from '#commands/text/extract.ts';
import { type AccountEvent, accountStream, type Profile } from '#events/accounts.ts';
import type { UserContext } from '#kernel/context.ts';
import type { UploadedFile } from '#kernel/endpoint.ts';
import { invalid, isRookeryError, RookeryError } from '#kernel/errors.ts';
import { onBehalfOf } from '#kernel/on-behalf.ts';
import { accountsOfHandles } from '#queries/statuses/index.ts';
import { account } from '../account.ts';
import {
  checkProfile,
  decidePictureRemoval,
  decideUpdate,
  type Pictures,
  type ProfileFacts,
} from './profile.ts';
import type { UpdateInput } from './profile-input.ts';
import { lookAgain } from './verify-links.ts';

type Files = Record<string, UploadedFile | undefined>;

/**
 * The files `avatar` and `header`. https://docs.joinmastodon.org/entities/Instance/: 8 MB each, as in
 * Mastodon. Slightly larger files are read as well, so that the error names the problem.
 */
export const PROFILE_FILES = {
  maxBytes: 16 * 1024 * 1024,
  maxCount: 2,
  fields: {
    avatar: { description: 'The picture of the account.' },
    header: { description: 'The wide picture above the profile.' },
  },
};

/** Changes the caller's profile and preferences. @throws RookeryError `invalid` with all problems */
export async function changeProfile(ctx: UserContext, input: UpdateInput, files: Files): Promise<void> {
  // Mastodon's Paperclip has no adapter for a text.
  if (input.avatar || input.header) throw new RookeryError('bad_request', 'Bad Request');
  const changes = checkProfile(input);
  const facts = await gather(ctx, input);
  const pictures = await storePictures(ctx, files);
  const { state, events } = await ctx.execute(accountStream(ctx.viewer.account_id), account, (before) =>
    decideUpdate(before, { ...changes, pictures }, facts),
  );
  // A user who saves unchanged links may have just linked back; the reactor checks changed links.
  if (changes.fields && !events.some(changesFields)) await lookAgain(ctx, state);
}

const changesFields = ({ type, data }: AccountEvent): boolean =>
  type === 'AccountUpdated' && data.fields !== undefined;

/** Removes the caller's avatar or header, if any. */
export async function removePicture(ctx: UserContext, kind: 'avatar' | 'header'): Promise<void> {
  await ctx.execute(accountStream(ctx.viewer.account_id), account, (state) =>
    decidePictureRemoval(state, kind),
  );
}

async function gather(
  ctx: UserContext,
  { note, fields_attributes: fields }: UpdateInput,
): Promise<ProfileFacts> {
  const texts = [note ?? '', ...(fields ?? []).map(({ value }) => value ?? '')];
  const handles = [...new Set(texts.flatMap((each) => extractMentions(each).map(handleKey)))];
  const known = await accountsOfHandles(ctx.db, ctx.instance, handles);
  const { mentioned } = await meetNamed(ctx, handles, { known, by: ctx.viewer.account_id, isPost: false });
  return { origin: ctx.instance.origin, mentions: mentioned };
}

async function storePictures(ctx: UserContext, files: Files): Promise<Pictures> {
  const pictures: Pictures = {};
  for (const kind of ['avatar', 'header'] as const) {
    const file = files[kind];
    if (file) pictures[kind] = await storePicture(ctx, file, kind);
  }
  return pictures;
}

/** The content names the file, so the same picture again is the same value. Older ones stay for an hour. */
async function storePicture(
  ctx: UserContext,
  file: UploadedFile,
  kind: 'avatar' | 'header',
): Promise<NonNullable<Profile['avatar']>> {
  const { images, media } = ctx.services;
  const owner = ctx.viewer.account_id;
  const processed = await images
    .processProfileImage(file.path, kind, onBehalfOf(ctx))
    .catch((error: unknown) => throwRefusal(error, file, kind));
  const original = await media.put(processed.original.data, { ...processed.original, owner });
  const still =
    processed.static === processed.original
      ? original
      : await media.put(processed.static.data, { ...processed.static, owner });
  return { original, static: still };
}

const PICTURE_NAME = /\.(?:jpe?g|png|gif|webp|avif|heic|heif)$/i;
const SPOOFED = 'has contents that are not what they are reported to be';

/** Rethrows a failure. Adds a second problem when the file name promises a picture and the bytes are none. */
function throwRefusal(error: unknown, { filename }: UploadedFile, kind: 'avatar' | 'header'): never {
  if (!isRookeryError(error) || !PICTURE_NAME.test(filename)) throw error;
  const { details = {} } = error.extras;
  if (!(`${kind}_content_type` in details)) throw error;
  const title = kind === 'avatar' ? 'Avatar' : 'Header';
  const spoofed = { error: 'ERR_SPOOFED_MEDIA_TYPE', description: SPOOFED };
  throw invalid(error.message.replace(': ', `: ${title} ${SPOOFED}, `), {
    ...details,
    [kind]: [spoofed, ...(details[kind] ?? [])],
  });
}
