import { createHmac, hkdfSync } from 'node:crypto';

/**
 * Digests of e-mail addresses: HMAC-SHA256 with a key of its own, derived from the master key (which is never changed,
 * unlike the secret of cookies: another key would let every address sign up a second time). Hex.
 */
export function emailDigests(master: Buffer): (canonicalAddress: string) => string {
  const key = Buffer.from(hkdfSync('sha256', master, '', 'rookery email digest', 32));
  return (canonicalAddress) => createHmac('sha256', key).update(canonicalAddress).digest('hex');
}
