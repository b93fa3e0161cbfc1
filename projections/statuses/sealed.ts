import { MediaSealed } from '#events/media.ts';
import type { RecordedOf } from '#kernel/event.ts';
import { on } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';

/**
 * SQL: a text with the addresses of an upload `n` after it was sealed. Keys of files occur nowhere else in a
 * text.
 */
const moved = (text: string): string =>
  `replace(replace(${text}, coalesce(n.former_file, ''), coalesce(n.file, '')),
     coalesce(n.former_preview, ''), coalesce(n.preview, ''))`;
const NEW_PLACES = `unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[])
   as n (status_id, former_file, file, former_preview, preview)`;

const SEAL = statement(
  'statuses_seal',
  `update statuses s set body = ${moved('s.body')}, media = ${moved('s.media')} from ${NEW_PLACES} where s.id = n.status_id`,
);
const SEAL_EDITS = statement(
  'status_edits_seal',
  `update status_edits e set media = ${moved('e.media')} from ${NEW_PLACES} where e.status_id = n.status_id`,
);

type Sealed = RecordedOf<typeof MediaSealed>;

/** Removed posts show their uploads to staff and to their author at the new addresses. */
export const sealedHandler = on(MediaSealed, {
  keys: ({ data }) => [data.status_id],
  apply: async (events, db) => {
    for (const round of rounds(events)) {
      const values = [
        round.map(({ data }) => data.status_id),
        round.map(({ data }) => data.former.file),
        round.map(({ data }) => data.file),
        round.map(({ data }) => data.former.preview),
        round.map(({ data }) => data.preview),
      ];
      await db.query(SEAL, values);
      await db.query(SEAL_EDITS, values);
    }
  },
});

/** One upload of each post per round: a statement changes a row once. */
function rounds(events: readonly Sealed[]): Sealed[][] {
  const all: Sealed[][] = [];
  const seen = new Map<string, number>();
  for (const event of events) {
    const { status_id } = event.data;
    const round = seen.get(status_id) ?? 0;
    seen.set(status_id, round + 1);
    (all[round] ??= []).push(event);
  }
  return all;
}
