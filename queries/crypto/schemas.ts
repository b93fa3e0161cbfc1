import { z } from 'zod';
import { count, dateTime, id } from '#mastodon/schemas/shared.ts';

/** As in Mastodon 3.2 to 4.2, which never documented them. */
export const cryptoDeviceSchema = z.strictObject({
  device_id: z.string(),
  name: z.string(),
  identity_key: z.string(),
  fingerprint_key: z.string(),
});

export const cryptoQueryResultSchema = z.strictObject({
  account_id: id,
  devices: z.array(cryptoDeviceSchema),
});

export const cryptoClaimResultSchema = z.strictObject({
  account_id: id,
  device_id: z.string(),
  key_id: z.string(),
  key: z.string(),
  signature: z.string(),
});

export const cryptoKeyCountSchema = z.strictObject({ one_time_keys: count });

export const encryptedMessageSchema = z.strictObject({
  id,
  /** The sender and their device. */
  account_id: id,
  device_id: z.string(),
  type: z.int(),
  body: z.string(),
  digest: z.string(),
  message_franking: z.string(),
  created_at: dateTime,
});
export type EncryptedMessageReply = z.infer<typeof encryptedMessageSchema>;
