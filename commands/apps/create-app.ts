import { z } from 'zod';
import type { ApplicationEvent } from '#events/apps.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { invalid, type ValidationDetail } from '#kernel/errors.ts';
import { credentialApplicationSchema } from '#mastodon/schemas/application.ts';
import { DEFAULT_SCOPES, scopes as knownScopes, splitScopes } from '#mastodon/scopes.ts';
import { presentApplication } from '#queries/apps/index.ts';
import { redirectUriProblem } from './redirect-uris.ts';

const MAX_NAME = 60;
/** Characters of an address, and of all redirect URIs together, one per line. */
const MAX_URI = 2_000;
const MAX_URIS = 20;
const text = z.string().max(10_000);

const body = z.object({
  client_name: z
    .string()
    .max(1_000)
    .nullish()
    .transform((name) => name ?? '')
    .describe(`The name that users see, of at most ${MAX_NAME} characters.`),
  redirect_uris: z
    .union([text, z.array(text).max(100)])
    .nullish()
    .transform((uris) => uris ?? [])
    .describe(
      `Where users return to after authorization: a list, or one text separated by white space, of at most ${MAX_URIS} URIs.`,
    ),
  scopes: z
    .string()
    .max(5_000)
    .nullish()
    .describe('The scopes that the application may ask for, separated by spaces; `read` by default.'),
  website: z
    .string()
    .max(10_000)
    .nullish()
    .describe(`The web address of the application, of at most ${MAX_URI} characters.`),
});

/**
 * https://docs.joinmastodon.org/methods/apps/#create. The client id is the application's id. The log contains
 * an application from its first token on.
 */
export const createApp = endpoint({
  method: 'POST',
  path: '/api/v1/apps',
  summary: 'Register an application',
  auth: 'public',
  openInLimitedMode: true,
  limit: 'apps',
  scopes: [],
  body,
  requires: ['client_name', 'redirect_uris'],
  reply: credentialApplicationSchema,
  handler: async (ctx, input) => {
    const { data } = decideCreateApp(ctx.newId(), input.body);
    const secret = await ctx.services.tokens.registerApplication(data);
    const application = presentApplication(data, ctx.instance.vapidPublicKey);
    return {
      json: { ...application, client_id: data.id, client_secret: secret, client_secret_expires_at: 0 },
    };
  },
});

/** @throws RookeryError `invalid` with all problems */
export function decideCreateApp(id: string, command: z.output<typeof body>): ApplicationEvent {
  const name = command.client_name.trim();
  const website = command.website?.trim() || null;
  const redirectUris = uniqueWords(command.redirect_uris);
  const scopes = splitScopes(command.scopes ?? '');
  const problems = new Problems();

  if (name === '') problems.add('name', 'Application name', 'ERR_BLANK', "can't be blank");
  if (length(name) > MAX_NAME) problems.add('name', 'Application name', ...tooLong(MAX_NAME));
  if (website !== null && website.length > MAX_URI)
    problems.add('website', 'Application website', ...tooLong(MAX_URI));
  else if (website !== null && !isWebAddress(website)) {
    problems.add('website', 'Application website', 'ERR_INVALID', 'is not a valid URL');
  }
  if (redirectUris.length === 0) problems.add('redirect_uri', 'Redirect URI', 'ERR_BLANK', "can't be blank");
  if (redirectUris.length > MAX_URIS || redirectUris.join('\n').length > MAX_URI) {
    problems.add('redirect_uri', 'Redirect URI', ...tooLong(MAX_URI));
  }
  for (const problem of new Set(redirectUris.flatMap((uri) => redirectUriProblem(uri) ?? []))) {
    problems.add('redirect_uri', 'Redirect URI', 'ERR_INVALID', problem);
  }
  if (scopes.some((scope) => !knownScopes.has(scope))) {
    problems.add('scopes', 'Scopes', 'ERR_INVALID', "doesn't match those configured on the server.");
  }
  problems.throwIfAny();

  return {
    type: 'ApplicationCreated',
    data: {
      id,
      name,
      website,
      redirect_uris: redirectUris,
      // The empty text is no scope, and lets the application request any.
      scopes: command.scopes == null ? [...DEFAULT_SCOPES] : scopes,
    },
  };
}

class Problems {
  readonly #texts: string[] = [];
  readonly #details: Record<string, ValidationDetail[]> = {};

  add(field: string, label: string, error: string, description: string): void {
    this.#texts.push(`${label} ${description}`);
    (this.#details[field] ??= []).push({ error, description });
  }

  throwIfAny(): void {
    if (this.#texts.length > 0) throw invalid(`Validation failed: ${this.#texts.join(', ')}`, this.#details);
  }
}

const tooLong = (max: number): [string, string] => [
  'ERR_TOO_LONG',
  `is too long (maximum is ${max} characters)`,
];

/** Counts characters as users do. */
const length = (value: string): number => [...value].length;

const isWebAddress = (value: string): boolean => /^https?:\/\//i.test(value) && URL.canParse(value);

const uniqueWords = (value: string | readonly string[]): string[] => [
  ...new Set([value].flat().flatMap((part) => part.split(/\s+/).filter(Boolean))),
];
