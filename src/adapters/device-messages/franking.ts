import { createHmac } from 'node:crypto';
import type { MasterKey } from '#kernel/master-key.ts';

/**
 * The server's statement about a message with this digest: its sender, its recipient, and the time (ISO
 * 8601).
 */
export interface Franking {
  source_account_id: string;
  target_account_id: string;
  hmac: string;
  timestamp: string;
}

/**
 * Returns seals for messages that the server cannot read: if the recipient reports one, its digest proves the
 * content. A seal is the facts and their HMAC-SHA256 under a key of its own, both base64url, with a dot
 * between.
 */
export function messageFranking(master: MasterKey): (facts: Franking) => string {
  const [key] = master.digestKeys('messageFranking');
  return (facts) => {
    const text = Buffer.from(JSON.stringify(facts)).toString('base64url');
    return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
  };
}
