import { z } from 'zod';
import type { LibreTranslateConfig } from '#config/config.ts';
import type { HttpClient } from '#kernel/services/http-client.ts';
import type { Translator } from '#kernel/services/translator.ts';
import { ask, unavailable } from './exchange.ts';

const code = z.string().min(2).max(35);
const languagesSchema = z.array(z.object({ code, targets: z.array(code).max(1_000) })).max(1_000);
const translatedSchema = z.object({
  translatedText: z.array(z.string()),
  /** Present only when the source was to be detected: one for each text. */
  detectedLanguage: z.array(z.object({ language: code })).optional(),
});

/** https://docs.libretranslate.com/api/operations/translate/ */
export function libreTranslate(http: HttpClient, { endpoint, apiKey }: LibreTranslateConfig): Translator {
  return {
    provider: 'LibreTranslate',
    async languages() {
      const list = await ask(http, `${endpoint}/languages`, languagesSchema);
      const pairs = new Map<string, readonly string[]>(
        list.map(({ code, targets }) => [code, targets.filter((target) => target !== code)]),
      );
      return pairs.set('und', [...new Set(list.flatMap(({ targets }) => targets))]);
    },
    async translate(texts, source, target) {
      const { translatedText, detectedLanguage } = await ask(
        http,
        `${endpoint}/translate`,
        translatedSchema,
        {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({
            q: texts,
            source: source ?? 'auto',
            target,
            format: 'html',
            ...(apiKey === undefined ? {} : { api_key: apiKey }),
          }),
        },
      );
      const detected = source ?? detectedLanguage?.[0]?.language;
      if (translatedText.length !== texts.length || detected === undefined) {
        throw unavailable(new Error('LibreTranslate answered with too few texts'));
      }
      return { texts: translatedText, source: detected };
    },
  };
}
