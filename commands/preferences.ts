import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { formBoolean, wordText } from '#kernel/input.ts';
import { preferencesSchema } from '#mastodon/schemas/index.ts';
import { preferencesOf } from '#queries/preferences.ts';
import { changePreferences, EXPANDED_MEDIA, PRIVACIES, QUOTE_POLICIES } from './accounts/index.ts';

/** The names in `GET` that differ from the internal ones. */
const NAMES = {
  privacy: 'posting:default:visibility',
  sensitive: 'posting:default:sensitive',
  language: 'posting:default:language',
  quote_policy: 'posting:default:quote_policy',
  expand_media: 'reading:expand:media',
  expand_spoilers: 'reading:expand:spoilers',
  aggregate_reblogs: 'reading:aggregate:reblogs',
  autoplay_gifs: 'reading:autoplay:gifs',
} as const;

/**
 * An addition: Mastodon changes the `posting:` preferences through `update_credentials`, and the `reading:`
 * ones only on its website. Takes the members that `GET` returns; absent ones stay.
 */
export const updatePreferences = endpoint({
  method: 'PATCH',
  path: '/api/v1/preferences',
  summary: 'Change your preferences',
  auth: 'user',
  scopes: ['write:accounts'],
  body: z.object({
    [NAMES.privacy]: wordText(PRIVACIES, 40)
      .nullish()
      .describe('The default visibility of new statuses: `public`, `unlisted` or `private`.'),
    [NAMES.sensitive]: formBoolean
      .optional()
      .describe('Whether media of new statuses are marked as sensitive by default.'),
    [NAMES.language]: z
      .string()
      .max(40)
      .nullish()
      .describe('The code of the default language of new statuses; an empty text removes it.'),
    [NAMES.quote_policy]: wordText(QUOTE_POLICIES, 40)
      .nullish()
      .describe('The default for who may quote new statuses: `public`, `followers` or `nobody`.'),
    [NAMES.expand_media]: wordText(EXPANDED_MEDIA, 40)
      .nullish()
      .describe(
        'Which media apps show at once: `default` those that are not sensitive, `show_all` or `hide_all`.',
      ),
    [NAMES.expand_spoilers]: formBoolean
      .optional()
      .describe('Whether apps show the text behind a content warning at once.'),
    [NAMES.aggregate_reblogs]: formBoolean
      .optional()
      .describe('Whether the home timeline leaves out a reblog of what is near its top already.'),
    [NAMES.autoplay_gifs]: formBoolean
      .optional()
      .describe('Whether apps play animated pictures by themselves.'),
  }),
  reply: preferencesSchema,
  handler: async (ctx, { body }) => {
    await changePreferences(
      ctx,
      {
        privacy: body[NAMES.privacy],
        sensitive: body[NAMES.sensitive],
        language: body[NAMES.language],
        quote_policy: body[NAMES.quote_policy],
        expand_media: body[NAMES.expand_media],
        expand_spoilers: body[NAMES.expand_spoilers],
        aggregate_reblogs: body[NAMES.aggregate_reblogs],
        autoplay_gifs: body[NAMES.autoplay_gifs],
      },
      (name) => NAMES[name],
    );
    return { json: await preferencesOf(ctx.db, ctx.viewer.account_id) };
  },
});

export const preferenceCommands = [updatePreferences];
