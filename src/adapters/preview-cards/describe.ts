import { z } from 'zod';
import type { PreviewCardData } from '#events/preview-card.ts';
import { jsonExcess } from '#kernel/json-limits.ts';
import { readMoment } from '#kernel/moments.ts';
import { languageCode } from '#mastodon/language.ts';
import { frameFor } from './frames.ts';
import type { PageHead } from './page.ts';

/** The used part of https://oembed.com/#section2.3. Wrong members count as absent. */
const size = z.coerce.number().int().min(0).max(10_000).optional().catch(undefined);
const word = z.string().max(10_000).optional().catch(undefined);
export const oembedReply = z.object({
  type: z.enum(['photo', 'video', 'link', 'rich']),
  title: word,
  author_name: word,
  author_url: word,
  provider_name: word,
  provider_url: word,
  url: word,
  html: word,
  thumbnail_url: word,
  width: size,
  height: size,
});
export type OembedReply = z.infer<typeof oembedReply>;

/** A card before its picture is fetched. */
export type Described = Omit<FoundCard, 'image' | 'blurhash'> & { imageUrl: string | undefined };

/** A card, with the handle that the page names as its author's, without the leading @. Nothing proves it. */
export type FoundCard = PreviewCardData & { creator?: string };

const MAX_TEXT = 1_000;

/** Combines a page and its oEmbed reply, all as plain text; undefined when both say nothing. Pure. */
export function describe(
  url: string,
  page: PageHead | undefined,
  oembed: OembedReply | undefined,
): Described | undefined {
  const meta = (...names: string[]): string => first(names.map((name) => page?.meta.get(name)));
  const article = articleOf(page?.jsonLd ?? []);
  const title = first([oembed?.title, article.title, meta('og:title', 'twitter:title'), page?.title]);
  const photo = oembed?.type === 'photo' ? addressOf(oembed.url, url) : '';
  const shown = first([
    meta('og:image', 'og:image:url', 'twitter:image'),
    article.image,
    oembed?.thumbnail_url,
  ]);
  const imageUrl = photo === '' ? addressOf(shown, url) : photo;
  if (title === '' && imageUrl === '') return undefined;
  const by = creditsOf(oembed, article, meta);
  return {
    url,
    ...playerOf(oembed, photo),
    title,
    description: first([article.description, meta('og:description', 'twitter:description', 'description')]),
    language: languageCode(page?.language),
    author_name: by.author,
    author_url: addressOf(by.authorUrl, url),
    provider_name: by.provider,
    provider_url: addressOf(oembed?.provider_url, url),
    image_description: meta('og:image:alt', 'twitter:image:alt'),
    published_at: momentOf(article.published ?? page?.meta.get('article:published_time')),
    ...creatorOf(page),
    imageUrl: imageUrl === '' ? undefined : imageUrl,
  };
}

const creditsOf = (
  oembed: OembedReply | undefined,
  article: Article,
  meta: (...names: string[]) => string,
): { author: string; authorUrl: string; provider: string } => ({
  author: first([oembed?.author_name, article.author, meta('author')]),
  authorUrl: first([oembed?.author_url, article.authorUrl]),
  provider: first([oembed?.provider_name, article.publisher, meta('og:site_name')]),
});

/** A name and a host: https://docs.joinmastodon.org/entities/PreviewCardAuthor/ */
const HANDLE = /^@?([\w.-]{1,256}@[^\s@/?#\\:]{1,253}(?::\d{1,5})?)$/;

function creatorOf(page: PageHead | undefined): { creator?: string } {
  const [, creator] = HANDLE.exec(page?.meta.get('fediverse:creator')?.trim() ?? '') ?? [];
  return creator === undefined ? {} : { creator };
}

type Player = Pick<Described, 'type' | 'html' | 'width' | 'height' | 'embed_url'>;

/** Returns the part that can be shown in place: a player in a frame, a photo, or nothing. */
function playerOf(oembed: OembedReply | undefined, photo: string): Player {
  const frame = oembed?.type === 'video' || oembed?.type === 'rich' ? frameFor(oembed) : undefined;
  if (frame) return { type: 'video', ...frame, embed_url: '' };
  const measures = { width: oembed?.width ?? 0, height: oembed?.height ?? 0 };
  return { type: photo === '' ? 'link' : 'photo', html: '', ...measures, embed_url: photo };
}

/** Returns the first non-empty text. */
const first = (texts: readonly (string | undefined)[]): string =>
  texts.map(plain).find((text) => text !== '') ?? '';

/** Returns one line without control characters, of bounded length. Markup stays text. */
function plain(text: string | undefined): string {
  const line = (text ?? '').replace(/[\u0000-\u0020\u007f-\u00a0\u2028-\u202e\u2066-\u2069]+/g, ' ').trim();
  return [...line.slice(0, 2 * MAX_TEXT)]
    .slice(0, MAX_TEXT - 1)
    .join('')
    .slice(0, MAX_TEXT)
    .toWellFormed();
}

function addressOf(text: string | undefined, base: string): string {
  if (!text) return '';
  const url = URL.parse(text, base);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.href.length > 2_048) return '';
  return url.href;
}

function momentOf(text: string | undefined): string | null {
  const at = readMoment(text ?? '')?.at;
  return at !== undefined && at >= '1970' ? at : null;
}

interface Article {
  title?: string;
  description?: string;
  image?: string;
  author?: string;
  authorUrl?: string;
  publisher?: string;
  published?: string;
}

const ARTICLES = /^(?:NewsArticle|Article|BlogPosting|ReportageNewsArticle|LiveBlogPosting|WebPage)$/;

/** Returns the first article in the JSON-LD of a page: https://schema.org/NewsArticle */
function articleOf(texts: readonly string[]): Article {
  for (const text of texts) {
    for (const thing of thingsIn(text)) {
      const types = [thing['@type']].flat();
      if (!types.some((type) => typeof type === 'string' && ARTICLES.test(type))) continue;
      const author = objectOf(thing['author']);
      return withoutUndefined({
        title: stringOf(thing['headline']),
        description: stringOf(thing['description']),
        image: stringOf(thing['image']) ?? stringOf(objectOf(thing['image'])['url']),
        author: stringOf(author['name']),
        authorUrl: stringOf(author['url']),
        publisher: stringOf(objectOf(thing['publisher'])['name']),
        published: stringOf(thing['datePublished']),
      });
    }
  }
  return {};
}

type Thing = Record<string, unknown>;

/** A page may list each of its articles, with each author and picture. */
const JSON_LIMITS = { values: 10_000, keys: 10_000, depth: 32 };

function thingsIn(text: string): Thing[] {
  if (jsonExcess(Buffer.from(text), JSON_LIMITS)) return [];
  try {
    const found = [JSON.parse(text) as unknown].flat().map(objectOf);
    return found.flatMap((thing) => [thing, ...[thing['@graph'] ?? []].flat().map(objectOf)]).slice(0, 100);
  } catch {
    return [];
  }
}

/** An object, or the first of a list of them. */
function objectOf(value: unknown): Thing {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  return typeof one === 'object' && one !== null ? (one as Thing) : {};
}

const stringOf = (value: unknown): string | undefined => {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  return typeof one === 'string' ? one : undefined;
};

const withoutUndefined = (article: { [Key in keyof Article]: string | undefined }): Article =>
  Object.fromEntries(Object.entries(article).filter(([, value]) => value !== undefined));
