import { createCipheriv, createDecipheriv, type KeyObject, randomFillSync } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type {
  AnyEvent,
  EventDefinition,
  EventMetadata,
  Json,
  JsonObject,
  RecordedEvent,
} from '#kernel/event.ts';
import type { DamagedEvent, EncodedEvent, NewEvent, StoredEvent } from './port.ts';
import { UnknownType, unreadable } from './unreadable-event.ts';

export type { DamagedEvent } from './port.ts';

/** Stands for a stored key that the master key does not decrypt. */
export const DAMAGED_KEY = Symbol('damaged key');
export type LoadedKeys = ReadonlyMap<string, KeyObject | typeof DAMAGED_KEY>;

/** The encryption keys of data subjects, kept outside the log. Destroying one erases the subject's personal fields. */
export interface SubjectKeys {
  /** Returns the key to encrypt with; creates it on first use. @throws when the key was destroyed or is damaged */
  keyFor(subject: string): Promise<KeyObject>;
  /** Returns the keys of these subjects without the destroyed ones, in at most one statement. */
  load(subjects: readonly string[]): Promise<LoadedKeys>;
  /** Calls back when keys were destroyed, in any process. Decrypted data must not be cached past that. */
  onDestroyed?(listener: () => void): void;
}

export interface Codec {
  encode(event: NewEvent): Promise<EncodedEvent>;
  /**
   * `remember` caches the result for other readers of the same stored objects. It costs more than it saves
   * when there is one reader. With `keepUnreadable`, an event that cannot be decoded is `unreadable` in its place.
   * @throws Error that names an event which cannot be decoded
   */
  decode(
    events: readonly StoredEvent[],
    options?: { remember?: boolean; keepUnreadable?: boolean },
  ): Promise<RecordedEvent[]>;
}

export interface CodecOptions {
  /** Notes damaged events, before their readers see them. It must not reject. */
  onDamaged?: (events: readonly DamagedEvent[]) => unknown;
}

/** The member of the stored JSON that holds the encrypted personal fields and the subject of their key. */
const SECRET = '$secret';
const SUBJECT = '$subject';
const VERSION = '$v';

/**
 * Tells whether metadata is of an event that this codec encoded. In every version it has the ids of the command
 * and of its cause, and the schema version as its last member.
 */
export const isEncoded = (metadata: string): boolean =>
  /,"\$v":[0-9]{1,9}\}$/.test(metadata) &&
  metadata.includes('"command_id":"') &&
  metadata.includes('"correlation_id":"');

/**
 * Converts events to their stored form and back. Encoding checks the payload, notes the schema version and
 * encrypts personal fields (AES-256-GCM, the event id as additional data). Decoding decrypts and upcasts. The
 * personal fields of an erased subject get the values that the catalogue declares (`erased`), and so do fields
 * that cannot be decrypted.
 */
export const createCodec = (
  definitions: readonly AnyEvent[],
  keys: SubjectKeys,
  options: CodecOptions = {},
): Codec => new CatalogueCodec(definitions, keys, options);

class CatalogueCodec implements Codec {
  readonly #catalogue: ReadonlyMap<string, AnyDefinition>;
  readonly #keys: SubjectKeys;
  readonly #options: CodecOptions;
  /**
   * Events that this process appended, for its own projectors a moment later. The stored texts identify them,
   * because an id may come again when a decision is repeated.
   */
  readonly #appended = new LRUCache<string, Appended>({
    max: 1_000,
    maxSize: 8_000_000,
    sizeCalculation: ({ encoded }) => encoded.data.length,
  });
  /** Every reader of the log reads each stored object, but it is decoded once. */
  #decoded = new WeakMap<StoredEvent, RecordedEvent>();
  #erasures = 0;

  constructor(definitions: readonly AnyEvent[], keys: SubjectKeys, options: CodecOptions) {
    this.#options = options;
    this.#catalogue = new Map(
      definitions.map((definition) => [definition.type, definition as AnyDefinition]),
    );
    this.#keys = keys;
    keys.onDestroyed?.(() => {
      this.#erasures += 1;
      this.#appended.clear();
      this.#decoded = new WeakMap();
    });
  }

  async encode({ id, type, data, metadata }: NewEvent): Promise<EncodedEvent> {
    const definition = this.#catalogue.get(type);
    if (!definition) throw new Error(`The catalogue has no event type ${type}`);
    const before = this.#erasures;
    const payload = definition.schema.parse(data);
    const { open, secret } = split(payload, definition);
    const encrypted =
      definition.personal && (await encrypt(id, secret, definition.personal.subject(payload), this.#keys));
    const encoded = {
      id,
      type,
      data: withLast(JSON.stringify(open), encrypted ?? ''),
      metadata: withLast(JSON.stringify(metadata), `"${VERSION}":${definition.version}`),
    };
    // The order in which decoding produces the fields.
    const content = {
      data: { ...open, ...secret },
      metadata: plainJson(metadata) as unknown as EventMetadata,
    };
    if (before === this.#erasures) this.#appended.set(id, { encoded, ...content });
    return encoded;
  }

  async decode(
    events: readonly StoredEvent[],
    { remember = false, keepUnreadable = false }: { remember?: boolean; keepUnreadable?: boolean } = {},
  ): Promise<RecordedEvent[]> {
    const memory = remember ? this.#decoded : undefined;
    const unpacked = events.map((event) => {
      try {
        return this.#known(event) ?? unpack(event, this.#definitionOf(event));
      } catch (error) {
        return unreadable(event, error, keepUnreadable);
      }
    });
    const subjects = new Set<string>();
    for (const each of unpacked) {
      if ('content' in each && each.subject !== undefined) subjects.add(each.subject);
    }
    const loaded: LoadedKeys = subjects.size > 0 ? await this.#keys.load([...subjects]) : new Map();
    const damaged: DamagedEvent[] = [];
    const decoded = unpacked.map((each) => {
      if (!('content' in each)) return each;
      try {
        const recorded = recordedFrom(each, loaded, damaged);
        memory?.set(each.event, recorded);
        return recorded;
      } catch (error) {
        return unreadable(each.event, error, keepUnreadable);
      }
    });
    if (damaged.length > 0) await this.#options.onDamaged?.(damaged);
    return decoded;
  }

  #definitionOf({ type, position }: StoredEvent): AnyDefinition {
    const definition = this.#catalogue.get(type);
    if (definition) return definition;
    throw new UnknownType(
      `The event at position ${position} is of the type ${type}, which this version of Rookery does not know`,
    );
  }

  #known(event: StoredEvent): RecordedEvent | undefined {
    const decoded = this.#decoded.get(event);
    if (decoded) return decoded;
    const mine = this.#appended.get(event.id);
    if (mine?.encoded.data !== event.data || mine.encoded.metadata !== event.metadata) return undefined;
    const { position, stream, revision, id, type } = event;
    const recorded = { position, stream, revision, id, type, data: mine.data, metadata: mine.metadata };
    this.#appended.delete(event.id);
    this.#decoded.set(event, recorded);
    return recorded;
  }
}

interface Appended extends Pick<RecordedEvent, 'data' | 'metadata'> {
  encoded: EncodedEvent;
}
type AnyDefinition = EventDefinition<string, JsonObject>;

/** A stored event without the members that encoding added. */
interface Unpacked {
  event: StoredEvent;
  definition: AnyDefinition;
  metadata: EventMetadata;
  version: number;
  content: Content;
  /** The subject whose key decides whether personal fields can be read; undefined without such fields. */
  subject: string | undefined;
}
/** Fields that are all open, or the open ones as JSON without braces, and the encrypted ones. */
type Content = { open: JsonObject } | { members: string; secret: Secret };
/** A damaged event lacks one of the two. */
interface Secret {
  [SECRET]?: string;
  [SUBJECT]?: string;
}

function unpack(event: StoredEvent, definition: AnyDefinition): Unpacked {
  const metadata = cut(event.metadata, VERSION);
  const data = cutSecret(event.data);
  const content: Content = data.added
    ? { members: data.members, secret: data.added }
    : { open: JSON.parse(`{${data.members}}`) as JsonObject };
  const { [VERSION]: version } = (metadata.added ?? {}) as { [VERSION]?: number };
  // Fields that were stored before they were personal are open, and are left out once the key is destroyed.
  const subject: unknown =
    'open' in content ? definition.personal?.subject(content.open) : content.secret[SUBJECT];
  if (!isSubject(subject)) throw new Error('It names no data subject');
  return {
    event,
    definition,
    metadata: JSON.parse(`{${metadata.members}}`) as EventMetadata,
    version: version ?? definition.version,
    content,
    subject,
  };
}

/** The keys of a whole batch are read in one statement, which must not fail for one event. */
const isSubject = (subject: unknown): subject is string | undefined =>
  subject === undefined || (typeof subject === 'string' && !subject.includes('\0'));

/**
 * Cuts off the members that encoding added: they come last and begin with the member of this name. Works on
 * texts, because deleting members of an object is slow, and so is reading that object afterwards. A quote
 * inside a JSON string is always escaped.
 */
function cut(json: string, name: string): { members: string; added: unknown } {
  const at = json.lastIndexOf(`"${name}":`);
  if (at < 0) return { members: json.slice(1, -1), added: undefined };
  return { members: json.slice(1, Math.max(at - 1, 1)), added: JSON.parse(`{${json.slice(at)}`) };
}

/** Cuts off the encrypted fields and their subject. */
function cutSecret(json: string): { members: string; added: Secret | undefined } {
  const data = cut(json, SECRET);
  // A damaged event may have the subject alone.
  const { members, added } = data.added ? data : cut(json, SUBJECT);
  return { members, added: added as Secret | undefined };
}

/** Returns the subject of the personal fields that are encrypted in an event; undefined where none are. */
export function subjectIn({ data }: Pick<StoredEvent, 'data'>): string | undefined {
  const { added } = cutSecret(data);
  return added?.[SUBJECT];
}

/** Returns the events whose encrypted fields the stored keys do not decrypt. Those of destroyed keys are not among them. */
export async function damagedAmong(
  events: readonly StoredEvent[],
  keys: Pick<SubjectKeys, 'load'>,
): Promise<DamagedEvent[]> {
  const secrets = events.flatMap((event) => {
    const { added } = cutSecret(event.data);
    return added ? [{ event, secret: added }] : [];
  });
  const subjects = new Set(secrets.flatMap(({ secret }) => secret[SUBJECT] ?? []));
  const loaded: LoadedKeys = subjects.size > 0 ? await keys.load([...subjects]) : new Map();
  const damaged: DamagedEvent[] = [];
  for (const { event, secret } of secrets) personalIn(event, secret, loaded, damaged);
  return damaged;
}

function recordedFrom(unpacked: Unpacked, keys: LoadedKeys, damaged: DamagedEvent[]): RecordedEvent {
  const { position, stream, revision, id } = unpacked.event;
  const { definition, metadata, version } = unpacked;
  const data = upcast(payload(unpacked, keys, damaged), version, definition);
  return { position, stream, revision, id, type: definition.type, data, metadata };
}

function payload(
  { event, definition, content, subject }: Unpacked,
  keys: LoadedKeys,
  damaged: DamagedEvent[],
): JsonObject {
  const erased = definition.personal?.erased;
  if ('open' in content) {
    if (subject === undefined || keys.has(subject)) return content.open;
    return { ...content.open, ...erased } as JsonObject;
  }
  const { members, secret } = content;
  const personal = personalIn(event, secret, keys, damaged)?.slice(1, -1);
  if (personal === undefined) return Object.assign(JSON.parse(`{${members}}`), erased) as JsonObject;
  return JSON.parse(`{${members}${members && personal && ','}${personal}}`) as JsonObject;
}

/**
 * Returns the JSON text of the encrypted fields; undefined when their key is destroyed, or when they are damaged, which it
 * notes.
 */
function personalIn(
  { position, id, type }: StoredEvent,
  { [SECRET]: secret, [SUBJECT]: subject }: Secret,
  keys: LoadedKeys,
  damaged: DamagedEvent[],
): string | undefined {
  const key = subject === undefined ? undefined : keys.get(subject);
  const isWhole = secret !== undefined && subject !== undefined;
  if (isWhole && !key) return undefined;
  const personal = isWhole && typeof key === 'object' ? decrypt(id, secret, key) : undefined;
  if (personal === undefined) {
    const cause = isWhole && key === DAMAGED_KEY ? 'key' : 'fields';
    damaged.push({ position, id, type, subject, cause });
  }
  return personal;
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

/** Splits a payload into the open part and the personal fields, both normalised as JSON. */
function split(payload: Plain, { personal }: AnyDefinition): { open: JsonObject; secret: JsonObject } {
  const open: JsonObject = {};
  const secret: JsonObject = {};
  const secrets = personal?.erased ?? {};
  for (const field in payload) {
    const value = payload[field];
    if (value === undefined) continue;
    if (field in secrets) secret[field] = plainJson(value);
    else open[field] = plainJson(value);
  }
  return { open, secret };
}

/** Appends members to the text of an object. Building an object for that would serialise it once more. */
const withLast = (json: string, members: string): string =>
  members === '' ? json : `${json.slice(0, -1)}${json === '{}' ? '' : ','}${members}}`;

/** @returns the members of the stored JSON with the personal fields */
async function encrypt(id: string, secret: JsonObject, subject: string, keys: SubjectKeys): Promise<string> {
  const key = await keys.keyFor(subject);
  const iv = nextIv();
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(id));
  const text = cipher.update(JSON.stringify(secret), 'utf8');
  // GCM has no padding, so only the tag is left.
  cipher.final();
  const bytes = Buffer.concat([iv, cipher.getAuthTag(), text]);
  return `"${SECRET}":"${bytes.toString('base64')}","${SUBJECT}":${JSON.stringify(subject)}`;
}

/** @returns the JSON text of the personal fields; undefined when this key did not encrypt this text */
function decrypt(id: string, secret: string, key: KeyObject): string | undefined {
  const bytes = Buffer.from(secret, 'base64');
  // The IV and the whole tag: Node also takes shorter tags, which would be easier to forge.
  if (bytes.length < 28) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
  decipher.setAAD(Buffer.from(id));
  decipher.setAuthTag(bytes.subarray(12, 28));
  const text = decipher.update(bytes.subarray(28));
  try {
    decipher.final();
  } catch {
    return undefined;
  }
  return text.toString();
}

/** Random bytes for many IVs: drawing twelve at a time costs a third of the encryption. */
const ivs = Buffer.alloc(12 * 256);
let ivAt = ivs.length;

/** Returns 96 random bits (NIST SP 800-38D, 8.2.2), valid until the next refill. */
function nextIv(): Buffer {
  if (ivAt === ivs.length) {
    randomFillSync(ivs);
    ivAt = 0;
  }
  return ivs.subarray(ivAt, (ivAt += 12));
}

/**
 * An object without a prototype. It is iterated with `for in`, because a list of its entries costs as much as
 * a copy.
 */
type Plain = Readonly<Record<string, unknown>>;

/** Returns the value after a round trip through JSON: a copy without undefined members. */
function plainJson(value: unknown): Json {
  if (typeof value !== 'object' || value === null) return value as Json;
  if (Array.isArray(value)) return value.map(plainJson);
  const copy: JsonObject = {};
  for (const key in value) {
    const item = (value as Plain)[key];
    if (item !== undefined) copy[key] = plainJson(item);
  }
  return copy;
}
