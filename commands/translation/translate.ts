import { z } from 'zod';
import type { RequestContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { forbidden, RookeryError } from '#kernel/errors.ts';
import { parseJson } from '#kernel/json-pieces.ts';
import type { Translator } from '#kernel/services/translator.ts';
import { languageCode } from '#mastodon/language.ts';
import { type Status, type Translation, translationSchema } from '#mastodon/schemas/index.ts';
import { ofShownStatus, statusText } from '#queries/statuses/index.ts';
import { localeOf } from '#queries/translation/index.ts';
import { languagePair } from './languages.ts';

/** The language for a reader who states none. */
const DEFAULT_LANGUAGE = 'en';

/** https://docs.joinmastodon.org/methods/statuses/#translate. Changes nothing. */
export const translateStatus = endpoint({
  method: 'POST',
  path: '/api/v1/statuses/:id/translate',
  summary: 'Translate a status',
  auth: 'app',
  scopes: ['read:statuses'],
  ...ofShownStatus,
  body: z.object({
    lang: z
      .string()
      .max(35)
      .nullish()
      .describe('The code of the language to translate into; the language of the user where it is absent.'),
  }),
  reply: translationSchema,
  handler: async (ctx, { params, body }) => {
    const { translator } = ctx.services;
    // As in Mastodon: clients see in the settings of the instance whether there is any.
    if (!translator) throw new RookeryError('not_found', 'Translation is not set up on this server');
    const shown = parseJson(await statusText(ctx, params.id)) as Status;
    const status = shown.reblog ?? shown;
    // Only public posts are sent to a third party.
    if (status.visibility !== 'public' && status.visibility !== 'unlisted') throw forbidden();
    return { json: await translate(translator, status, await targetOf(ctx, body.lang)) };
  },
});

/** @throws RookeryError `forbidden` for a pair of languages that the translator cannot do, `unavailable` when it fails */
async function translate(translator: Translator, status: Status, target: string): Promise<Translation> {
  const pair = languagePair(await translator.languages(), status.language, target);
  if (!pair) throw forbidden();
  // With the sanitizer, which an idle server does without.
  const { textsOf, withTexts } = await import('./texts.ts');
  const texts = textsOf(status);
  const nothing = { texts: [], source: pair.source ?? pair.target };
  const translated =
    texts.length === 0 ? nothing : await translator.translate(texts, pair.source, pair.target);
  return {
    ...withTexts(status, translated.texts),
    language: pair.target,
    detected_source_language: translated.source,
    provider: translator.provider,
  };
}

/** The language that is asked for, or else the reader's own. @throws RookeryError `forbidden` for none that there is */
async function targetOf(ctx: RequestContext, lang: string | null | undefined): Promise<string> {
  if (lang) {
    const code = languageCode(lang);
    if (code === null) throw forbidden();
    return code;
  }
  const locale = ctx.viewer && (await localeOf(ctx.db, ctx.viewer.account_id));
  return languageCode(locale) ?? DEFAULT_LANGUAGE;
}
