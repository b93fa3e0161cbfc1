import { RookeryError } from '#kernel/errors.ts';
import { pause } from '#kernel/pause.ts';
import type { HttpClient, HttpResponse } from '#kernel/services/http-client.ts';
import { HASH_BYTES, placePath, type TileAddress, tilePath } from '#kernel/tile-address.ts';

/** Milliseconds for a file. */
const DEADLINE = 20_000;
const MAX_NOTE = 65_536;
/** Bytes of the public part of an event. */
const MAX_ENTRY = 512;
/** Seconds to wait after a refusal for too many requests; a server that names more gets this. */
const MAX_WAIT = 300;
/** Refusals in a row. */
const MAX_REFUSALS = 5;

type Place = Pick<TileAddress, 'place' | 'width'>;

/** The log of another server, as far as it is public. All methods throw `unavailable` for a server that does not answer. */
export class LogSource {
  readonly #http: Pick<HttpClient, 'fetch'>;
  readonly #origin: string;

  /** @param url any address of the server */
  constructor(http: Pick<HttpClient, 'fetch'>, url: string) {
    this.#http = http;
    this.#origin = new URL(url).origin;
  }

  /** Returns undefined where there is no checkpoint. */
  checkpoint(): Promise<string | undefined> {
    return this.#text('log/checkpoint', MAX_NOTE);
  }

  key(): Promise<string | undefined> {
    return this.#text('key', MAX_NOTE);
  }

  /** Returns the signed notes of accepted divergences. */
  async divergences(): Promise<string> {
    return (await this.#text('divergences', 1_048_576)) ?? '';
  }

  /** Returns the hashes of a tile; undefined where the server has no such tile, or another width. */
  async tile(address: TileAddress): Promise<Buffer[] | undefined> {
    const length = address.width * HASH_BYTES;
    const body = await this.#get(`log/tile/${tilePath(address)}`, length);
    if (body?.length !== length) return undefined;
    return Array.from({ length: address.width }, (_, n) =>
      body.subarray(n * HASH_BYTES, (n + 1) * HASH_BYTES),
    );
  }

  /** Returns what is public of the events of a tile, a line each; undefined as `tile`. */
  async entries(address: Place): Promise<string[] | undefined> {
    const text = await this.#text(`log/entries/${placePath(address)}`, address.width * MAX_ENTRY);
    const lines = text?.trimEnd().split('\n');
    return lines?.length === address.width ? lines : undefined;
  }

  async #text(path: string, maxBytes: number): Promise<string | undefined> {
    return (await this.#get(path, maxBytes))?.toString('utf8');
  }

  async #get(path: string, maxBytes: number): Promise<Buffer | undefined> {
    const url = `${this.#origin}/.well-known/rookery/${path}`;
    for (let refusals = 0; ; refusals += 1) {
      const { status, headers, body } = await this.#fetch(url, maxBytes);
      if (status === 200) return body;
      if (status === 404 || status === 410) return undefined;
      if (status !== 429 || refusals === MAX_REFUSALS) {
        throw new RookeryError('unavailable', `${url} answers with the status ${status}`);
      }
      const seconds = Number(headers['retry-after'] ?? 1);
      await pause(1_000 * Math.min(MAX_WAIT, seconds >= 1 ? seconds : 1));
    }
  }

  async #fetch(url: string, maxBytes: number): Promise<HttpResponse> {
    try {
      return await this.#http.fetch(url, { deadline: DEADLINE, maxBytes, maxRedirects: 0 });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new RookeryError('unavailable', `${url} cannot be read: ${reason}`, { cause: error });
    }
  }
}
