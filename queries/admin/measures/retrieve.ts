import { z } from 'zod';
import type { UserContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { parameterMissing } from '#kernel/errors.ts';
import { type AdminMeasure, adminMeasureSchema } from '#mastodon/schemas/index.ts';
import { humanBytes } from './bytes.ts';
import { figuresEndpoint, keysParameter, MOST_DAYS, subjectKinds } from './figures.ts';
import { type Counted, type Measure, MEASURE_KEYS, MEASURES, MEASURES_HERE } from './measures.ts';
import { dayOrNothing, daysOf, idsOf, type Period, periodBefore, periodOf, required } from './period.ts';
import { subjectOf, subjectParameters } from './subject.ts';

/**
 * Unknown measures are left out, as in Mastodon. https://docs.joinmastodon.org/methods/admin/measures/#get
 */
export const retrieveMeasures = endpoint({
  ...figuresEndpoint,
  path: '/api/v1/admin/measures',
  summary: 'Obtain figures about this server, day by day',
  body: z.object({
    keys: keysParameter('measures', MEASURE_KEYS),
    start_at: dayOrNothing.optional().describe('The first day (UTC), such as 2026-11-22.'),
    end_at: dayOrNothing
      .optional()
      .describe(`The last day (UTC), included, at most ${MOST_DAYS} days in all.`),
    ...subjectParameters(subjectKinds(MEASURES)),
  }),
  requires: ['keys', 'start_at', 'end_at'],
  reply: z.array(adminMeasureSchema),
  handler: async (ctx, { body }) => {
    if (body.keys.length === 0) throw parameterMissing('keys');
    const first = required('start_at', body.start_at);
    const period = periodOf(first, required('end_at', body.end_at), MOST_DAYS);
    const asked = [...new Set(body.keys)].flatMap((key) => {
      const measure = Object.hasOwn(MEASURES, key) ? MEASURES[key] : undefined;
      return measure ? [{ key, measure }] : [];
    });
    const subjects = await Promise.all(
      asked.map(({ key, measure }) => subjectOf(ctx, key, measure.subject, body)),
    );
    const ofHere = await countedHere(ctx, asked, period);
    const json = await Promise.all(
      asked.map(async ({ key, measure }, index) => {
        const found = ofHere.get(key) ?? (await counted(ctx, measure, period, subjects[index] ?? null));
        return measured(key, measure, period, found);
      }),
    );
    return { json };
  },
});

/** Measures that Mastodon reads from counters. It writes their days as times. */
const COUNTERS = new Set(['active_users', 'interactions', 'tag_accounts', 'tag_uses']);

interface Asked {
  key: string;
  measure: Measure;
}

/** Counts several measures of this server with one statement; returns nothing for a single one. */
async function countedHere(
  { db }: UserContext,
  asked: readonly Asked[],
  period: Period,
): Promise<ReadonlyMap<string, Counted>> {
  const keys = asked.flatMap(({ key, measure }) => (measure.subject === 'here' ? [key] : []));
  if (keys.length < 2) return new Map();
  const rows = await db.query(MEASURES_HERE, [...valuesOf(period, null), keys]);
  return new Map(rows.map((row) => [row.key, row]));
}

async function counted(
  { db }: UserContext,
  { count }: Measure,
  period: Period,
  subject: string | null,
): Promise<Counted | undefined> {
  return count && (await db.query(count, valuesOf(period, subject)))[0];
}

function valuesOf(period: Period, subject: string | null): unknown[] {
  const before = periodBefore(period);
  const ids = idsOf({ first: before.first, last: period.last });
  return [period.first, period.last, before.first, before.last, subject, ...ids];
}

function measured(
  key: string,
  { compared, unit }: Measure,
  period: Period,
  found: Counted | undefined,
): AdminMeasure {
  const total = found?.total ?? '0';
  return {
    key,
    unit,
    total,
    ...(unit === 'bytes' ? { human_value: humanBytes(Number(total)) } : {}),
    ...(compared ? { previous_total: found?.previous_total ?? '0' } : {}),
    data: daysOf(period).map((day, index) => ({
      date: COUNTERS.has(key) ? `${day}T00:00:00Z` : day,
      value: found?.values[index] ?? '0',
    })),
  };
}
