import { trusted, type Html } from './html.ts';

/** The mark of Rookery: a rook on a branch, for servers without an icon of their own. */
export const LOGO: Html = trusted(
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="var(--accent)"/>' +
    '<path fill="var(--on-accent)" d="M6 12.6l5-2.4C12.300 8 14.500 6.700 16.900 7c2.600.3 4.500 2.200 4.900 4.700' +
    'l4.800 8.700-4.100-1.200c-1.300 2.300-3.600 3.700-6.300 3.700h-3.800c1.300-1.400 1.500-3.300.6-5-1-1.900-1.700-3-1.700-4.700z"/>' +
    '<path d="M5 25.500h22" stroke="var(--on-accent)" stroke-width="2" stroke-linecap="round"/>' +
    '<circle cx="16" cy="11.300" r="1.300" fill="var(--accent)"/></svg>',
);
