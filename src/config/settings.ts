import { isIP } from 'node:net';
import { z } from 'zod';
import { COSIGNATURE_KEY, NOTE_KEY, parseKeyText } from '#kernel/named-key.ts';
import { canonicalDomain } from '#mastodon/domain-name.ts';

/** Declares a setting that `read` converts. When `read` returns undefined the text is wrong. */
export const setting = <T>(expected: string, read: (text: string) => T | undefined) =>
  z.string().transform((text, context): T => {
    const value = text.length <= 16_384 ? read(text) : undefined;
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: `must be ${expected}` });
    return z.NEVER;
  });

// The kinds of settings, with messages that state the expected form.
export const text = setting('at most 16384 characters', (value) => value);
export const integer = (min: number, max: number) =>
  setting(`a whole number from ${min} to ${max}`, (value) => {
    const number = /^[0-9]{1,9}$/.test(value) ? Number(value) : NaN;
    return number >= min && number <= max ? number : undefined;
  });
export const size = setting('a size such as 500MB, 5GB or 2TB, or 0', readSize);
export const oneOf = <const T extends string>(...values: readonly T[]) =>
  setting(`one of ${values.join(', ')}`, (value) => values.find((known) => known === value));
export const flag = setting('true or false', readFlag);
export const url = (...schemes: string[]) =>
  setting(`a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`, (value) =>
    URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1)) ? value : undefined,
  );
export const witnesses = setting(
  'addresses that begin with https:// or http://, those of witnesses each followed by a space and its key (name+id+key), separated by commas',
  readWitnesses,
);
export const logKeys = setting(
  'keys of logs as `rookery log key` prints them (name+id+key), separated by commas',
  readLogKeys,
);
export const domain = setting('a domain such as social.example, without https:// and path', readDomain);
export const host = setting('a host such as mail.example.org, without a scheme and a port', (value) =>
  isIP(value) !== 0 ? value : canonicalDomain(value),
);
export const addresses = setting(
  'IP addresses or CIDR ranges such as 10.0.0.0/8, separated by commas',
  readAddresses,
);
export const email = setting('an e-mail address, or "Name <address>"', (value) =>
  /^(?:[^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/.test(value) ? value : undefined,
);

/** Returns bytes. Units are powers of 1000, as for disks. */
function readSize(value: string): number | undefined {
  const [, digits, unit = ''] = /^([0-9]{1,15}) ?([kMGT]?B)?$/i.exec(value) ?? [];
  const factor = { '': 1, B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 }[unit.toUpperCase()];
  const bytes = digits === undefined || factor === undefined ? NaN : Number(digits) * factor;
  return bytes <= 1e15 ? bytes : undefined;
}

function readFlag(value: string): boolean | undefined {
  if (['true', 'on', 'yes', '1'].includes(value.toLowerCase())) return true;
  return ['false', 'off', 'no', '0'].includes(value.toLowerCase()) ? false : undefined;
}

/** Returns a host, perhaps with a port, in lower-case ASCII; names in other scripts become punycode. */
function readDomain(value: string): string | undefined {
  const [, name, port] = /^([^\s/@:?#[\]]+|\[[0-9a-fA-F:.]+\])(:[0-9]{1,5})?$/.exec(value) ?? [];
  if (name === undefined) return undefined;
  const ascii = name.startsWith('[') ? name.toLowerCase() : canonicalDomain(name);
  const whole = `${ascii ?? ''}${port ?? ''}`;
  return ascii !== undefined && URL.canParse(`http://${whole}`) ? whole : undefined;
}

const MAX_WITNESSES = 10;
const MAX_LOGS = 32;

/** An address that gets checkpoints. */
export interface WitnessAddress {
  url: string;
  /** The key of the witness, as `name+id+key`; undefined where none was named. */
  key: string | undefined;
}

function readWitnesses(value: string): WitnessAddress[] | undefined {
  const entries = value.split(',').map(readWitness);
  return entries.length <= MAX_WITNESSES && entries.every((entry) => entry !== undefined)
    ? entries
    : undefined;
}

/** Returns the address of a text, with its key if there is one; undefined for other text. */
export function readWitness(text: string): WitnessAddress | undefined {
  const [url = '', key, ...rest] = text.trim().split(/\s+/);
  if (!isWebAddress(url) || rest.length > 0) return undefined;
  if (key !== undefined && !parseKeyText(key, COSIGNATURE_KEY)) return undefined;
  return { url, key };
}

function readLogKeys(value: string): string[] | undefined {
  const keys = value.split(',').map((entry) => entry.trim());
  const areKeys = keys.length <= MAX_LOGS && keys.every((key) => parseKeyText(key, NOTE_KEY));
  return areKeys ? [...new Set(keys)] : undefined;
}

/** Tells whether a text is an address that begins with https:// or http://. */
export const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:\/\//i.test(text);

function readAddresses(value: string): string[] | undefined {
  const entries = value.split(',').map((entry) => entry.trim());
  return entries.every(isAddress) ? entries : undefined;
}

function isAddress(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^[0-9]{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** Checks that two settings are given together or not at all. */
export function both(first: string, second: string) {
  return (context: z.core.ParsePayload<Record<string, unknown>>): void => {
    if ((context.value[first] === undefined) === (context.value[second] === undefined)) return;
    const [missing, present] = context.value[first] === undefined ? [first, second] : [second, first];
    context.issues.push({
      code: 'custom',
      input: undefined,
      path: [missing],
      message: `must be set too, because ${present} is`,
    });
  };
}

/** Checks that storage in a bucket names the bucket. */
export function bucketIsNamed(context: z.core.ParsePayload<Record<string, unknown>>): void {
  if (context.value['S3_ENABLED'] !== true || context.value['S3_BUCKET'] !== undefined) return;
  context.issues.push({
    code: 'custom',
    input: undefined,
    path: ['S3_BUCKET'],
    message: 'must be set too, because S3_ENABLED is',
  });
}
