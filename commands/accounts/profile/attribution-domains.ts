import { domainToASCII } from 'node:url';
import type { FieldProblems } from '#kernel/field-problems.ts';

/** https://docs.joinmastodon.org/methods/profile/ */
const MAX_ATTRIBUTION_DOMAINS = 10;

/**
 * Returns distinct host names in ASCII from any typed form: an address, a wildcard, capitals, another script.
 */
export function attributionDomains(given: readonly string[], problems: FieldProblems): string[] {
  const domains = [...new Set(given.map(toDomain).filter((domain) => domain !== ''))];
  if (domains.length > MAX_ATTRIBUTION_DOMAINS) {
    problems.add('attribution_domains', {
      error: 'ERR_TOO_LONG',
      description: `are too many (maximum is ${MAX_ATTRIBUTION_DOMAINS})`,
    });
  }
  const wrong = domains.find((domain) => !isDomain(domain));
  if (wrong !== undefined) {
    problems.add('attribution_domains', {
      error: 'ERR_INVALID',
      description: `${wrong} is not a valid domain name`,
    });
  }
  return domains;
}

/** Returns text that is no domain unchanged, for the error message. */
function toDomain(text: string): string {
  const bare = text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/^\*\./, '')
    .replace(/[/.]$/, '');
  return domainToASCII(bare) || bare;
}

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

function isDomain(domain: string): boolean {
  const labels = domain.split('.');
  return domain.length <= 253 && labels.length > 1 && labels.every((label) => LABEL.test(label));
}
