import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Context, type ContextDependencies, type UserContext, type Viewer } from '#kernel/context.ts';
import { forbidden, notFound, RookeryError, unauthorized } from '#kernel/errors.ts';
import type { DeliveredMessages } from '#kernel/services/device-messages.ts';
import { holds } from '#mastodon/scopes.ts';
import { endWith } from '../http/bare-reply.ts';
import { parseQuery } from '../http/bodies.ts';
import { authorize } from '../http/caller.ts';
import { errorReply } from '../http/errors.ts';
import type { Upgrades } from '../http/listen.ts';
import { sendFailure, sendPreflight, sendReply } from '../http/reply.ts';
import type { StreamFigures } from '../http/stream-metrics.ts';
import type { Authenticator, Caller } from '../oauth/authenticate.ts';
import { type Channel, channelOfPath, requireScope } from './channels.ts';
import { Client, type Kind } from './client.ts';
import { Clients } from './clients.ts';
import { type Credential, tokenOf } from './credential.ts';
import { DeviceMessages } from './device-messages.ts';
import { EventSourceWire, PageWire } from './event-source.ts';
import { Feed, type FeedOptions, type ResumeToken } from './feed.ts';
import { isCrossSite, type PageSessions, sessionCaller, streamsOf } from './page-streams.ts';
import { STREAMING_PATH } from './paths.ts';
import { readResumeToken } from './resume-token.ts';
import { acceptWebSocket, Requests, WebSocketWire } from './websocket.ts';

export { streamingEndpoints } from './described.ts';
export { PAGE_STREAMING_PATH, STREAMING_PATH } from './paths.ts';

export interface StreamingOptions extends Pick<FeedOptions, 'log' | 'reached'> {
  context: ContextDependencies;
  authenticator: Pick<Authenticator, 'authenticate' | 'watch'>;
  /** The sessions of browsers, which pages of the web client stream by. */
  sessions: PageSessions;
  /** The addresses without any access; connected clients are checked again when they change. */
  ipAccessBlocks: { has: (address: string) => boolean; onChange: (listener: () => void) => void };
  /** Reports encrypted messages that were stored for devices. */
  deviceDeliveries: { watch: (watcher: (delivered: DeliveredMessages) => void) => void };
  /** Counts a connection against the rate limit of requests. @throws RookeryError `too_many_requests` */
  limit: (client: { ip: string; accountId: string | undefined }) => Promise<unknown>;
  clientAddress: (req: IncomingMessage) => string;
  /** Called for each active user who connects. */
  seen: (viewer: Viewer, ip: string) => void;
  onError: (error: unknown) => void;
}

type Query = Record<string, unknown>;

/** A client that asks for server-sent events. */
interface Served {
  credential: Credential;
  wire: EventSourceWire;
  open: (client: Client, ctx: UserContext) => Promise<Channel[]>;
  place: () => Promise<ResumeToken>;
}

/** The streaming API of this process. */
export class Streaming {
  readonly #options: StreamingOptions;
  readonly #feed: Feed;
  readonly #clients: Clients;
  readonly #sent = new Map<Kind, number>();

  constructor(options: StreamingOptions) {
    const { context, authenticator, ipAccessBlocks, deviceDeliveries, onError } = options;
    this.#options = options;
    this.#clients = new Clients({
      authorize: ({ credential, ip }) => this.#authorize(credential, ip),
      onError,
    });
    authenticator.watch((change) => this.#clients.changed(change));
    ipAccessBlocks.onChange(() => this.#clients.changed('everything'));
    const deviceMessages = new DeviceMessages({ db: context.db, clients: this.#clients, onError });
    deviceDeliveries.watch((delivered) => deviceMessages.take(delivered));
    this.#feed = new Feed({
      log: options.log,
      db: context.db,
      reached: options.reached,
      onLost: (error) => {
        onError(error);
        this.#clients.closeAll();
      },
    });
  }

  /** Takes over WebSockets. Other protocols are refused. */
  get upgrades(): Upgrades {
    return {
      wants: ({ url = '', headers }) =>
        headers.upgrade?.toLowerCase() === 'websocket' && isStreamingPath(partsOf(url).path),
      take: (req, socket, head) => {
        // Without a listener, a connection that breaks now would end the process.
        socket.on('error', () => socket.destroy());
        this.#takeWebSocket(req, socket, head).catch((error: unknown) => this.#refuse(socket, error));
      },
    };
  }

  /** Serves plain HTTP at `STREAMING_PATH`. */
  serve(req: IncomingMessage, res: ServerResponse): void {
    if (req.method === 'OPTIONS') return sendPreflight(res);
    this.#takeEventSource(req, res).catch((error: unknown) => this.#fail(req, res, error));
  }

  /** Serves the pages of the web client at `PAGE_STREAMING_PATH`. */
  servePages(req: IncomingMessage, res: ServerResponse): void {
    this.#takePage(req, res).catch((error: unknown) => this.#fail(req, res, error));
  }

  figures(): StreamFigures {
    const clients = [...this.#clients];
    return {
      clients: clients.map(({ kind }) => kind),
      channels: clients.flatMap(({ kind, channels }) => channels.map((channel) => ({ kind, channel }))),
      sent: this.#sent,
    };
  }

  close(): Promise<void> {
    return this.#clients.close();
  }

  async #takeEventSource(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { path, query } = partsOf(req.url ?? '');
    const below = path.slice(STREAMING_PATH.length).replace(/\/$/, '');
    if (req.method !== 'GET' && req.method !== 'HEAD') throw notFound();
    if (below === '/health') {
      return sendReply(req, res, { text: 'OK' }, { 'Content-Type': 'text/plain' });
    }
    const name = channelOfPath(below, query);
    if (name === undefined) throw new RookeryError('bad_request', 'Unknown channel requested');
    if (req.method === 'HEAD') throw notFound();
    await this.#stream(req, res, {
      credential: tokenOf(req, query),
      wire: new EventSourceWire(res, { hasIds: asksForIds(req, query) }),
      open: async (client, { token }) => {
        requireScope(name, { may: (scope) => holds(token.scopes, scope) });
        return [await client.open(name, query)];
      },
      place: () => this.#resumeTokenOf(req, query),
    });
  }

  /** Several streams have one connection, because browsers open few; none of them resumes. */
  async #takePage(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { context, sessions } = this.#options;
    const { query } = partsOf(req.url ?? '');
    if (req.method !== 'GET') throw notFound();
    if (isCrossSite(req, context.instance)) throw forbidden('Forbidden');
    const { id } = await sessions.of(req);
    await this.#stream(req, res, {
      credential: { sessionId: id },
      wire: new PageWire(res),
      open: (client) => Promise.all(streamsOf(query).map((name) => client.open(name, query))),
      place: () => this.#feed.here(),
    });
  }

  /** Serves channels to one client, until either side ends the connection. */
  async #stream(
    req: IncomingMessage,
    res: ServerResponse,
    { credential, wire, open, place: placeOf }: Served,
  ): Promise<void> {
    const { ctx, release } = await this.#enter(req, credential);
    const client = this.#client(credential, ctx, wire);
    res.on('close', () => {
      release();
      client.ended();
    });
    try {
      const opened = await open(client, ctx);
      const place = await placeOf();
      if (res.destroyed) return;
      // A refusal must come before the reply begins; `listen` counts the channels again in the same turn.
      this.#clients.reserveChannel(client)();
      wire.begin();
      this.#clients.add(client);
      await Promise.all(opened.map((channel) => client.listen(channel, place)));
    } finally {
      if (!res.headersSent) release();
    }
  }

  async #takeWebSocket(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { query } = partsOf(req.url ?? '');
    const credential = tokenOf(req, query);
    const { ctx, release } = await this.#enter(req, credential);
    if (socket.destroyed) return release();
    socket.once('close', release);
    // Taken before the client knows that it is connected, so that it misses nothing from then on.
    const place = await this.#feed.here();
    await acceptWebSocket(req, socket, head, (ws) => {
      const wire = new WebSocketWire(ws);
      const client = this.#client(credential, ctx, wire);
      const requests = new Requests(client, wire, {
        here: () => this.#feed.here(),
        onError: this.#options.onError,
      });
      ws.on('error', () => ws.terminate());
      ws.on('close', () => client.ended());
      ws.on('message', (data, isBinary) => requests.take(data, isBinary));
      this.#clients.add(client);
      const { stream } = query;
      if (stream !== undefined) requests.do(() => requests.subscribe(stream, query, place));
    });
  }

  /** Admits a user, within limits of frequency and number. @throws RookeryError */
  async #enter(
    req: IncomingMessage,
    credential: Credential,
  ): Promise<{ ctx: UserContext; release: () => void }> {
    const { context, limit, clientAddress, seen } = this.#options;
    const ip = clientAddress(req);
    const { token, viewer } = await this.#authorize(credential, ip).catch(async (error: unknown) => {
      await limit({ ip, accountId: undefined });
      throw error;
    });
    await limit({ ip, accountId: token.account_id });
    if (!viewer) throw unauthorized('Invalid access token');
    const release = this.#clients.reserve(token, ip);
    seen(viewer, ip);
    const locale = req.headers['accept-language'];
    const ctx = new Context(context, { requestId: randomUUID(), ip, locale, token, viewer });
    return { ctx: ctx as unknown as UserContext, release };
  }

  /**
   * Throws RookeryError `unauthorized`, or `forbidden` for a user who may not act and an address without
   * access.
   */
  async #authorize(credential: Credential, ip: string): Promise<Caller> {
    if (this.#options.ipAccessBlocks.has(ip)) throw forbidden('Forbidden');
    const caller = await this.#callerOf(credential);
    // Streams are for users; an application's own token is refused.
    if (!caller?.viewer) throw unauthorized('Invalid access token');
    authorize({ auth: 'user', scopes: [] }, caller, holds);
    return caller;
  }

  #callerOf(credential: Credential): Promise<Caller | undefined> {
    const { authenticator, sessions, context } = this.#options;
    if ('sessionId' in credential) return sessionCaller(context.db, sessions, credential.sessionId);
    if (credential.bearer === '') throw unauthorized('Missing access token');
    return authenticator.authenticate(credential.bearer);
  }

  #client(credential: Credential, ctx: UserContext, wire: EventSourceWire | WebSocketWire): Client {
    const onSent = (kind: Kind): void => void this.#sent.set(kind, (this.#sent.get(kind) ?? 0) + 1);
    const reserveChannel = (client: Client) => this.#clients.reserveChannel(client);
    return new Client({ credential, ctx, wire, feed: this.#feed, onSent, reserveChannel });
  }

  /** Returns the place of a client that reconnects; others start at the end of the log. */
  async #resumeTokenOf(req: IncomingMessage, query: Query): Promise<ResumeToken> {
    const last = lastIdOf(req, query);
    return (typeof last === 'string' ? readResumeToken(last) : undefined) ?? (await this.#feed.here());
  }

  #fail(req: IncomingMessage, res: ServerResponse, error: unknown): void {
    if (res.headersSent) return void res.destroy();
    this.#report(error);
    sendFailure(req, res, error);
  }

  /** Replies to a refused handshake. */
  #refuse(socket: Duplex, error: unknown): void {
    this.#report(error);
    endWith(socket, errorReply(error));
  }

  #report(error: unknown): void {
    if (errorReply(error).status >= 500) this.#options.onError(error);
  }
}

/**
 * Returns true for any path below, as in Mastodon; the stream of a WebSocket is named in the query or in
 * messages.
 */
const isStreamingPath = (path: string): boolean =>
  path === STREAMING_PATH || path.startsWith(`${STREAMING_PATH}/`);

function partsOf(url: string): { path: string; query: Query } {
  const mark = url.indexOf('?');
  if (mark === -1) return { path: url, query: {} };
  return { path: url.slice(0, mark), query: parseQuery(url.slice(mark)) };
}

const lastIdOf = ({ headers }: IncomingMessage, query: Query): unknown =>
  headers['last-event-id'] ?? query['last_event_id'];

/** Browsers and libraries for server-sent events name the type, or return with an id. */
const asksForIds = (req: IncomingMessage, query: Query): boolean =>
  lastIdOf(req, query) !== undefined || /\btext\/event-stream\b/i.test(req.headers.accept ?? '');
