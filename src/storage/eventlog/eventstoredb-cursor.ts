import { convertToCommandError } from '@eventstore/db-client';
import { cancelRead, type WireRead, within } from './eventstoredb-connection.ts';
import { fromWire, type Ownership } from './eventstoredb-encoding.ts';
import type { WireResult } from './eventstoredb-wire.ts';
import type { StoredEvent } from './port.ts';

export interface CursorOptions {
  ownership: Ownership;
  /** The read starts after this position, and ends with the event at `last`. */
  after: bigint;
  last: bigint;
  /** Half of this many milliseconds may be silent before the server is probed, which gets the other half. */
  silenceMs: number;
  /** Fails when the server does not answer. */
  probe: () => Promise<unknown>;
}

/** Events that may wait in this process beyond those that the consumer asked for. */
const AHEAD = 4_096;
/** With this number of characters, no further event is read ahead. */
const AHEAD_CHARACTERS = 8 * 1024 * 1024;

/**
 * One read of the log, forwards. It goes on while its consumer works, within bounds. Beyond them, HTTP/2 flow
 * control stops the server.
 */
export class Cursor {
  readonly #options: CursorOptions;
  #read: WireRead | undefined;
  readonly #events: StoredEvent[] = [];
  #characters = 0;
  #messages = 0;
  #wanted = 0;
  #ahead = 0;
  #ended = false;
  #failure: Error | undefined;
  #wake = (): void => {};

  constructor(call: Promise<WireRead>, options: CursorOptions) {
    this.#options = options;
    call.then(
      (read) => this.#begin(read),
      (error: unknown) => this.#end(error as Error),
    );
  }

  get failed(): boolean {
    return this.#failure !== undefined;
  }

  /** Returns the next events; fewer than so many only at the end. */
  async take(limit: number): Promise<StoredEvent[]> {
    this.#wanted = limit;
    this.#flow();
    if (!this.#isReady()) await this.#ready();
    if (this.#failure) throw this.#failure;
    this.#wanted = 0;
    const taken = this.#events.splice(0, limit);
    for (const { data } of taken) this.#characters -= data.length;
    return taken;
  }

  /** Reads ahead from now on. */
  readAhead(): void {
    this.#ahead = AHEAD;
    this.#flow();
  }

  close(): void {
    this.#end();
    this.#events.length = 0;
  }

  #begin(read: WireRead): void {
    this.#read = read;
    // After a cancelled call, too, an error needs a listener.
    read.on('error', (error) => this.#end(convertToCommandError(error)));
    if (this.#ended) return cancelRead(read);
    read.on('data', (result: WireResult) => this.#receive(read, result));
    read.on('end', () => this.#end());
  }

  #receive(read: WireRead, { event: sent }: WireResult): void {
    this.#messages += 1;
    const { ownership, after, last } = this.#options;
    const event = sent && fromWire(sent, ownership);
    // The server begins with the event at `after` itself.
    if (event === undefined || event.position <= after) return;
    this.#events.push(event);
    this.#characters += event.data.length;
    if (event.position >= last) return this.#end();
    if (this.#isFull()) read.pause();
    if (this.#isReady()) this.#wake();
  }

  #isReady(): boolean {
    return this.#ended || this.#events.length >= this.#wanted;
  }

  #isFull(): boolean {
    const more = this.#events.length - this.#wanted;
    return more >= this.#ahead || (more >= 0 && this.#characters >= AHEAD_CHARACTERS);
  }

  #flow(): void {
    if (this.#read?.isPaused() === true && !this.#ended && !this.#isFull()) this.#read.resume();
  }

  /** Waits for the wanted events or the end. The server may need long to pass the events of other programs. */
  async #ready(): Promise<void> {
    const half = this.#options.silenceMs / 2;
    const ready = new Promise<void>((resolve) => (this.#wake = resolve));
    let heard = this.#messages;
    const watch = setInterval(() => {
      if (this.#messages === heard)
        within(half, this.#options.probe()).catch((error: unknown) => this.#end(error as Error));
      heard = this.#messages;
    }, half);
    try {
      await ready;
    } finally {
      clearInterval(watch);
    }
  }

  #end(failure?: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#failure = failure;
    if (this.#read) cancelRead(this.#read);
    this.#wake();
  }
}
