import { ECDH } from 'node:crypto';
import { z } from 'zod';
import { invalid } from '#kernel/errors.ts';
import { formBoolean, formObject, orNothing } from '#kernel/input.ts';
import { pushAlertsSchema } from '#mastodon/schemas/index.ts';

const MAX_ENDPOINT = 2_048;

/** The alerts of a subscription: https://docs.joinmastodon.org/methods/push/#create */
export const dataSchema = z.object({
  /** Omitted alerts are off. */
  alerts: formObject(
    z.object(
      Object.fromEntries(
        Object.keys(pushAlertsSchema.shape).map((type) => [
          type,
          formBoolean
            .optional()
            .describe(`Whether notifications of the type \`${type}\` are pushed; false by default.`),
        ]),
      ),
    ),
  ).describe('Which types of notifications are pushed; types that are not named are off.'),
  policy: orNothing(z.enum(['all', 'followed', 'follower', 'none'])).describe(
    'Whose notifications are pushed: `all` (the default), `followed` accounts, `follower` accounts or `none`.',
  ),
});

/** Returns the types that are switched on; undefined when the request does not say. */
export function alertsIn({ alerts }: z.output<typeof dataSchema>): string[] | undefined {
  if (!alerts) return undefined;
  return Object.keys(pushAlertsSchema.shape).filter((type) => alerts[type] === true);
}

export const subscriptionSchema = z.object({
  endpoint: z
    .string()
    .min(1)
    .max(MAX_ENDPOINT)
    .describe(`The https address of the push service, of at most ${MAX_ENDPOINT} characters.`),
  keys: z
    .object({
      p256dh: z
        .string()
        .max(200)
        .describe('The public key of the client on the curve P-256, uncompressed, in base64url.'),
      auth: z.string().max(100).describe('The authentication secret of 16 bytes, in base64url.'),
    })
    .describe('The keys with which messages are encrypted.'),
  standard: formBoolean
    .optional()
    .describe(
      'Whether messages follow the published standards of Web Push rather than their drafts; false by default.',
    ),
});

/**
 * Returns the target of the messages and its keys, in one form. The host's address is checked when sending,
 * since it can change. @throws RookeryError `invalid` for an unusable target
 */
export function checkedTarget({ endpoint, keys }: z.output<typeof subscriptionSchema>): {
  endpoint: string;
  p256dh: string;
  auth: string;
} {
  const url = URL.parse(endpoint);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '')
    throw refused('endpoint', 'Endpoint is not a valid URL');
  const p256dh = bytesOf(keys.p256dh, 65);
  const auth = bytesOf(keys.auth, 16);
  if (!p256dh || !isPoint(p256dh)) throw refused('p256dh', 'Key p256dh is not a valid key');
  if (!auth) throw refused('auth', 'Key auth is not a valid key');
  return { endpoint, p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') };
}

/** Decodes base64 of either alphabet, with or without padding. */
function bytesOf(text: string, length: number): Buffer | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === length ? bytes : undefined;
}

/** Checks that it is uncompressed and on the curve; otherwise there is no shared secret. */
function isPoint(bytes: Buffer): boolean {
  if (bytes[0] !== 4) return false;
  try {
    ECDH.convertKey(bytes, 'prime256v1');
    return true;
  } catch {
    return false;
  }
}

const refused = (field: string, description: string) =>
  invalid(`Validation failed: ${description}`, { [field]: [{ error: 'ERR_INVALID', description }] });
