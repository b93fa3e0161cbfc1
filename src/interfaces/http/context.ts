import { randomUUID } from 'node:crypto';
import type {
  AccessToken,
  ExecuteOptions,
  Executed,
  Instance,
  RequestContext,
  Viewer,
} from '../../kernel/context.ts';
import type { Decider } from '../../kernel/decider.ts';
import type { DomainEvent, EventMetadata } from '../../kernel/event.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Db } from '../../kernel/read.ts';
import type { Services } from '../../kernel/services.ts';
import type { CommandIdentity } from './idempotency.ts';

/** What contexts are made of; the composition root supplies it. */
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
  settler: Settler;
}

/** Waits for read models. Positions written are remembered per owner (a token, or a context without one). */
export interface Settler {
  wrote(owner: string, position: bigint): void;
  settle(owner: string, groups: readonly string[]): Promise<void> | void;
  /** Where it can, lets those wait who read these groups next. */
  settleLater(owner: string, groups: readonly string[]): Promise<void> | void;
}

/** For what does not read afterwards. */
export const NEVER_SETTLES: Settler = {
  wrote: () => undefined,
  settle: () => undefined,
  settleLater: () => undefined,
};

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
  /** The automation that acts, where no person does. */
  rule?: string;
  /** The host of the server that it came from. */
  remote?: string;
  /** Where no request identifies the command: the same for the same cause. */
  commandId?: string;
  /** The event that this follows from. */
  causationId?: string | undefined;
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
  #wrote = false;

  constructor(dependencies: ContextDependencies, input: ContextInput) {
    this.db = dependencies.db;
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

  /** What makes this command the same when it comes again; undefined while it has stored nothing. */
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
    this.#dependencies.settler.wrote(this.#owner, done.position);
    return done;
  }

  async load<State, Event extends DomainEvent>(
    stream: string,
    decider: Decider<State, Event>,
  ): Promise<State> {
    return (await this.execute(stream, decider, () => [])).state;
  }

  async settle(groups: readonly string[]): Promise<void> {
    await this.#dependencies.settler.settle(this.#owner, groups);
  }

  async settleLater(groups: readonly string[]): Promise<void> {
    await this.#dependencies.settler.settleLater(this.#owner, groups);
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
      ...(token ? { application_id: token.application_id, token_id: token.id } : {}),
      ...(rule ? { rule } : {}),
      ...(remote ? { remote } : {}),
      command_id: identity?.commandId ?? commandId ?? randomUUID(),
      correlation_id: this.requestId,
      ...(causationId ? { causation_id: causationId } : {}),
    };
  }
}
