import { type Html, trusted } from './html.ts';

/** The outline of a rook, in a square of 32. */
export const ROOK =
  'M6 12.6l5-2.4C12.3 8 14.5 6.7 16.9 7c2.6.3 4.5 2.2 4.9 4.7l4.8 8.7-4.1-1.2c-1.3 2.3-3.6 3.7-6.3 3.7h-3.8c1.3-1.4 1.5-3.3.6-5' +
  '-1-1.9-1.7-3-1.7-4.7z';

/** The mark of Rookery: a rook on a branch, for servers without an icon of their own. */
export const LOGO: Html = trusted(
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="var(--accent)"/>' +
    `<path fill="var(--on-accent)" d="${ROOK}"/>` +
    '<path d="M5 25.5h22" stroke="var(--on-accent)" stroke-width="2" stroke-linecap="round"/>' +
    '<circle cx="16" cy="11.3" r="1.3" fill="var(--accent)"/></svg>',
);
