import { canonicalDomain } from '#mastodon/domain-name.ts';

/** Returns the domain of a server as its accounts have it. It may carry a port, unlike a domain to block. */
export const knownDomain = (text: string): string => canonicalDomain(text) ?? text.trim().toLowerCase();
