import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { keysetStatement, pageParameters, readPage } from '#kernel/paging.ts';
import { type Db, statement } from '#kernel/read.ts';
import { deviceOfToken } from './device.ts';
import { type EncryptedMessageReply, encryptedMessageSchema } from './schemas.ts';

const COLUMNS = `m.id, m.from_account_id as account_id, m.from_device_id as device_id, m.type, m.body, m.digest,
  m.message_franking, m.created_at`;

const MESSAGES = keysetStatement<EncryptedMessageReply>(
  'crypto_messages',
  (order) => `
    select ${COLUMNS} from durable.crypto_messages m
    where $1::bigint is not null and m.crypto_device_id = $5 and m.id < $2 and m.id > $3
    order by m.id ${order} limit $4`,
);
const ARRIVED = statement<EncryptedMessageReply & { token_id: string }>(
  'crypto_messages_arrived',
  `select d.access_token_id::text as token_id, ${COLUMNS}
   from durable.crypto_messages m join durable.crypto_devices d on d.id = m.crypto_device_id
   where m.id = any($1::bigint[]) and d.access_token_id = any($2::bigint[]) order by m.id`,
);

/** Returns the messages for the devices of these tokens, oldest first. */
export async function arrivedMessages(
  db: Db,
  ids: readonly string[],
  tokenIds: readonly string[],
): Promise<{ tokenId: string; message: EncryptedMessageReply }[]> {
  const rows = await db.query(ARRIVED, [ids, tokenIds]);
  return rows.map(({ token_id: tokenId, ...message }) => ({ tokenId, message }));
}

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
