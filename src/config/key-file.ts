import { z } from 'zod';
import { type KeptKeys, keptKeys } from '#kernel/master-key.ts';
import { ConfigError } from './config.ts';

const bytes = (length: number) =>
  z
    .string()
    .refine((text) => Buffer.from(text, 'base64url').length === length, `must be ${length} bytes, base64url`);

const entries = {
  secret: bytes(32),
  vapid: z.object({ public_key: bytes(65), private_key: bytes(32) }),
  instance: z.object({
    public_key: z.string().startsWith('-----BEGIN PUBLIC KEY-----'),
    private_key: z.string().startsWith('-----BEGIN PRIVATE KEY-----'),
  }),
};

/** The file of a server whose master key is the first one. */
const firstForm = z.object({ version: z.literal(1), master: bytes(32), ...entries });

/**
 * The file after the master key was replaced. It has a version of its own, because a program that derives the
 * kept keys from the master key must refuse it.
 */
const replacedForm = z.object({
  version: z.literal(2),
  master: bytes(32),
  /** Earlier master keys that still decrypt, the latest first. */
  previous: z.array(bytes(32)).max(20).optional(),
  /** The id of the replacement that is under way. */
  rotation: z.uuid().optional(),
  kept: z.object({
    email_digest: bytes(32),
    address_digest: bytes(32),
    checkpoints: bytes(32),
    distinction: bytes(8),
  }),
  ...entries,
});

const keyFile = z.discriminatedUnion('version', [firstForm, replacedForm]);
export type FirstKeyFile = z.infer<typeof firstForm>;
export type KeyFile = z.infer<typeof keyFile>;
export type ReplacedKeyFile = z.infer<typeof replacedForm>;

/** Returns the entries of a key file. @throws ConfigError that names the wrong member, never its value */
export function parseKeyFile(text: string, source: string): KeyFile {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new ConfigError([`${source} must hold the JSON text of a key file`]);
  }
  const parsed = keyFile.safeParse(json);
  if (parsed.success) return parsed.data;
  const members = parsed.error.issues.map(({ path }) => path.join('.') || 'everything');
  throw new ConfigError([
    `${source} must be a key file as Rookery wrote it; wrong or missing: ${members.join(', ')}`,
  ]);
}

export const keyFileText = (keys: KeyFile): string => `${JSON.stringify(keys, null, 2)}\n`;

/** Returns the keys that outlive the first master key: entries of the file, or derived from it. */
export function keptKeysOf(keys: KeyFile): KeptKeys {
  if (keys.version === 1) return keptKeys(Buffer.from(keys.master, 'base64url'));
  const { email_digest, address_digest, checkpoints, distinction } = keys.kept;
  const decoded = (text: string): Buffer => Buffer.from(text, 'base64url');
  return {
    email_digest: decoded(email_digest),
    address_digest: decoded(address_digest),
    checkpoints: decoded(checkpoints),
    distinction: decoded(distinction),
  };
}
