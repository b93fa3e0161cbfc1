import { once } from 'node:events';
import { WebSocket } from 'ws';

/** A message of a stream with its parsed payload. */
export interface Heard {
  stream?: string[];
  event?: string;
  // Tests look at single members of what others check.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  payload?: any;
  error?: string;
  status?: number;
}

/** The messages of a stream, over any transport. */
export class Ears<Message> {
  readonly #heard: Message[] = [];
  #waiting: (() => void) | undefined;
  #failure: Error | undefined;

  hear(message: Message): void {
    this.#heard.push(message);
    this.#waiting?.();
  }

  end(reason: string): void {
    this.#failure = new Error(`The stream ended: ${reason}`);
    this.#waiting?.();
  }

  /** The number of unread messages. */
  get heard(): number {
    return this.#heard.length;
  }

  /** Resolves with the next message. */
  async next(): Promise<Message> {
    for (;;) {
      const message = this.#heard.shift();
      if (message !== undefined) return message;
      if (this.#failure) throw this.#failure;
      await new Promise<void>((resolve) => (this.#waiting = resolve));
    }
  }

  /** Returns all messages up to the first that matches. */
  async until(wanted: (message: Message) => boolean): Promise<Message[]> {
    const messages: Message[] = [];
    do messages.push(await this.next());
    while (!wanted(messages.at(-1) as Message));
    return messages;
  }
}

/** A WebSocket client. */
export class Listener extends Ears<Heard> {
  readonly socket: WebSocket;
  /** The server's replies. */
  readonly answers = new Ears<Heard>();
  readonly opened: Promise<unknown>;
  /** The close code of the connection. */
  readonly closed: Promise<number>;

  constructor(url: string, protocols?: string, headers: Record<string, string> = {}) {
    super();
    this.socket = new WebSocket(url, protocols ?? [], { headers });
    this.socket.on('message', (data) => {
      const message = read((data as Buffer).toString());
      (message.error === undefined ? this : this.answers).hear(message);
    });
    this.opened = once(this.socket, 'open');
    // Refused connections never open.
    this.opened.catch(() => undefined);
    this.closed = new Promise((resolve) => this.socket.once('close', resolve));
    void this.closed.then((code) => {
      this.end(String(code));
      this.answers.end(String(code));
    });
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Waits until the server has processed everything that it received. */
  async asked(message: unknown): Promise<void> {
    this.send(message);
    this.send({ type: 'subscribe', stream: 'marker' });
    const answer = await this.answers.next();
    if (answer.error !== 'Unknown stream type') throw new Error(JSON.stringify(answer));
  }
}

function read(text: string): Heard {
  const { payload, ...message } = JSON.parse(text) as { event?: string; payload?: string };
  if (payload === undefined) return message;
  return { ...message, payload: message.event === 'delete' ? payload : (JSON.parse(payload) as unknown) };
}

/** Connects with a token. The client listens when this resolves. */
export async function listen(
  url: string,
  token: string,
  stream?: string,
  parameters: Record<string, string> = {},
): Promise<Listener> {
  const query = new URLSearchParams({ ...(stream === undefined ? {} : { stream }), ...parameters });
  const listener = new Listener(
    `${url.replace('http', 'ws')}/api/v1/streaming?${query.toString()}`,
    undefined,
    { Authorization: `Bearer ${token}` },
  );
  await listener.opened;
  return listener;
}

/** The status that refused the handshake. */
export async function refusal(listener: Listener): Promise<{ status: number; body: string }> {
  const [, response] = (await once(listener.socket, 'unexpected-response')) as [
    unknown,
    NodeJS.ReadableStream & { statusCode: number },
  ];
  let body = '';
  for await (const chunk of response) body += String(chunk);
  return { status: response.statusCode, body };
}

/** One server-sent event. */
export interface ServerSentEvent {
  event: string;
  data: string;
  id: string | undefined;
}

/** A client of server-sent events. `status` and `headers` are set when it listens. */
export class EventSource extends Ears<ServerSentEvent> {
  readonly response: Response;
  readonly #abort: AbortController;
  comments: string[] = [];

  constructor(response: Response, abort: AbortController) {
    super();
    this.response = response;
    this.#abort = abort;
    void this.#read();
  }

  close(): void {
    this.#abort.abort();
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    try {
      for await (const chunk of this.response.body as unknown as AsyncIterable<Uint8Array>) {
        rest += decoder.decode(chunk, { stream: true });
        const blocks = rest.split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) this.#take(block);
      }
      this.end('by the server');
    } catch (error) {
      this.end(String(error));
    }
  }

  #take(block: string): void {
    const fields = new Map<string, string>();
    for (const line of block.split('\n')) {
      const [, name = '', value = ''] = /^([^:]*): ?(.*)$/s.exec(line) ?? [];
      if (name === '') this.comments.push(line);
      else fields.set(name, value);
    }
    const data = fields.get('data');
    if (data !== undefined)
      this.hear({ event: fields.get('event') ?? 'message', data, id: fields.get('id') });
  }
}

/** Opens a stream of server-sent events. */
export async function openEvents(
  url: string,
  path: string,
  token?: string,
  headers: Record<string, string> = {},
): Promise<EventSource> {
  const abort = new AbortController();
  const response = await fetch(`${url}/api/v1/streaming${path}`, {
    headers: { ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }), ...headers },
    signal: abort.signal,
  });
  return new EventSource(response, abort);
}
