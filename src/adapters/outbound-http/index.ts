import type { HttpClient } from '../../kernel/services/http-client.ts';
import type { HttpClientOptions, OpenHttpClient } from './http-client.ts';

/**
 * Returns the client for outbound requests, loaded with the first of them, so an idle server saves its
 * memory.
 */
export function lazyHttpClient(options: HttpClientOptions): HttpClient & { close(): Promise<void> } {
  let client: Promise<OpenHttpClient> | undefined;
  const open = (): Promise<OpenHttpClient> =>
    (client ??= import('./http-client.ts').then(({ createHttpClient }) => createHttpClient(options)));
  return {
    fetch: async (url, request) => (await open()).fetch(url, request),
    close: async () => (await client)?.close(),
  };
}
