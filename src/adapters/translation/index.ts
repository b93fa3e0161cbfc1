import type { TranslationConfig } from '#config/config.ts';
import type { HttpClient } from '#kernel/services/http-client.ts';
import type { Translator } from '#kernel/services/translator.ts';
import { lazyHttpClient } from '../outbound-http/index.ts';
import { cached } from './cached.ts';
import { deepL } from './deepl.ts';
import { libreTranslate } from './libre-translate.ts';

/** Opens the translator of the settings. The operator chose its host, so it may be in a private network. */
export function openTranslator(
  config: TranslationConfig,
  userAgent: string,
): Translator & { close(): Promise<void> } {
  const http = lazyHttpClient({ allowedPrivateAddresses: [], userAgent, permits: () => true });
  return { ...cached(providerFor(config, http)), close: () => http.close() };
}

function providerFor(config: TranslationConfig, http: HttpClient): Translator {
  return config.provider === 'deepl' ? deepL(http, config) : libreTranslate(http, config);
}
