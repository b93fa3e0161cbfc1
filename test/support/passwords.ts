import { randomBytes, scryptSync } from 'node:crypto';
import type { Db } from '../../src/kernel/read.ts';
import type { Credentials } from '../../src/kernel/services/credentials.ts';

/**
 * Stores passwords hashed with far less work than Rookery's own, for the hundreds of users that the specs make. They verify as
 * those of an older release do: the first sign-in hashes them anew.
 */
export const quickCredentials = (db: Db, credentials: Credentials): Credentials => ({
  ...credentials,
  async setPassword(accountId, password) {
    const salt = randomBytes(16);
    const hash = scryptSync(password, salt, 32, { N: 2, r: 1, p: 1 });
    await db.query('insert into durable.credentials (account_id, password_hash) values ($1, $2)', [
      accountId,
      `$scrypt$ln=1,r=1,p=1$${bare(salt)}$${bare(hash)}`,
    ]);
  },
});

/** Base64 without padding. */
const bare = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
