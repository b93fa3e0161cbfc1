import { z } from 'zod';
import type { UserContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { limitParameter } from '#kernel/paging.ts';
import { type AdminDimensionData, adminDimensionSchema } from '#mastodon/schemas/index.ts';
import {
  dayAfter,
  dayOrNothing,
  figuresEndpoint,
  idsOf,
  keysParameter,
  MOST_DAYS,
  type Period,
  periodOf,
  subjectKinds,
  subjectOf,
  subjectParameters,
} from '../measures/index.ts';
import {
  type CountedRow,
  type Dimension,
  DIMENSION_KEYS,
  DIMENSIONS,
  DIMENSIONS_HERE,
} from './dimensions.ts';
import { SOFTWARE, SOFTWARE_KEYS } from './software.ts';

/** The default of `start_at`, in days. */
const USUAL_DAYS = 30;

/**
 * Unknown dimensions are left out, as in Mastodon.
 * https://docs.joinmastodon.org/methods/admin/dimensions/#get
 */
export const retrieveDimensions = endpoint({
  ...figuresEndpoint,
  path: '/api/v1/admin/dimensions',
  summary: 'Obtain what is most common on this server',
  body: z.object({
    keys: keysParameter('dimensions', [...DIMENSION_KEYS, ...SOFTWARE_KEYS]),
    start_at: dayOrNothing
      .optional()
      .describe(`The first day (UTC), such as 2026-11-22; by default ${USUAL_DAYS} days are covered.`),
    end_at: dayOrNothing
      .optional()
      .describe(`The last day (UTC), included, at most ${MOST_DAYS} days in all; today by default.`),
    limit: limitParameter(10, 100),
    ...subjectParameters(subjectKinds(DIMENSIONS)),
  }),
  reply: z.array(adminDimensionSchema),
  handler: async (ctx, { body }) => {
    const last = body.end_at ?? ctx.now.slice(0, 10);
    const period = periodOf(body.start_at ?? dayAfter(last, 1 - USUAL_DAYS), last, MOST_DAYS);
    const asked = [...new Set(body.keys)].filter(
      (key) => Object.hasOwn(DIMENSIONS, key) || Object.hasOwn(SOFTWARE, key),
    );
    const subjects = await Promise.all(
      asked.map((key) => subjectOf(ctx, key, DIMENSIONS[key]?.subject ?? 'here', body)),
    );
    const ofHere = await countedHere(ctx, asked, { period, limit: body.limit });
    const json = await Promise.all(
      asked.map(async (key, index) => {
        const here = ofHere.get(key);
        if (here) return { key, data: here };
        const dimension = DIMENSIONS[key];
        const question = { period, subject: subjects[index] ?? null, limit: body.limit };
        return {
          key,
          data: dimension ? await counted(ctx, dimension, question) : ((await SOFTWARE[key]?.(ctx)) ?? []),
        };
      }),
    );
    return { json };
  },
});

/** Counts several dimensions of this server with one statement; returns nothing for a single one. */
async function countedHere(
  { db, instance }: UserContext,
  asked: readonly string[],
  { period, limit }: { period: Period; limit: number },
): Promise<ReadonlyMap<string, AdminDimensionData[]>> {
  const names = asked.filter((name) => DIMENSIONS[name]?.subject === 'here');
  if (names.length < 2) return new Map();
  const values = [...idsOf(period), null, limit, names];
  const rows = await db.query(DIMENSIONS_HERE, values);
  return new Map(
    names.map((name) => {
      const own = rows.filter((row) => row.name === name);
      return [name, own.map((row) => itemOf(row, DIMENSIONS[name]?.humanKey, instance.domain))];
    }),
  );
}

async function counted(
  { db, instance }: UserContext,
  { count, humanKey }: Dimension,
  { period, subject, limit }: { period: Period; subject: string | null; limit: number },
): Promise<AdminDimensionData[]> {
  const rows = await db.query(count, [...idsOf(period), subject, limit]);
  return rows.map((row) => itemOf(row, humanKey, instance.domain));
}

function itemOf(
  { key, value }: CountedRow,
  humanKey: Dimension['humanKey'] = String,
  domain: string,
): AdminDimensionData {
  const name = key ?? domain;
  return { key: name, human_key: humanKey(name), value };
}
