import { createHmac, hkdfSync } from 'node:crypto';

const digests = (master: Buffer, purpose: string): ((text: string) => string) => {
  const key = Buffer.from(hkdfSync('sha256', master, '', purpose, 32));
  return (text) => createHmac('sha256', key).update(text).digest('hex');
};

/**
 * Returns digests of e-mail addresses: HMAC-SHA256 in hex, with a key derived from the master key. That key
 * never changes, unlike the secret of cookies: another key would let every address sign up a second time.
 */
export const emailDigests = (master: Buffer): ((canonicalAddress: string) => string) =>
  digests(master, 'rookery email digest');

/** Returns the same for IP addresses and ranges, with another key. */
export const addressDigests = (master: Buffer): ((range: string) => string) =>
  digests(master, 'rookery ip digest');
