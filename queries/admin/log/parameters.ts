import { z } from 'zod';
import { catalogue } from '#events/index.ts';
import type { RequestContext } from '#kernel/context.ts';
import { notFound } from '#kernel/errors.ts';
import { isId } from '#kernel/ids.ts';
import { formArray, formBoolean, orAbsent } from '#kernel/input.ts';
import { limitParameter } from '#kernel/paging.ts';
import { accountIdOfHandle } from '#queries/accounts/index.ts';
import { moment } from '../audit/index.ts';

/** A position of the log. */
export const position = z.string().regex(/^\d{1,18}$/, 'must be a position of the log, such as 120');
export const optionalPosition = orAbsent(position);

const CORRELATION = /^[\w.:-]{1,100}$/;
export const correlation = z.string().regex(CORRELATION, 'is no correlation id');

export const TYPES = catalogue.map(({ type }) => type).sort();

const types = formArray(z.enum(TYPES, 'is no type of event'), 20).default([]);

export const logParameters = {
  type: types.describe('Only events of these types, such as `StatusCreated`.'),
  exclude_type: types.describe('Events of these types are left out, such as `AuditViewed`.'),
  exclude_own_views: formBoolean
    .optional()
    .describe('Whether to leave out the looks of the requesting user at the log (`AuditViewed`).'),
  from: moment.describe('Only events of this day (UTC) or time, and later ones.'),
  until: moment.describe('Only events before this day (UTC) or time.'),
  stream: orAbsent(z.string().max(500)).describe(
    'Only events of this stream, or of streams that begin so: `status-*`.',
  ),
  actor: orAbsent(z.string().max(320)).describe('Only events by this account: its ID or its handle.'),
  correlation: orAbsent(correlation).describe('Only events with this correlation id.'),
  max_id: optionalPosition.describe('Only events before this position.'),
  limit: limitParameter(40, 100),
};

export const personalParameter = formBoolean
  .optional()
  .describe('Whether to show personal fields, which are encrypted in the log.');

/** Returns the id of an account. @throws RookeryError `not_found` for an unknown handle */
export async function actorId(
  { db, instance }: RequestContext,
  actor: string | undefined,
): Promise<string | undefined> {
  if (actor === undefined || isId(actor)) return actor;
  const id = await accountIdOfHandle(db, instance, actor.replace(/^@/, ''));
  if (id === undefined) throw notFound();
  return id;
}
