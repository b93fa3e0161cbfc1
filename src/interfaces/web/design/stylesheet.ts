import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { RequestHandler } from 'express';

/** The files of `styles/`, in the order in which they apply. */
const FILES = [
  'tokens',
  'base',
  'components',
  'forms',
  'layout',
  'post',
  'profile',
  'people',
  'compose',
  'notifications',
  'lists',
  'search',
  'front',
  'settings',
  'live',
  'oauth',
];

const textOf = (name: string): string =>
  readFileSync(join(import.meta.dirname, 'styles', `${name}.css`), 'utf8');

/** A file that browsers keep for ever: its path changes with its content. */
export interface LastingFile {
  text: string;
  path: string;
}

export const lastingFile = (name: string, extension: 'css' | 'js', text: string): LastingFile => ({
  text,
  path: `/assets/${name}-${hash('sha256', text, 'hex').slice(0, 12)}.${extension}`,
});

/** Removes comments, indentation and line ends, which browsers do not need. */
export const compactStyle = (css: string): string =>
  css
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(': ', ':')
    .replaceAll(' > ', '>')
    .replaceAll(/(?<=[ :(,])0\./g, '.')
    .replaceAll(';}', '}')
    .trim();

/** The style of all pages. */
export const stylesheet: LastingFile = lastingFile(
  'style',
  'css',
  compactStyle(FILES.map(textOf).join('\n')),
);

/** Shorter files fit into one packet as they are. */
const SMALL = 1_000;

/** Serves such a file, compressed for browsers that take that: once, for the first of them. */
export function sendLastingFile({ text, path }: LastingFile): RequestHandler {
  let packed: Buffer | undefined;
  return (req, res) => {
    const takesPacked = text.length > SMALL && req.acceptsEncodings('br') !== false;
    res
      .set({
        'Cache-Control': 'public, max-age=31536000, immutable',
        'X-Content-Type-Options': 'nosniff',
        Vary: 'Accept-Encoding',
        ...(takesPacked && { 'Content-Encoding': 'br' }),
      })
      .type(path.endsWith('.css') ? 'css' : 'js')
      .send(takesPacked ? (packed ??= brotliCompressSync(text)) : text);
  };
}
