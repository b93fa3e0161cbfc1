import { type Db, statement } from '#kernel/read.ts';
import { type EventStore, type ForeignEvent, StreamDeleted } from './port.ts';

/** Streams that are noted, and those that are looked at again. */
const MOST_NOTED = 1_000;
const MOST_SHOWN = 10;

const NOTE = statement(
  'foreign_stream_note',
  `insert into durable.foreign_streams (stream, type, position)
   select $1, $2, $3 where (select count(*) from durable.foreign_streams) < ${MOST_NOTED}
   on conflict do nothing`,
);
const NOTED = statement<{ stream: string }>(
  'foreign_streams_noted',
  `select stream from durable.foreign_streams order by position limit ${MOST_SHOWN}`,
);
const FORGET = statement('foreign_stream_forget', 'delete from durable.foreign_streams where stream = $1');

/** Notes that another program writes to a stream with a name of this program. */
export async function noteForeignStream(db: Db, { stream, type, position }: ForeignEvent): Promise<void> {
  await db.query(NOTE, [stream, type, String(position)]);
}

/** Returns noted streams that still have an event of another program, with the first such event. Forgets the others. */
export async function foreignStreams(db: Db, store: Pick<EventStore, 'foreignIn'>): Promise<ForeignEvent[]> {
  const found: ForeignEvent[] = [];
  for (const { stream } of await db.query(NOTED)) {
    const event = await store.foreignIn(stream).catch((error: unknown) => {
      if (error instanceof StreamDeleted) return undefined;
      throw error;
    });
    if (event) found.push(event);
    else await db.query(FORGET, [stream]);
  }
  return found;
}
