import { randomUUID } from 'node:crypto';
import type { Decider } from './decider.ts';
import type { DomainEvent, EventMetadata } from './event.ts';
import type { Id } from './ids.ts';
import { type Consistency, OwnWritesDb } from './own-writes.ts';
import { MAIN } from './projection.ts';
import type { Db } from './read.ts';
import type { Services } from './services.ts';

/** A bearer token as far as a request needs it. */
export interface AccessToken {
  id: string;
  /** Null for a signed-in browser on the pages of this server. */
  application_id: string | null;
  /** The registered name. Absent while only the log knows the application. */
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
  /** The user has moved to another account. */
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
  /** From `package.json`. */
  software: { name: string; version: string };
  /** The version for apps. It begins with the version of Mastodon that we match, which apps parse. */
  version: string;
  /** The address of the source code. */
  sourceUrl: string;
  /** The public key of web push (RFC 8292), base64url. */
  vapidPublicKey: string;
  emojis: CustomEmojis;
  /** Only allowed domains are federated with, and the API is for users (`LIMITED_FEDERATION_MODE`). */
  limitedFederation: boolean;
}

/** The enabled emojis of this server as they are now, from memory; https://docs.joinmastodon.org/entities/CustomEmoji/ */
export interface CustomEmojis {
  /** Returns one of them as ready JSON; undefined for an unknown one. */
  json(shortcode: string): string | undefined;
  /** Rises when any of them changes. */
  readonly revision: number;
  /** Returns a ready JSON list for pickers. */
  listed(): string;
}

export interface ExecuteOptions<State = never, Facts = undefined> {
  /** The stream carries a fresh id, so there is nothing to load: append at "no stream". */
  isNew?: boolean;
  /** Distinguishes several appends of one request, so that their event ids differ. */
  step?: string;
  /**
   * Facts that must not be older than the state: asked for when the stream is loaded, again at each attempt, and handed to
   * the decision.
   */
  gather?: (state: State) => Promise<Facts>;
}

export interface Executed<State, Event> {
  state: State;
  /** The new events; empty when nothing changes. */
  events: readonly Event[];
  /** The position of the last event that the state contains; 0n when there is none. */
  position: bigint;
}

/** The write side as a command sees it: load, fold, decide, append, retry on conflict. */
export interface CommandContext {
  /** The moment of the command, ISO 8601. A retry with the same Idempotency-Key has the same moment. */
  now: string;
  newId: () => Id;
  /** Reads wait until the read models contain what this context and its token wrote. */
  db: Db;
  instance: Instance;
  services: Services;
  execute<State, Event extends DomainEvent, Facts = undefined>(
    stream: string,
    decider: Decider<State, Event>,
    decide: (state: State, facts: Facts) => readonly Event[],
    options?: ExecuteOptions<State, Facts>,
  ): Promise<Executed<State, Event>>;
  /** Returns the current state of a stream, from the log. */
  load<State, Event extends DomainEvent>(stream: string, decider: Decider<State, Event>): Promise<State>;
  /**
   * Waits until the read models of these groups contain what this context and its token wrote. The default is
   * the groups that the endpoint declares, or `[MAIN]` where it declares none. Reads through `db` wait by
   * themselves; only work that reads elsewhere needs this, such as a cache.
   * @throws RookeryError `unavailable` past the bound; the events are stored
   */
  waitForReadModels(groups?: readonly string[]): Promise<void>;
}

/** Everything a handler of an endpoint may use. */
export interface RequestContext extends CommandContext {
  requestId: string;
  /** The client's address, behind trusted proxies only. */
  ip: string;
  locale: string | undefined;
  /** The command ran before, with the same Idempotency-Key: its results may have changed since. */
  repeated: boolean;
  token: AccessToken | undefined;
  viewer: Viewer | undefined;
  /** Aborts when the client disconnects before the reply; for work that waits. */
  readonly signal: AbortSignal;
  /** The token in clear text, for endpoints that declare `bearer`. */
  bearer: string | undefined;
  /**
   * Ends the work of a handler that ran a command: waits until the read models contain what it wrote, or leaves that
   * to their next readers where the endpoint defers it. The router calls it.
   * @throws RookeryError `unavailable` past the bound; the events are stored
   */
  finishWrites(): Promise<void>;
  /** Returns a context for a later command of this request, with an id and a moment of its own. */
  followUp(): CommandContext;
}

/** The context of a request that is known to have a user (auth: 'user'). */
export type UserContext = RequestContext & { token: AccessToken & { account_id: Id }; viewer: Viewer };

/** The context of a request that is known to have a token (auth: 'app'). */
export type AppContext = RequestContext & { token: AccessToken & { application_id: string } };

/** Identifies a command that may come again: its id, its moment, and the first id that it draws. */
export interface CommandIdentity {
  commandId: string;
  firstId: string;
  now: string;
  /** The command ran before. */
  repeated: boolean;
}

/** The dependencies of a context; the composition root supplies them. */
export interface ContextDependencies {
  db: Db;
  instance: Instance;
  services: Services;
  newId: () => Id;
  /** Loads, decides and appends (`src/storage/eventlog/execute.ts`, bound to the log). */
  execute: <State, Event extends DomainEvent, Facts>(
    execution: ExecuteOptions<State, Facts> & {
      stream: string;
      decider: Decider<State, Event>;
      decide: (state: State, facts: Facts) => readonly Event[];
      metadata: EventMetadata;
    },
  ) => Promise<Executed<State, Event>>;
  consistency: Consistency;
}

export interface ContextInput {
  requestId: string;
  ip: string;
  locale: string | undefined;
  token?: AccessToken | undefined;
  viewer?: Viewer | undefined;
  bearer?: string | undefined;
  identity?: CommandIdentity | undefined;
  /** Called once, by work that asks whether the client is still there. */
  signal?: (() => AbortSignal) | undefined;
  /** The automation that acts without a user. */
  rule?: string;
  /** The host of the sending server. */
  remote?: string;
  /** Identifies a command without a request: the same for the same cause. */
  commandId?: string | undefined;
  /** The event that caused it. */
  causationId?: string | undefined;
  /** The groups that reads wait for; `[MAIN]` unless given. */
  reads?: readonly string[] | undefined;
  /** The groups that the reply does not wait for after a write: their next readers do. */
  defers?: readonly string[] | undefined;
}

/** The context of one request or one reactor's command. */
export class Context implements RequestContext {
  readonly db: Db;
  readonly instance: Instance;
  readonly services: Services;
  readonly requestId: string;
  readonly ip: string;
  readonly locale: string | undefined;
  readonly repeated: boolean;
  readonly token: AccessToken | undefined;
  readonly viewer: Viewer | undefined;
  readonly bearer: string | undefined;
  readonly #dependencies: ContextDependencies;
  readonly #input: ContextInput;
  #now: string | undefined;
  #metadata: EventMetadata | undefined;
  #firstId: string | undefined;
  #signal: AbortSignal | undefined;
  #drawn: string | undefined;
  readonly #ownWrites: OwnWritesDb;
  #wrote = false;
  /** Whether a command ran in this context, even if it stored no event. */
  #executed = false;

  constructor(dependencies: ContextDependencies, input: ContextInput) {
    this.instance = dependencies.instance;
    this.services = dependencies.services;
    this.requestId = input.requestId;
    this.ip = input.ip;
    this.locale = input.locale;
    this.repeated = input.identity?.repeated === true;
    this.token = input.token;
    this.viewer = input.viewer;
    this.bearer = input.bearer;
    this.#dependencies = dependencies;
    this.#input = input;
    this.#ownWrites = new OwnWritesDb(dependencies.db, dependencies.consistency, {
      owner: this.#owner,
      reads: input.reads ?? [MAIN],
      deferred: input.defers !== undefined,
    });
    this.db = this.#ownWrites;
    this.#firstId = input.identity?.firstId;
  }

  get now(): string {
    return (this.#now ??= this.#input.identity?.now ?? this.db.moment ?? new Date().toISOString());
  }

  get signal(): AbortSignal {
    return (this.#signal ??= this.#input.signal?.() ?? new AbortController().signal);
  }

  newId = (): Id => {
    const first = this.#firstId;
    this.#firstId = undefined;
    const id = first ?? this.#dependencies.newId();
    this.#drawn ??= id;
    return id;
  };

  /**
   * Returns the identity under which a repeat of this command is the same; undefined while it has stored
   * nothing.
   */
  get stored(): CommandIdentity | undefined {
    if (!this.#wrote) return undefined;
    const { command_id: commandId, time: now } = (this.#metadata ??= this.#describe());
    return { commandId, now, firstId: this.#drawn ?? this.newId(), repeated: true };
  }

  async execute<State, Event extends DomainEvent, Facts = undefined>(
    stream: string,
    decider: Decider<State, Event>,
    decide: (state: State, facts: Facts) => readonly Event[],
    options: ExecuteOptions<State, Facts> = {},
  ): Promise<Executed<State, Event>> {
    const metadata = (this.#metadata ??= this.#describe());
    const done = await this.#dependencies.execute({ ...options, stream, decider, decide, metadata });
    if (done.events.length > 0) this.#wrote = true;
    this.#executed = true;
    this.#ownWrites.wrote(done.position);
    return done;
  }

  async load<State, Event extends DomainEvent>(
    stream: string,
    decider: Decider<State, Event>,
  ): Promise<State> {
    return (await this.execute(stream, decider, () => [])).state;
  }

  async waitForReadModels(groups?: readonly string[]): Promise<void> {
    await this.#dependencies.consistency.wait(this.#owner, groups ?? this.#explicitWait);
  }

  /** Waits for what was written, or leaves the wait to the next readers where the endpoint defers it. */
  async finishWrites(): Promise<void> {
    if (!this.#executed) return;
    const { defers } = this.#input;
    if (defers) await this.#dependencies.consistency.defer(this.#owner, defers);
    else await this.#ownWrites.ready();
  }

  followUp(): CommandContext {
    return new Context(this.#dependencies, { ...this.#input, identity: undefined, commandId: undefined });
  }

  /** An explicit wait covers the main read models also where the reads of the endpoint wait for none. */
  get #explicitWait(): readonly string[] {
    const { reads = [] } = this.#input;
    return reads.length > 0 ? reads : [MAIN];
  }

  get #owner(): string {
    return this.token?.id ?? this.requestId;
  }

  #describe(): EventMetadata {
    const { token, viewer } = this;
    const { identity, rule, remote, commandId, causationId } = this.#input;
    return {
      time: this.now,
      ...(viewer
        ? { actor: { account_id: viewer.account_id, ...(viewer.role ? { role: viewer.role } : {}) } }
        : {}),
      ...(token?.application_id != null ? { application_id: token.application_id, token_id: token.id } : {}),
      ...(rule ? { rule } : {}),
      ...(remote ? { remote } : {}),
      command_id: identity?.commandId ?? commandId ?? randomUUID(),
      correlation_id: this.requestId,
      ...(causationId ? { causation_id: causationId } : {}),
    };
  }
}
