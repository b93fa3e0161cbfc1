import type { Connection, SharedCall } from './eventstoredb-connection.ts';
import { within } from './eventstoredb-connection.ts';
import { Silence } from './eventstoredb-failures.ts';
import type { Appended, SharedReply, WireAppend } from './eventstoredb-wire-appends.ts';
import { encodeAlone, encodeShared } from './eventstoredb-wire-appends.ts';

/** A shared call carries appends of at most so many bytes, and at most so many that wait for their replies. */
const MOST_BYTES = 512 * 1024;
const MOST_WAITING_BYTES = 8 * 1024 * 1024;

/**
 * Sends appends over one long call for each channel. A call costs several times as much as a message. Where that call does not tell
 * what became of an append, the append is repeated by a call of its own, which the server recognises by the ids of the events. So only
 * successes and wrong revisions have to be understood here, and one append cannot fail another.
 */
export class Appends {
  readonly #connection: Connection;
  #shared: Shared | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** @throws Silence after so many milliseconds; the errors of the client */
  async send(append: WireAppend, withinMs: number): Promise<Appended> {
    const end = performance.now() + withinMs;
    const left = (): number => Math.max(end - performance.now(), 1);
    const shared = await within(left(), this.#open());
    const appended = await shared?.send(append, left());
    return appended ?? within(left(), this.#connection.append(encodeAlone(append), left()));
  }

  /** Returns the shared call of the present channel; undefined where the server has none. */
  async #open(): Promise<Shared | undefined> {
    const call = await this.#connection.sharedAppends();
    if (call === undefined || this.#shared?.call === call) return call && this.#shared;
    this.#shared?.retire();
    return (this.#shared = new Shared(call, this.#connection.lost));
  }
}

interface Waiting {
  bytes: number;
  settle: (appended: Appended | undefined) => void;
}

/** One shared call. */
class Shared {
  readonly call: SharedCall;
  readonly #lost: AbortSignal;
  readonly #waiting = new Map<string, Waiting>();
  #bytes = 0;
  #ended = false;
  #retired = false;

  constructor(call: SharedCall, lost: AbortSignal) {
    this.call = call;
    this.#lost = lost;
    call.on('data', ({ id, appended }: SharedReply) => this.#settle(id, appended));
    // The client notes why the call ended, and an append that is repeated alone learns it too.
    call.on('error', () => this.#end());
    call.on('end', () => this.#end());
    lost.addEventListener('abort', this.#onLost);
  }

  /** Returns undefined when the call does not tell whether the append is stored. */
  async send(append: WireAppend, withinMs: number): Promise<Appended | undefined> {
    const id = crypto.randomUUID();
    const message = encodeShared(id, append);
    const bytes = message.length;
    if (this.#ended || bytes > MOST_BYTES || this.#bytes + bytes > MOST_WAITING_BYTES) return undefined;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Appended | undefined>((resolve, reject) => {
        timer = setTimeout(() => reject(new Silence(withinMs)), withinMs);
        this.#waiting.set(id, { bytes, settle: resolve });
        this.#bytes += bytes;
        this.call.write(message);
      });
    } finally {
      clearTimeout(timer);
      this.#forget(id);
    }
  }

  /** Ends the call once it has no appends left, because another has taken its place. */
  retire(): void {
    this.#retired = true;
    if (this.#waiting.size === 0) this.#end();
  }

  #onLost = (): void => this.#end();

  #settle(id: string, appended: Appended | undefined): void {
    this.#waiting.get(id)?.settle(appended);
  }

  #forget(id: string): void {
    this.#bytes -= this.#waiting.get(id)?.bytes ?? 0;
    this.#waiting.delete(id);
    if (this.#retired && this.#waiting.size === 0) this.#end();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#lost.removeEventListener('abort', this.#onLost);
    for (const { settle } of this.#waiting.values()) settle(undefined);
    this.call.end();
    this.call.cancel();
  }
}
