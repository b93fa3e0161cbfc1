import { domainToASCII } from 'node:url';
import { invalid, type RookeryError } from '#kernel/errors.ts';

const MAX_LENGTH = 253;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Returns the form in which domains are stored and compared: lower case, in ASCII (IDNA), without a trailing
 * dot. Undefined for text that names no server. Every incoming domain passes through here; otherwise a block
 * of one spelling would miss another (CVE-2023-42451).
 */
export function canonicalDomain(text: string): string | undefined {
  const name = text.trim().replace(/\/$/, '');
  // domainToASCII decodes %xx and stops at characters that end a host in an address.
  if (name.length > 4 * MAX_LENGTH || /[\s/?#@:%\\[\]]/.test(name)) return undefined;
  const ascii = domainToASCII(name).replace(/\.$/, '');
  return ascii.length <= MAX_LENGTH && ascii.split('.').every((label) => LABEL.test(label))
    ? ascii
    : undefined;
}

/** Returns a domain in canonical form. @throws RookeryError `invalid` for text that is no domain */
export function domainOf(text: string): string {
  if (text.trim().replace(/\/$/, '') === '') throw problem('ERR_BLANK', "can't be blank");
  const domain = canonicalDomain(text);
  if (domain === undefined) throw problem('ERR_INVALID', 'is not a valid domain name');
  return domain;
}

/** Returns a canonical domain and its parents, longest first: `a.b.example`, `b.example`, `example`. */
export function withParents(domain: string): string[] {
  const labels = domain.split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}

/** Returns the canonical host of a link; empty without one that names a server. */
export const hostOfLink = (url: string): string => canonicalDomain(URL.parse(url)?.hostname ?? '') ?? '';

const problem = (error: string, description: string): RookeryError =>
  invalid(`Validation failed: Domain ${description}`, { domain: [{ error, description }] });
