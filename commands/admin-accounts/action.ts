import { z } from 'zod';
import { accountAction } from '../../src/events/moderation.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { notFound } from '../../src/kernel/errors.ts';
import { formBoolean, idParams } from '../../src/kernel/input.ts';
import { takeAction } from '../accounts/index.ts';

const MAX_TEXT = 10_000;

/** https://docs.joinmastodon.org/methods/admin/accounts/#action */
export const actOnAccount = endpoint({
  method: 'POST',
  path: '/api/v1/admin/accounts/:id/action',
  summary: 'Warn, mark as sensitive, disable, limit or suspend an account',
  auth: 'user',
  scopes: ['admin:write:accounts'],
  permission: 'manage_users',
  params: idParams,
  body: z.object({
    type: accountAction,
    /** There are no presets here, so an id names none. */
    warning_preset_id: z.string().max(40).nullish(),
    text: z.string().max(MAX_TEXT).nullish(),
    send_email_notification: formBoolean.optional(),
  }),
  reply: z.strictObject({}),
  handler: async (ctx, { params, body }) => {
    if (body.warning_preset_id) throw notFound();
    await takeAction(
      ctx,
      params.id,
      {
        action: body.type,
        id: ctx.newId(),
        text: body.text?.trim() ?? '',
        reportId: null,
        statusIds: [],
        notify: body.send_email_notification !== false,
      },
      ctx.viewer,
    );
    return { json: {} };
  },
});
