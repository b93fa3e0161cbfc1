import { catalogue } from '#events/index.ts';
import type { AnyEvent, EventMetadata, JsonObject, RecordedEvent } from '#kernel/event.ts';
import type { LoggedEvent } from '#kernel/services/event-browser.ts';
import {
  createCodec,
  type DamagedEvent,
  type LoadedKeys,
  subjectIn,
  type SubjectKeys,
} from '#storage/eventlog/codec.ts';
import type { StoredEvent } from '#storage/eventlog/port.ts';

const DEFINITIONS: ReadonlyMap<string, AnyEvent> = new Map(catalogue.map((each) => [each.type, each]));

/** Decodes events for the operator. An event that this version cannot read is shown without its data. */
export async function describe(
  events: readonly StoredEvent[],
  keys: Pick<SubjectKeys, 'load'>,
): Promise<LoggedEvent[]> {
  const subjects = events.flatMap((event) => subjectOf(event) ?? []);
  const loaded: LoadedKeys = subjects.length > 0 ? await keys.load([...new Set(subjects)]) : new Map();
  const damaged = new Set<bigint>();
  const onDamaged = (found: readonly DamagedEvent[]): void => {
    for (const { position } of found) damaged.add(position);
  };
  const subjectKeys = { keyFor: neverEncodes, load: () => Promise.resolve(loaded) };
  const codec = createCodec(catalogue, subjectKeys, { onDamaged });
  return Promise.all(
    events.map(async (event) => {
      const [read] = await codec.decode([event]).catch(() => []);
      return logged(event, read, loaded, damaged.has(event.position));
    }),
  );
}

const neverEncodes = (): Promise<never> => Promise.reject(new Error('This codec only reads'));

function logged(
  event: StoredEvent,
  read: RecordedEvent | undefined,
  keys: LoadedKeys,
  damaged: boolean,
): LoggedEvent {
  const { position, stream, revision, id, type } = event;
  const fields = Object.keys(DEFINITIONS.get(type)?.personal?.erased ?? {});
  const subject = subjectOf(event);
  return {
    position: String(position),
    stream,
    revision,
    id,
    type,
    metadata: read?.metadata ?? (JSON.parse(event.metadata) as EventMetadata),
    data: (read?.data as JsonObject | undefined) ?? null,
    personal:
      fields.length === 0 || subject === undefined
        ? null
        : { fields, encrypted: subjectIn(event) !== undefined, erased: !keys.has(subject), damaged },
  };
}

/** Returns the subject of the personal fields, also where an early version stored them in clear text. */
function subjectOf(event: StoredEvent): string | undefined {
  const personal = DEFINITIONS.get(event.type)?.personal;
  if (!personal) return undefined;
  return subjectIn(event) ?? personal.subject(JSON.parse(event.data));
}
