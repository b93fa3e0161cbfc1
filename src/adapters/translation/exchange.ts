import type { z } from 'zod';
import { RookeryError } from '#kernel/errors.ts';
import { assertJsonWithin } from '#kernel/json-limits.ts';
import { fromJson } from '#kernel/parse-json.ts';
import type { HttpClient, HttpRequest } from '#kernel/services/http-client.ts';

/** Milliseconds. Translating long texts takes time. */
const DEADLINE = 20_000;
const MAX_BYTES = 4 * 1_048_576;
/** A list of languages has one value for each pair of them. */
const JSON_LIMITS = { values: 50_000, keys: 10_000, depth: 8 };

/** Returns the error of a failed translation, as Mastodon shows it. */
export const unavailable = (cause: unknown): RookeryError =>
  new RookeryError('unavailable', 'Service Unavailable', { cause });

/**
 * Calls a translation service and checks its reply. @throws RookeryError `unavailable` when it cannot be
 * reached, refuses (quota, key, rate) or sends an invalid reply
 */
export async function ask<Schema extends z.ZodType>(
  http: HttpClient,
  url: string,
  schema: Schema,
  request: Pick<HttpRequest, 'method' | 'headers' | 'body'> = {},
): Promise<z.output<Schema>> {
  try {
    const { status, body } = await http.fetch(url, {
      ...request,
      deadline: DEADLINE,
      maxBytes: MAX_BYTES,
      maxRedirects: 0,
    });
    if (status !== 200) throw new Error(`The translation service answered ${status}`);
    assertJsonWithin(body, JSON_LIMITS);
    return schema.parse(fromJson(body.toString('utf8')));
  } catch (error) {
    throw unavailable(error);
  }
}
