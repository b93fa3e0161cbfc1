import { batcherPerDb } from '#kernel/batcher.ts';
import type { UserContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { json, jsonArray, type JsonPieces } from '#kernel/json-pieces.ts';
import { statement } from '#kernel/read.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS, accountJson, type AccountRow } from '../entities/account.ts';
import { fillOrigins } from '../entities/ready-json.ts';
import { findStatuses } from '../statuses/index.ts';
import type { ConversationRow } from './shown.ts';

const ACCOUNTS = statement<AccountRow>(
  'conversation_accounts',
  `select ${ACCOUNT_COLUMNS} from accounts a ${ACCOUNT_STATS} where a.id = any($1)`,
);
/**
 * Loads the accounts of all viewers that ask in one turn of the event loop in one statement; a page of
 * conversations has many participants.
 */
const accounts = batcherPerDb<Id, AccountRow>(
  (db) => async (ids) => {
    const rows = await db.query(ACCOUNTS, [[...new Set(ids)]]);
    const found = new Map(rows.map((row) => [row.account_id, row]));
    return ids.map((id) => found.get(id));
  },
  { size: 1_000 },
);

/**
 * Renders https://docs.joinmastodon.org/entities/Conversation/ with two statements, however many there are. A
 * conversation with oneself has its author as participant.
 */
export async function conversationsJson(
  ctx: UserContext,
  rows: readonly ConversationRow[],
): Promise<JsonPieces[]> {
  if (rows.length === 0) return [];
  const participantsOf = ({ participants }: ConversationRow): readonly string[] =>
    participants.length === 0 ? [ctx.viewer.account_id] : participants;
  const ids = [...new Set(rows.flatMap(participantsOf))];
  const known = accounts(ctx.db);
  const [statuses, ...participants] = await Promise.all([
    findStatuses(
      ctx,
      rows.map(({ last_status_id }) => last_status_id),
    ),
    ...ids.map((id) => known.get(id)),
  ]);
  const accountJsons = new Map(
    participants.flatMap((row) =>
      row ? [[row.account_id, fillOrigins(accountJson(row), ctx.instance)] as const] : [],
    ),
  );
  return rows.map((row, index) => {
    const shown = participantsOf(row).flatMap((id) => accountJsons.get(id) ?? []);
    const facts = `"id":"${row.id}","unread":${row.unread}`;
    return json`{${facts},"accounts":${jsonArray(shown)},"last_status":${statuses[index] ?? 'null'}}`;
  });
}
