import { lazy } from '#kernel/lazy.ts';
import type { HttpClient } from '#kernel/services/http-client.ts';
import type { HttpClientOptions } from './http-client.ts';

/**
 * Returns the client for outbound requests, loaded with the first of them, so an idle server saves its
 * memory.
 */
export function lazyHttpClient(options: HttpClientOptions): HttpClient & { close(): Promise<void> } {
  return lazy(async () => (await import('./http-client.ts')).createHttpClient(options), ['fetch']);
}
