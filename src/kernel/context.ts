import type { Decider } from './decider.ts';
import type { DomainEvent } from './event.ts';
import type { Id } from './ids.ts';
import type { Db } from './read.ts';
import type { Services } from './services.ts';

/** A bearer token as far as a request needs it. */
export interface AccessToken {
  id: string;
  application_id: string;
  /** As it was registered. Absent where only the log knows the application so far. */
  application_name?: string | undefined;
  /** Absent for an application's own token (client credentials). */
  account_id?: Id;
  scopes: readonly string[];
}

/** The local user behind a token. */
export interface Viewer {
  account_id: Id;
  username: string;
  role: string | null;
  confirmed: boolean;
  approved: boolean;
  disabled: boolean;
  suspended: boolean;
  /** The person uses another account now. */
  moved: boolean;
}

/** This server, as replies name it. Nothing but the emojis changes while a process runs. */
export interface Instance {
  /** The domain of account names (`LOCAL_DOMAIN`). */
  domain: string;
  /** Scheme and host that pages and the API are served from, without a trailing slash. */
  origin: string;
  /** Where media files are served from, without a trailing slash. */
  mediaOrigin: string;
  /** As `package.json` has them. */
  software: { name: string; version: string };
  /** What apps are told: the version of Mastodon that we are like comes first, since they look for that. */
  version: string;
  /** Where the source code is. */
  sourceUrl: string;
  /** The public key of web push (RFC 8292), base64url. */
  vapidPublicKey: string;
  emojis: CustomEmojis;
  /** Only allowed domains are federated with, and the API is for users (`LIMITED_FEDERATION_MODE`). */
  limitedFederation: boolean;
}

/** The enabled emojis of this server as they are now, from memory; https://docs.joinmastodon.org/entities/CustomEmoji/ */
export interface CustomEmojis {
  /** One of them as ready JSON; undefined when there is none. */
  json(shortcode: string): string | undefined;
  /** Rises when any of them changes. */
  readonly revision: number;
  /** A ready JSON list of those that pickers offer. */
  listed(): string;
}

export interface ExecuteOptions<State = never, Facts = undefined> {
  /** The stream carries a fresh id, so there is nothing to load: append at "no stream". */
  isNew?: boolean;
  /** Several appends of one request need different names here, so that their event ids differ. */
  step?: string;
  /**
   * Facts that must not be older than the state: asked for when the stream is loaded, again at each attempt, and handed to
   * the decision.
   */
  gather?: (state: State) => Promise<Facts>;
}

export interface Executed<State, Event> {
  state: State;
  /** The new events; empty when the decision was that nothing changes. */
  events: readonly Event[];
  /** Of the last event of the stream that it rests on; 0n where nothing was there and nothing was added. */
  position: bigint;
}

/** The write side as a command sees it: load, fold, decide, append, retry on conflict. */
export interface CommandContext {
  /** The moment of the command, ISO 8601. A retry with the same Idempotency-Key has the same moment. */
  now: string;
  newId: () => Id;
  db: Db;
  instance: Instance;
  services: Services;
  execute<State, Event extends DomainEvent, Facts = undefined>(
    stream: string,
    decider: Decider<State, Event>,
    decide: (state: State, facts: Facts) => readonly Event[],
    options?: ExecuteOptions<State, Facts>,
  ): Promise<Executed<State, Event>>;
  /** The state of a stream as the log has it now. */
  load<State, Event extends DomainEvent>(stream: string, decider: Decider<State, Event>): Promise<State>;
  /**
   * Waits until the read models of these groups hold what this context and its token wrote before.
   * @throws RookeryError `unavailable` past the bound; the events are stored.
   */
  settle(groups: readonly string[]): Promise<void>;
}

/** Everything a handler of an endpoint may use. */
export interface RequestContext extends CommandContext {
  requestId: string;
  /** The client's address, behind trusted proxies only. */
  ip: string;
  locale: string | undefined;
  /** The same command came before, with the same Idempotency-Key: what it did then may have changed since. */
  repeated: boolean;
  token: AccessToken | undefined;
  viewer: Viewer | undefined;
  /** Aborts when the client has gone before the reply; for work that waits. */
  readonly signal: AbortSignal;
  /** The token in clear text, for endpoints that declare `bearer`. */
  bearer: string | undefined;
  /**
   * As `settle`, for a reply that needs nothing from the read models: it may go out before they have what this context wrote,
   * and the next who read these groups, with any token, wait for it. It never fails for want of time.
   */
  settleLater(groups: readonly string[]): Promise<void>;
}

/** The context of a request that is known to have a user (auth: 'user'). */
export type UserContext = RequestContext & { token: AccessToken & { account_id: Id }; viewer: Viewer };

/** The context of a request that is known to have a token (auth: 'app'). */
export type AppContext = RequestContext & { token: AccessToken };
