/** Names of members whose values are secret or random. */
const SECRET =
  /^(?:access_token|client_id|client_secret|vapid_key|server_key|hash|proof|checkpoint|signature)$/;
/**
 * Names of members that hold what was measured, and counts that depend on how fast the steps follow: they are cached, or count
 * work in the background.
 */
const MEASURED =
  /(?:_ms|_seconds|_bytes|_per_second)$|^(?:lag|status_count|localPosts|failed|retrying|running|scheduled|waiting|tries)$/;
/** The name of a list whose order depends on retries in the background. */
const JOBS = 'jobs';
const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
/** Names of members that hold ids, short or long. */
const ID = /(?:^|_)ids?$/;
/**
 * An id with at least this number of digits is unique. Shorter ids are counters, and each kind of object has
 * its own counter.
 */
const UNIQUE = 9;
/**
 * The end of the key of a group of notifications: the number of hours from 1970 to the beginning of the
 * group.
 */
const SPAN = /-\d{6}$/;
/** Only the first items of a list are kept. */
const KEPT = 3;
/** Only the first characters of a text that is not JSON are kept. */
const TEXT = 200;

/** Replaces the values that differ from run to run: hosts, ids, times and names of files. */
export class Normaliser {
  readonly #hosts: readonly [string, string][];
  readonly #saved: ReadonlyMap<string, string>;

  constructor({ base, domain }: { base: string; domain?: string }, saved: ReadonlyMap<string, string>) {
    const names = [new URL(base).host, ...(domain === undefined ? [] : [domain])];
    this.#hosts = [[base, 'https://host'], ...names.map((name): [string, string] => [name, 'host'])];
    this.#saved = saved;
  }

  headers(headers: Record<string, string>): Record<string, string> {
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, this.#text(value)]));
  }

  body(body: unknown): unknown {
    if (typeof body !== 'string') return this.#value(body, '');
    return /^\s*<(?:!doctype|html)/i.test(body) ? '<page>' : this.#text(body.slice(0, TEXT));
  }

  #value(value: unknown, key: string): unknown {
    if (SECRET.test(key) && typeof value === 'string') return '<secret>';
    if (key === 'group_key' && typeof value === 'string') return this.#text(value).replace(SPAN, '-<span>');
    if (typeof value === 'string') return ID.test(key) ? this.#id(value) : this.#text(value);
    if (MEASURED.test(key) && typeof value === 'number') return '<measured>';
    if (typeof value === 'number') return ID.test(key) || value > 1_000_000_000 ? '<number>' : value;
    if (Array.isArray(value)) {
      const kept = value.slice(0, KEPT).map((item) => this.#item(item, key));
      return value.length > KEPT ? [...kept, `<${value.length - KEPT} more>`] : kept;
    }
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .map(([name, member]) => [this.#name(name), this.#value(member, name)] as const)
        .sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)),
    );
  }

  #item(item: unknown, key: string): unknown {
    const shown = this.#value(item, key);
    return key === JOBS && typeof shown === 'object' ? { ...shown, name: '<job>' } : shown;
  }

  /** In the errors of votes, ids are names of members too. */
  #name(name: string): string {
    return /^\d{5,}$/.test(name) ? this.#id(name) : name;
  }

  #id(id: string): string {
    if (id.length < UNIQUE) return /^\d+$/.test(id) ? '<id>' : this.#text(id);
    for (const [name, value] of this.#saved) if (value === id) return `{${name}}`;
    return /^\d+$/.test(id) ? '<id>' : this.#text(id);
  }

  #text(text: string): string {
    let shown = text;
    for (const [real, name] of this.#hosts) shown = shown.replaceAll(real, name);
    return (
      shown
        .replaceAll(/-----BEGIN[\s\S]*-----END [A-Z ]+-----/g, '<key>')
        .replaceAll(/\S+@example\.org/g, '<email>')
        .replaceAll(UUID, '<uuid>')
        .replaceAll(/(audit-view-\d+-)\d{6}\b/g, '$1<hour>')
        .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(\.\d+)?(Z|[+-]\d\d:\d\d)/g, asTime)
        .replaceAll(/\b\d{4}-\d\d-\d\d\b/g, '<day>')
        .replaceAll(/\/[^\s"]*?\.(png|jpe?g|gif|webp|mp4|mp3)\b/g, '/<file>.$1')
        .replaceAll(/[A-Za-z0-9_-]{40,}/g, '<long>')
        .replaceAll(/\d{9,}/g, (id) => this.#id(id))
        .replaceAll(/((?:max|min|since)_id=|^ungrouped-|\/api\/v\d\/[\w/]+\/)\d+/g, '$1<id>')
        // The path of an actor differs between servers.
        .replaceAll(/(https:\/\/host\/)(?:ap\/users|ap|users)\/(?:\w+|\{\w+\}|<id>)/g, '$1<actor>')
        // A shortened link splits an id into two parts.
        .replaceAll(/(\/@\w+\/)\d+/g, '$1<id>')
        .replaceAll(/(class="invisible">)\d+(?=<)/g, '$1<id>')
    );
  }
}

/** Replaces a time by a description of its format. */
const asTime = (_: string, fraction: string | undefined, zone: string): string =>
  `<time${fraction === undefined ? ' without a fraction' : ''}${zone === 'Z' ? '' : ` ${zone}`}>`;
