import type { Instance } from '#kernel/context.ts';
import { plainText } from '#mastodon/html.ts';
import { cutToLength } from '#mastodon/normalize-tag.ts';
import type { Account, Status } from '#mastodon/schemas/index.ts';
import { type Html, html, trusted } from '../design/html.ts';
import { handleOf, isOurs } from '../entities/addresses.ts';
import { plainName } from '../entities/byline.ts';

/** The maximum characters of a description, as previews show them. */
const DESCRIPTION = 400;

const shortened = (text: string): string => {
  const cut = cutToLength(text, DESCRIPTION);
  return cut === text ? text : `${cut}…`;
};

interface Preview {
  type: 'profile' | 'article' | 'website';
  title: string;
  description: string;
  url: string;
  image?: { url: string; width?: number | undefined; height?: number | undefined; alt: string } | undefined;
  /** The picture is the subject of the page. */
  large?: boolean;
}

/**
 * Returns the tags for link previews on other sites: https://ogp.me, and their equivalents for readers of
 * Twitter's names.
 */
export function previewOf({ type, title, description, url, image, large }: Preview, siteName: string): Html {
  return html`<meta name="description" content="${shortened(description)}" />
    <link rel="canonical" href="${url}" />
    <meta property="og:site_name" content="${siteName}" />
    <meta property="og:type" content="${type}" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${shortened(description)}" />
    <meta property="og:url" content="${url}" />
    ${
      image &&
      html`<meta property="og:image" content="${image.url}" />
        ${image.width !== undefined && html`<meta property="og:image:width" content="${image.width}" />`}
        ${image.height !== undefined && html`<meta property="og:image:height" content="${image.height}" />`}
        <meta property="og:image:alt" content="${image.alt}" />`
    }
    <meta name="twitter:card" content="${large ? 'summary_large_image' : 'summary'}" />`;
}

/** Links to the document behind a page, for programs, and to its author. */
export const documentLinks = (uri: string, account: Account, instance: Instance): Html =>
  html`<link rel="alternate" type="application/activity+json" href="${uri}" />
    <meta name="fediverse:creator" content="${handleOf(account, instance)}" />
    <meta property="profile:username" content="${handleOf(account, instance).slice(1)}" />`;

export const feedLink = (title: string, href: string): Html =>
  html`<link rel="alternate" type="application/rss+xml" title="${title}" href="${href}" />`;

export const accountPreview = (account: Account, siteName: string): Html =>
  previewOf(
    {
      type: 'profile',
      title: plainName(account),
      description: plainText(account.note),
      url: account.url ?? account.uri,
      image: { url: account.avatar, alt: account.avatar_description ?? '' },
    },
    siteName,
  );

export function statusPreview(status: Status, instance: Instance, siteName: string): Html {
  const { account, spoiler_text, content, url, uri, created_at } = status;
  const image = pictureOf(status, instance);
  const preview = previewOf(
    {
      type: 'article',
      title: `${plainName(account)} (${handleOf(account, instance)})`,
      description: spoiler_text || plainText(content),
      url: url ?? uri,
      image: image ?? { url: account.avatar, alt: account.avatar_description ?? '' },
      large: image !== undefined,
    },
    siteName,
  );
  return html`${preview} <meta property="article:published_time" content="${created_at}" />`;
}

/** The first picture that may be shown without a click. */
function pictureOf(
  { sensitive, spoiler_text, media_attachments }: Status,
  instance: Instance,
): Preview['image'] {
  if (sensitive || spoiler_text !== '') return undefined;
  for (const { type, preview_url, description, meta } of media_attachments) {
    if (type === 'audio' || type === 'unknown' || !isOurs(preview_url, instance)) continue;
    const { width, height } = meta?.small ?? {};
    return {
      url: preview_url,
      width: width ?? undefined,
      height: height ?? undefined,
      alt: description ?? '',
    };
  }
  return undefined;
}

/** A field that contains an address only. The address is escaped for an attribute. */
const ADDRESS = /^<a href="(https?:[^"]*)"(?:(?!<a ).)*<\/a>$/s;

/**
 * Returns the addresses that a profile declares as the same person's, as in Mastodon:
 * https://microformats.org/wiki/rel-me
 */
export const sameAs = ({ fields }: Account): Html[] =>
  fields.flatMap(({ value }) => {
    const address = ADDRESS.exec(value)?.[1];
    return address === undefined ? [] : [html`<link rel="me" href="${trusted(address)}" />`];
  });
