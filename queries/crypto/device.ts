import { notFound } from '#kernel/errors.ts';
import { type Db, statement } from '#kernel/read.ts';

const DEVICE = statement<{ id: string; fingerprint_key: string }>(
  'crypto_device_of_token',
  'select id, fingerprint_key from durable.crypto_devices where access_token_id = $1',
);

/** Returns the device of a token. @throws RookeryError `not_found` when it has none */
export async function deviceOfToken(
  db: Db,
  tokenId: string,
): Promise<{ id: string; fingerprint_key: string }> {
  const [device] = await db.query(DEVICE, [tokenId]);
  if (!device) throw notFound();
  return device;
}
