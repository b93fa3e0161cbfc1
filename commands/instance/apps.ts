import { z } from 'zod';
import { APP_LIMITS, appPlatforms, type ClientApp, MAX_APPS } from '#events/client-apps.ts';
import { invalid } from '#kernel/errors.ts';
import { fromJson } from '#kernel/parse-json.ts';
import { fillAddress } from '#queries/instance/index.ts';

const HINT = '"rookery settings apps --json" prints a list in the right form';

/** Allows one line of text that JSON columns can hold. */
const line = (name: string, most: number) => {
  const error = `${name} must be one line of 1 to ${most} characters`;
  return z
    .string({ error })
    .trim()
    .min(1, { error })
    .max(most, { error })
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), { error });
};

/** Any server with https: placeholders must give an address there. */
const EXAMPLE = { domain: 'social.example', origin: 'https://social.example' };

function isHttps(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && !/\s/.test(address);
}

/** Checks the file of an operator strictly; the schema of stored events only bounds them. */
const appInput = z
  .strictObject({
    name: line('name', APP_LIMITS.name),
    platform: z.enum(appPlatforms.options, {
      error: `platform must be one of ${appPlatforms.options.join(', ')}`,
    }),
    description: line('description', APP_LIMITS.description),
    website: line('website', APP_LIMITS.address).refine(isHttps, {
      error: 'website must be an address that begins with https://',
    }),
    address: line('address', APP_LIMITS.address)
      .refine((text) => !/[{}]/.test(fillAddress(text, EXAMPLE)), {
        error: 'address may contain {host}, {domain} and {origin}, and no other braces',
      })
      .refine((text) => isHttps(fillAddress(text, EXAMPLE)), {
        error: 'address must begin with https:// or {origin}',
      })
      .optional(),
  })
  .refine(({ platform, address }) => platform === 'web' || address === undefined, {
    error: 'address is for the platform web only; leave it out',
  });

const listInput = z
  .array(appInput, { error: 'must be a list' })
  .max(MAX_APPS, { error: `must have at most ${MAX_APPS} apps` });

/**
 * Reads a list of apps from JSON: `{ "apps": [...] }`, or the list itself.
 * @throws RookeryError `invalid`, which names the first wrong app and member
 */
export function readApps(text: string): ClientApp[] {
  const given = listIn(parse(text));
  const list = listInput.safeParse(given);
  if (!list.success) throw invalid(describe(list.error.issues[0], given));
  const names = new Set<string>();
  for (const { name, platform } of list.data) {
    const key = `${platform} ${name.toLowerCase()}`;
    if (names.has(key)) throw invalid(`apps: ${name} is listed twice for ${platform}; remove one`);
    names.add(key);
  }
  return list.data.map(({ address, ...app }) => (address === undefined ? app : { ...app, address }));
}

function parse(text: string): unknown {
  try {
    return fromJson(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\s+/g, ' ').slice(0, 200) : String(error);
    throw invalid(`apps must be JSON: ${reason}. ${HINT}`);
  }
}

function listIn(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const [unknown] = Object.keys(value).filter((name) => name !== 'apps');
  if (unknown !== undefined) throw invalid(`apps: there is no "${shown(unknown)}"; the file has "apps" only`);
  return (value as { apps?: unknown }).apps;
}

/** Says which app is wrong: `apps: app 2 (Elk): platform must be ...`. */
function describe(issue: z.core.$ZodIssue | undefined, list: unknown): string {
  const [index] = issue?.path ?? [];
  if (!issue || typeof index !== 'number') return `apps ${issue?.message ?? 'is wrong'}. ${HINT}`;
  const app: unknown = Array.isArray(list) ? list[index] : undefined;
  const name: unknown = typeof app === 'object' && app !== null && 'name' in app ? app.name : undefined;
  const which = `apps: app ${index + 1}${typeof name === 'string' ? ` (${shown(name)})` : ''}`;
  if (issue.code === 'unrecognized_keys') {
    return `${which}: there is no "${shown(issue.keys[0] ?? '')}"; remove it. ${HINT}`;
  }
  if (issue.path.length === 1 && issue.code === 'invalid_type') {
    return `${which}: must be an object. ${HINT}`;
  }
  return `${which}: ${issue.message}`;
}

const shown = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 60).toWellFormed();
