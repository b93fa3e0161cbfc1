import { jsonExcess } from '#kernel/json-limits.ts';
import { fromJson } from '#kernel/parse-json.ts';
import type { HttpClient, HttpResponse } from '#kernel/services/http-client.ts';
import type { RemoteMediaCache } from '#kernel/services/remote-media.ts';
import { describe, type Described, type FoundCard, type OembedReply, oembedReply } from './describe.ts';
import { type PageHead, readPage } from './page.ts';

const MAX_PAGE = 1_048_576;
const MAX_OEMBED = 65_536;
const JSON_LIMITS = { values: 1_000, keys: 1_000, depth: 8 };

export interface CardSources {
  http: HttpClient;
  remoteMedia: Pick<RemoteMediaCache, 'prepare'>;
  signal: AbortSignal;
}

/**
 * Fetches the description of a page: Open Graph, Twitter, JSON-LD, and oEmbed. @returns undefined when there
 * is nothing to show, whatever the reason
 */
export async function fetchCard(url: string, sources: CardSources): Promise<FoundCard | undefined> {
  const page = await ask(url, 'text/html,application/xhtml+xml', sources, {
    maxBytes: MAX_PAGE,
    truncate: true,
    accepts: (type) => /^(?:text\/html|application\/xhtml\+xml)/i.test(type.trim()),
  });
  if (!page) return undefined;
  const head = readPage(decode(page));
  const oembed = await oembedOf(head, page.url, sources);
  const described = describe(page.url.slice(0, 2_048), head, oembed);
  if (!described) return undefined;
  return withPicture({ ...described, url: cardUrl(url, page.url) }, sources);
}

/** Returns the link as it was written, unless it redirected. */
const cardUrl = (asked: string, came: string): string => (came.length <= 2_048 ? came : asked);

async function oembedOf(
  head: PageHead,
  base: string,
  sources: CardSources,
): Promise<OembedReply | undefined> {
  const url = head.oembed && URL.parse(head.oembed, base)?.href;
  if (!url) return undefined;
  const response = await ask(url, 'application/json', sources, { maxBytes: MAX_OEMBED });
  if (!response || jsonExcess(response.body, JSON_LIMITS)) return undefined;
  try {
    return oembedReply.safeParse(fromJson(response.body.toString('utf8'))).data;
  } catch {
    return undefined;
  }
}

/** The picture stays on its server, and is shown like all remote pictures. */
async function withPicture(
  { imageUrl, ...card }: Described,
  { remoteMedia }: CardSources,
): Promise<FoundCard> {
  const found =
    imageUrl === undefined ? undefined : await remoteMedia.prepare({ kind: 'cards', url: imageUrl });
  if (imageUrl === undefined || !found) return { ...card, image: null, blurhash: null };
  const { width = 0, height = 0 } = found.meta.small ?? {};
  const size = card.type === 'video' ? {} : { width, height };
  return { ...card, ...size, image: imageUrl, blurhash: found.blurhash };
}

/** Returns a 2xx response, or undefined: other servers fail in every way, and no failure matters here. */
async function ask(
  url: string,
  accept: string,
  { http, signal }: CardSources,
  limits: { maxBytes: number; truncate?: boolean; accepts?: (type: string) => boolean },
): Promise<HttpResponse | undefined> {
  try {
    const response = await http.fetch(url, { headers: { Accept: accept }, signal, ...limits });
    return response.status >= 200 && response.status < 300 ? response : undefined;
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}

/** Decodes HTML by the charset that the header or the page names; otherwise by UTF-8. */
export function decode({ headers, body }: HttpResponse): string {
  const start = body.toString('latin1', 0, 1_024);
  const named =
    /charset=["']?([\w-]+)/i.exec(headers['content-type'] ?? '')?.[1] ??
    /<meta[^>]+charset=["']?([\w-]+)/i.exec(start)?.[1];
  try {
    return new TextDecoder(named ?? 'utf-8').decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}
