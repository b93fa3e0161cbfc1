import type { UserContext } from '../../src/kernel/context.ts';
import { json, jsonArray, type JsonPieces } from '../../src/kernel/json-pieces.ts';
import { statement } from '../../src/kernel/read.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS, accountJson, type AccountRow } from '../entities/account.ts';
import { fillOrigins } from '../entities/ready-json.ts';
import { findStatuses } from '../statuses/index.ts';
import type { ConversationRow } from './shown.ts';

const ACCOUNTS = statement(
  'conversation_accounts',
  `select ${ACCOUNT_COLUMNS} from accounts a ${ACCOUNT_STATS} where a.id = any($1)`,
);

/**
 * https://docs.joinmastodon.org/entities/Conversation/. Two statements, however many there are. A note to oneself has its
 * author as participant.
 */
export async function conversationsJson(
  ctx: UserContext,
  rows: readonly ConversationRow[],
): Promise<JsonPieces[]> {
  if (rows.length === 0) return [];
  const participantsOf = ({ participants }: ConversationRow): readonly string[] =>
    participants.length === 0 ? [ctx.viewer.account_id] : participants;
  const [statuses, accounts] = await Promise.all([
    findStatuses(
      ctx,
      rows.map(({ last_status_id }) => last_status_id),
    ),
    ctx.db.query<AccountRow>(ACCOUNTS, [[...new Set(rows.flatMap(participantsOf))]]),
  ]);
  const accountJsons = new Map(
    accounts.map((row) => [row.account_id, fillOrigins(accountJson(row), ctx.instance)]),
  );
  return rows.map((row, index) => {
    const participants = participantsOf(row).flatMap((id) => accountJsons.get(id) ?? []);
    const facts = `"id":"${row.id}","unread":${row.unread}`;
    return json`{${facts},"accounts":${jsonArray(participants)},"last_status":${statuses[index] ?? 'null'}}`;
  });
}
