import { domainToASCII } from 'node:url';
import { invalid } from '../../src/kernel/errors.ts';

const MAX_LENGTH = 253;

/** The domain as accounts have it: lower case, in ASCII. @throws RookeryError `invalid` for what cannot be one */
export function domainOf(text: string): string {
  const name = text.trim().replace(/\/$/, '');
  if (name === '') throw problem('ERR_BLANK', "can't be blank");
  const ascii = /[/?#@:%\\]/.test(name) ? '' : domainToASCII(name).replace(/\.$/, '');
  if (ascii === '' || ascii.length > MAX_LENGTH) throw problem('ERR_INVALID', 'is not a valid domain name');
  return ascii;
}

const problem = (error: string, description: string) =>
  invalid(`Validation failed: Domain ${description}`, { domain: [{ error, description }] });
