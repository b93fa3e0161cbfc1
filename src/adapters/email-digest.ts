import { createHmac } from 'node:crypto';

/**
 * Returns digests of addresses: HMAC-SHA256 in hex. Their keys outlive the master key and the secret of cookies: with
 * another key, an e-mail address could sign up a second time, and blocks of addresses would match no address.
 */
export const digestsWith =
  (key: Buffer): ((text: string) => string) =>
  (text) =>
    createHmac('sha256', key).update(text).digest('hex');
