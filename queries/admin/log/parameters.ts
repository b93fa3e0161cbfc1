import { z } from 'zod';
import { catalogue } from '../../../src/events/index.ts';
import { notFound } from '../../../src/kernel/errors.ts';
import { isId } from '../../../src/kernel/ids.ts';
import { formArray, formBoolean, orAbsent } from '../../../src/kernel/input.ts';
import { statement, type Db } from '../../../src/kernel/read.ts';

/** A position of the log. */
export const position = z.string().regex(/^\d{1,18}$/, 'must be a position of the log, such as 120');
export const optionalPosition = orAbsent(position);

const CORRELATION = /^[\w.:-]{1,100}$/;
export const correlation = z.string().regex(CORRELATION, 'is no correlation id');

const LARGEST_PAGE = 100;
const DEFAULT_PAGE = 40;

export const logParameters = {
  type: formArray(
    z.enum(
      catalogue.map(({ type }) => type),
      'is no type of event',
    ),
    20,
  )
    .default([])
    .describe('Only events of these types, such as `StatusCreated`.'),
  stream: orAbsent(z.string().max(500)).describe(
    'Only events of this stream, or of streams that begin so: `status-*`.',
  ),
  actor: orAbsent(z.string().max(100)).describe('Only events by this local user: a username or an ID.'),
  correlation: orAbsent(correlation).describe('Only events with this correlation id.'),
  max_id: optionalPosition.describe('Only events before this position.'),
  limit: z.coerce
    .number('must be a number')
    .int()
    .min(1)
    .max(LARGEST_PAGE)
    .default(DEFAULT_PAGE)
    .describe(`The most events, up to ${LARGEST_PAGE}.`),
};

export const personalParameter = formBoolean
  .optional()
  .describe('Whether to show personal fields, which are encrypted in the log.');

const BY_NAME = statement(
  'log_actor',
  'select id from accounts where lower(username) = lower($1) and domain is null',
);

/** Returns the id of a local user. @throws RookeryError `not_found` for an unknown name */
export async function actorId(db: Db, actor: string | undefined): Promise<string | undefined> {
  if (actor === undefined || isId(actor)) return actor;
  const [row] = await db.query<{ id: string }>(BY_NAME, [actor.replace(/^@/, '')]);
  if (!row) throw notFound();
  return row.id;
}
