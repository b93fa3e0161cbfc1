import { credentialsText } from '../../queries/accounts/index.ts';
import { credentialAccountSchema } from '../../queries/entities/schemas/index.ts';
import { mentionedAccounts } from '../../queries/statuses/index.ts';
import { accountStream, type Profile } from '../../src/events/accounts.ts';
import type { UserContext } from '../../src/kernel/context.ts';
import { endpoint, type UploadedFile } from '../../src/kernel/endpoint.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { extractMentions, handleKey } from '../text/extract.ts';
import { account } from './account.ts';
import { updateBody, type UpdateInput } from './profile-input.ts';
import { checkProfile, decideUpdate, type Pictures, type ProfileFacts } from './profile.ts';

/** https://docs.joinmastodon.org/entities/Instance/: 8 MB, as Mastodon. */
const MAX_PICTURE_BYTES = 8 * 1024 * 1024;

/** https://docs.joinmastodon.org/methods/accounts/#update_credentials */
export const updateCredentials = endpoint({
  method: 'PATCH',
  path: '/api/v1/accounts/update_credentials',
  summary: 'Change profile and preferences',
  auth: 'user',
  scopes: ['write:accounts'],
  body: updateBody,
  files: { maxBytes: MAX_PICTURE_BYTES, maxCount: 2 },
  reply: credentialAccountSchema,
  handler: async (ctx, { body, files }) => {
    const accountId = ctx.viewer.account_id;
    const changes = checkProfile(body);
    const facts = await gather(ctx, body);
    const pictures = await storePictures(ctx, files);
    await ctx.execute(accountStream(accountId), account, (state) =>
      decideUpdate(state, { ...changes, pictures }, facts),
    );
    await ctx.settle([MAIN]);
    return { text: await credentialsText(ctx.db, ctx.instance, accountId) };
  },
});

async function gather(
  ctx: UserContext,
  { note, fields_attributes: fields }: UpdateInput,
): Promise<ProfileFacts> {
  const texts = [note ?? '', ...(fields ?? []).map(({ value }) => value ?? '')];
  const handles = new Set(texts.flatMap((each) => extractMentions(each).map(handleKey)));
  return {
    origin: ctx.instance.origin,
    mentions: await mentionedAccounts(ctx.db, ctx.instance, [...handles]),
  };
}

async function storePictures(
  ctx: UserContext,
  files: Record<string, UploadedFile | undefined>,
): Promise<Pictures> {
  const pictures: Pictures = {};
  for (const kind of ['avatar', 'header'] as const) {
    const file = files[kind];
    if (file) pictures[kind] = await storePicture(ctx, file, kind);
  }
  return pictures;
}

/** Named by their content, so the same picture again is the same value. Older pictures stay: others may use them too. */
async function storePicture(
  { services: { images, media } }: UserContext,
  file: UploadedFile,
  kind: 'avatar' | 'header',
): Promise<NonNullable<Profile['avatar']>> {
  const processed = await images.processProfileImage(file.path, kind);
  const original = await media.put(processed.original.data, processed.original);
  const still =
    processed.static === processed.original
      ? original
      : await media.put(processed.static.data, processed.static);
  return { original, static: still };
}
