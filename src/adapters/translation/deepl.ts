import { z } from 'zod';
import type { DeepLConfig } from '#config/config.ts';
import type { HttpClient } from '#kernel/services/http-client.ts';
import type { Translator } from '#kernel/services/translator.ts';
import { ask, unavailable } from './exchange.ts';

/** The maximum number of texts of one request. */
const MAX_TEXTS = 50;

const code = z.string().min(2).max(35);
const languagesSchema = z.array(z.object({ language: code })).max(1_000);
const translatedSchema = z.object({
  translations: z.array(z.object({ detected_source_language: code, text: z.string() })).max(MAX_TEXTS),
});
type Translation = z.infer<typeof translatedSchema>['translations'][number];

/** https://developers.deepl.com/docs/api-reference/translate */
export function deepL(http: HttpClient, { endpoint, apiKey }: DeepLConfig): Translator {
  const headers = { Authorization: `DeepL-Auth-Key ${apiKey}` };

  const languagesOf = async (type: 'source' | 'target'): Promise<string[]> => {
    const list = await ask(http, `${endpoint}/v2/languages?type=${type}`, languagesSchema, { headers });
    return list.map(({ language }) => ours(language));
  };

  const translateSome = async (
    texts: readonly string[],
    source: string | null,
    target: string,
  ): Promise<Translation[]> => {
    const form = new URLSearchParams({ target_lang: target.toUpperCase(), tag_handling: 'html' });
    if (source !== null) form.set('source_lang', source.toUpperCase());
    for (const text of texts) form.append('text', text);
    const { translations } = await ask(http, `${endpoint}/v2/translate`, translatedSchema, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    });
    if (translations.length !== texts.length)
      throw unavailable(new Error('DeepL answered with too few texts'));
    return translations;
  };

  return {
    provider: 'DeepL.com',
    async languages() {
      const [sources, targets] = await Promise.all([languagesOf('source'), languagesOf('target')]);
      // English and Portuguese are targets by their region only; without one, DeepL chooses.
      const all = [...new Set([...targets, ...['en', 'pt'].filter((base) => hasRegionOf(targets, base))])];
      const pairs = new Map<string, readonly string[]>(
        sources.map((source) => [source, all.filter((target) => target !== source)]),
      );
      return pairs.set('und', all);
    },
    async translate(texts, source, target) {
      const translations: Translation[] = [];
      for (let start = 0; start < texts.length; start += MAX_TEXTS) {
        translations.push(...(await translateSome(texts.slice(start, start + MAX_TEXTS), source, target)));
      }
      const detected = source ?? translations[0]?.detected_source_language;
      if (detected === undefined) throw unavailable(new Error('DeepL named no language'));
      return { texts: translations.map(({ text }) => text), source: ours(detected) };
    },
  };
}

const hasRegionOf = (targets: readonly string[], base: string): boolean =>
  targets.some((target) => target.startsWith(`${base}-`));

/** DeepL writes `EN-GB`, clients `en-GB`. */
const ours = (language: string): string => {
  const [base = '', ...rest] = language.split('-');
  return [base.toLowerCase(), ...rest].join('-');
};
