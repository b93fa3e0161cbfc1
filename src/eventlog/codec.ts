import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto';
import type { EventDefinition, EventMetadata, JsonObject, RecordedEvent } from '../kernel/event.ts';
import type { EncodedEvent, NewEvent, StoredEvent } from './port.ts';

/** The encryption keys of data subjects, kept outside the log. Destroying one erases the subject's personal fields. */
export interface SubjectKeys {
  /** The key to encrypt with; made when the subject has none yet. @throws when the key was destroyed */
  keyFor(subject: string): Promise<KeyObject>;
  /** The keys of these subjects; those that were destroyed are absent. One statement at most. */
  load(subjects: readonly string[]): Promise<ReadonlyMap<string, KeyObject>>;
}

export interface Codec {
  encode(event: NewEvent): Promise<EncodedEvent>;
  decode(events: readonly StoredEvent[]): Promise<RecordedEvent[]>;
}

/** In the stored JSON: the personal fields, encrypted, and whose key it was. */
const SECRET = '$secret';
const SUBJECT = '$subject';
const VERSION = '$v';

/**
 * Between events and their stored form: checks the payload, notes the schema version, encrypts personal fields
 * (AES-256-GCM, the event id as additional data), and on the way back decrypts and upcasts. The personal fields of an
 * erased subject come back as the catalogue says (`erased`).
 */
export function createCodec(
  definitions: readonly EventDefinition<string, never>[],
  keys: SubjectKeys,
): Codec {
  const catalogue = new Map(
    definitions.map((definition) => [definition.type, definition as unknown as AnyDefinition]),
  );
  const definitionOf = (type: string): AnyDefinition => {
    const definition = catalogue.get(type);
    if (!definition) throw new Error(`The catalogue has no event type ${type}`);
    return definition;
  };
  // The same stored object is read by every group of projections; it is decoded once.
  const decoded = new WeakMap<StoredEvent, RecordedEvent>();

  return {
    async encode({ id, type, data, metadata }) {
      const definition = definitionOf(type);
      const clear = definition.schema.parse(data);
      const stored = definition.personal ? await encrypt(id, clear, definition.personal, keys) : clear;
      return {
        id,
        type,
        data: JSON.stringify(stored),
        metadata: JSON.stringify({ ...metadata, [VERSION]: definition.version }),
      };
    },

    async decode(events) {
      const parsed = events.map((event) => decoded.get(event) ?? parse(event));
      const subjects = new Set<string>();
      for (const event of parsed) {
        if ('data' in event) continue;
        if (SUBJECT in event.stored) subjects.add(event.stored[SUBJECT] as string);
      }
      const known = subjects.size > 0 ? await keys.load([...subjects]) : new Map<string, KeyObject>();
      return parsed.map((event, index) => {
        if ('data' in event) return event;
        const { stored, version, ...rest } = event;
        const definition = definitionOf(rest.type);
        const clear = SECRET in stored ? decrypt(rest.id, stored, known, definition) : stored;
        const recorded = { ...rest, data: upcast(clear, version, definition) };
        decoded.set(events[index] as StoredEvent, recorded);
        return recorded;
      });
    },
  };
}

type AnyDefinition = EventDefinition<string, JsonObject>;
type Parsed = Omit<RecordedEvent, 'data'> & { stored: JsonObject; version: number };

function parse(event: StoredEvent): Parsed {
  const { [VERSION]: version, ...metadata } = JSON.parse(event.metadata) as EventMetadata & {
    [VERSION]: number;
  };
  return {
    position: event.position,
    stream: event.stream,
    revision: event.revision,
    id: event.id,
    type: event.type,
    metadata,
    stored: JSON.parse(event.data) as JsonObject,
    version,
  };
}

function upcast(data: JsonObject, version: number, definition: AnyDefinition): JsonObject {
  let current = data;
  for (let step = version; step < definition.version; step += 1) {
    const next = definition.upcasts?.[step];
    if (!next) throw new Error(`${definition.type} has no upcast from version ${step}`);
    current = next(current);
  }
  return current;
}

async function encrypt(
  id: string,
  data: JsonObject,
  personal: NonNullable<AnyDefinition['personal']>,
  keys: SubjectKeys,
): Promise<JsonObject> {
  const subject = personal.subject(data);
  const secret: JsonObject = {};
  const stored: JsonObject = {};
  for (const [field, value] of Object.entries(data)) {
    (field in personal.erased ? secret : stored)[field] = value;
  }
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', await keys.keyFor(subject), iv);
  cipher.setAAD(Buffer.from(id));
  const text = Buffer.concat([cipher.update(JSON.stringify(secret), 'utf8'), cipher.final()]);
  stored[SECRET] = Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64');
  stored[SUBJECT] = subject;
  return stored;
}

function decrypt(
  id: string,
  stored: JsonObject,
  keys: ReadonlyMap<string, KeyObject>,
  definition: AnyDefinition,
): JsonObject {
  const { [SECRET]: secret, [SUBJECT]: subject, ...clear } = stored;
  const key = keys.get(subject as string);
  if (!key) return Object.assign(clear, definition.personal?.erased);
  const bytes = Buffer.from(secret as string, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
  decipher.setAAD(Buffer.from(id));
  decipher.setAuthTag(bytes.subarray(12, 28));
  const text = decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8');
  return Object.assign(clear, JSON.parse(text) as JsonObject);
}
