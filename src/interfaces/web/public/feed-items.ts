import { extname } from 'node:path';
import type { RequestContext } from '#kernel/context.ts';
import { escapeHtml } from '#mastodon/html.ts';
import { FILE_TYPES } from '#mastodon/media-limits.ts';
import type { MediaAttachment, Status } from '#mastodon/schemas/index.ts';
// Under another name, because Prettier would format it as HTML.
import { type Html, html as xml, type Part, trusted } from '../design/html.ts';
import { pageOfStatus } from '../entities/addresses.ts';

/** Bytes by the address of a file; a file whose size is unknown is absent. */
type Sizes = ReadonlyMap<string, number>;

/** Returns the items of a feed with the sizes of the files that this server stores. */
export async function feedItems(ctx: RequestContext, posts: readonly Status[]): Promise<Html[]> {
  const sizes = await sizesOf(ctx, posts);
  return posts.map((status) => item(status, sizes));
}

async function sizesOf({ services, instance }: RequestContext, posts: readonly Status[]): Promise<Sizes> {
  const below = `${instance.mediaOrigin}/`;
  const urls = posts
    .flatMap(({ media_attachments }) => media_attachments.map(({ url }) => url))
    .filter((url) => url !== null)
    .filter((url) => url.startsWith(below));
  const found = await Promise.all(
    urls.map(
      async (url) =>
        [url, await services.media.size(url.slice(below.length)).catch(() => undefined)] as const,
    ),
  );
  return new Map(found.flatMap(([url, size]) => (size === undefined ? [] : [[url, size]])));
}

/** RFC 822, section 5, with the year of RFC 1123. */
export const rfc822 = (time: string): string => new Date(time).toUTCString();

const item = (status: Status, sizes: Sizes): Html => {
  const page = pageOfStatus(status);
  const { media_attachments: media } = status;
  return xml`<item>
<guid isPermaLink="${page === undefined ? 'false' : 'true'}">${page ?? status.uri}</guid>
${
  page !== undefined &&
  xml`<link>${page}</link>
`
}<pubDate>${rfc822(status.created_at)}</pubDate>
<description>${contentOf(status)}</description>
${enclosureOf(
  media.find(({ type, url }) => type === 'audio' && url !== null),
  sizes,
)}${media.map((attachment) =>
    mediumOf(attachment, { isSensitive: status.sensitive, sizes }),
  )}${status.tags.map(
    ({ name }) => xml`<category>${name}</category>
`,
  )}</item>
`;
};

/** HTML that is escaped as a whole: feed readers show it. */
function contentOf({ spoiler_text, content, poll }: Status): string {
  const warning =
    spoiler_text === '' ? '' : `<p><strong>Content warning:</strong> ${escapeHtml(spoiler_text)}</p><hr />`;
  const choices = poll?.options.map(({ title }) => `<li>${escapeHtml(title)}</li>`).join('') ?? '';
  return `${warning}${content}${choices === '' ? '' : `<ul>${choices}</ul>`}`;
}

const typeOf = (url: string): string | undefined =>
  FILE_TYPES[extname(URL.parse(url)?.pathname ?? '').toLowerCase()];

/** Podcast players read this element, whose attributes are all required; 0 is an unknown length. */
const enclosureOf = (sound: MediaAttachment | undefined, sizes: Sizes): Part =>
  sound?.url != null &&
  xml`<enclosure url="${sound.url}" length="${sizes.get(sound.url) ?? 0}" type="${typeOf(sound.url) ?? 'audio/mpeg'}"/>
`;

/** https://www.rssboard.org/media-rss */
function mediumOf(
  { url, preview_url, type, description }: MediaAttachment,
  { isSensitive, sizes }: { isSensitive: boolean; sizes: Sizes },
): Part {
  if (url === null || type === 'unknown') return undefined;
  const [mime, size] = [typeOf(url), sizes.get(url)];
  const medium = type === 'gifv' ? 'image' : type;
  return xml`<media:content url="${url}" medium="${medium}"${mime !== undefined && trusted(` type="${mime}"`)}${size !== undefined && trusted(` fileSize="${size}"`)}>
<media:rating scheme="urn:simple">${isSensitive ? 'adult' : 'nonadult'}</media:rating>
${
  description !== null &&
  xml`<media:description type="plain">${description}</media:description>
`
}${
    preview_url !== null &&
    xml`<media:thumbnail url="${preview_url}"/>
`
  }</media:content>
`;
}
