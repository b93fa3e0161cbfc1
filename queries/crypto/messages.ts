import { z } from 'zod';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { keysetStatement, pageParameters, readPage } from '../../src/kernel/paging.ts';
import { deviceOfToken } from './device.ts';
import { encryptedMessageSchema, type EncryptedMessageReply } from './schemas.ts';

const MESSAGES = keysetStatement(
  'crypto_messages',
  (order) => `
    select id, from_account_id as account_id, from_device_id as device_id, type, body, digest, message_franking,
      created_at
    from durable.crypto_messages
    where $1::bigint is not null and crypto_device_id = $5 and id < $2 and id > $3
    order by id ${order} limit $4`,
);

export const listEncryptedMessages = endpoint({
  method: 'GET',
  path: '/api/v1/crypto/encrypted_messages',
  summary: 'View the messages that wait for the own device',
  auth: 'user',
  scopes: ['crypto'],
  query: z.object(pageParameters(80, 80)),
  reply: z.array(encryptedMessageSchema),
  errors: [404],
  handler: async (ctx, { query }) => {
    const device = await deviceOfToken(ctx.db, ctx.token.id);
    const idOf = ({ id }: EncryptedMessageReply): string => id;
    const { rows, page } = await readPage(ctx, MESSAGES, query, idOf, [device.id]);
    return { json: rows, page };
  },
});
