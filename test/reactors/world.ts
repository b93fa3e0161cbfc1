import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type CommandContext, Context } from '#kernel/context.ts';
import { defineEvent, type RecordedEvent } from '#kernel/event.ts';
import { NEVER_WAITS } from '#kernel/own-writes.ts';
import type { Reactor, Timer } from '#kernel/reactor.ts';
import { createCodec } from '#storage/eventlog/codec.ts';
import { createEventLog } from '#storage/eventlog/event-log.ts';
import { deriveId, execute } from '#storage/eventlog/execute.ts';
import type { EventLog } from '#storage/eventlog/port.ts';
import { openPostgresEventStore } from '#storage/eventlog/postgres.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { migrate } from '#storage/postgres/migrations/index.ts';
import type { Origin } from '#storage/reactor-runtime/attempt.ts';
import { type RunningReactors, startReactors } from '#storage/reactor-runtime/start.ts';
import { freshDatabase } from '../support/database.ts';

const note = <Type extends string>(type: Type) =>
  defineEvent({ type, version: 1, schema: z.object({ n: z.number() }), samples: { 1: { n: 1 } } });
export const Asked = note('Asked');
const Answered = note('Answered');

/** Counts answers per stream without a rule of its own, so that only the command's id prevents a repeat. */
const answers = { initialState: 0, evolve: (count: number) => count + 1 };
export const answer = (ctx: CommandContext, n: number) =>
  ctx.execute(`answer-${n}`, answers, () => [{ type: 'Answered', data: { n } }]);

const NO_SERVICES = {} as CommandContext['services'];

/** A log and a database of one spec, with its reactors. */
export class World {
  readonly db: Database;
  readonly log: EventLog;
  /** The reactor and stream of each dead-lettered event. */
  readonly deadLettered: string[] = [];
  readonly #url: string;
  readonly #running: RunningReactors[] = [];
  #asked = 0;

  private constructor(url: string, log: EventLog) {
    this.#url = url;
    this.log = log;
    this.db = openDatabase({ url, max: 6, applicationName: 'test' });
  }

  static async open(): Promise<World> {
    const url = await freshDatabase();
    await migrate(url);
    const none = { keyFor: () => Promise.reject(new Error()), load: () => Promise.resolve(new Map()) };
    const codec = createCodec([Asked, Answered], none);
    return new World(url, createEventLog(await openPostgresEventStore(url), codec));
  }

  async close(): Promise<void> {
    await Promise.all(this.#running.map((each) => each.stop()));
    await this.log.close();
    await this.db.close();
  }

  /** Starts the reactors as one process of several does. */
  async start(reactors: Reactor[], timers: Timer[] = []): Promise<RunningReactors> {
    const started = await startReactors({
      reactors,
      timers,
      url: this.#url,
      log: this.log,
      db: this.db,
      checkpointDb: this.db,
      contextFor: (origin) => this.#contextFor(origin),
      services: NO_SERVICES,
      reached: () => Promise.resolve(true),
      onError: () => undefined,
      onDeadLetter: (name, event) => this.deadLettered.push(`${name} ${event.stream}`),
    });
    this.#running.push(started);
    return started;
  }

  /** @returns the position of the question */
  async ask(n: number, stream = `question-${n}`, revision = -1): Promise<bigint> {
    const id = deriveId(`ask ${(this.#asked += 1)} ${n}`);
    const metadata = { time: '2026-11-21T08:00:00.000Z', command_id: id, correlation_id: `request ${n}` };
    const event = { id, type: 'Asked', data: { n }, metadata };
    return (await this.log.append(stream, revision, [event])).position;
  }

  /** The answers to a question. */
  stored(n: number): Promise<RecordedEvent[]> {
    return this.log.readStream(`answer-${n}`);
  }

  /** The connection that holds the lock of the reactors. */
  async lockHolder(): Promise<number | undefined> {
    const [holder] = await this.db.query<{ pid: number }>(
      `select pid from pg_locks join pg_stat_activity using (pid)
       where locktype = 'advisory' and granted and application_name = 'rookery reactors'
       and datname = current_database()`,
    );
    return holder?.pid;
  }

  #contextFor({ rule, cause, correlationId, causationId }: Origin): CommandContext {
    return new Context(
      {
        db: this.db,
        instance: {
          domain: '',
          origin: '',
          mediaOrigin: '',
          vapidPublicKey: '',
          software: { name: '', version: '' },
          version: '',
          sourceUrl: '',
          emojis: { json: () => undefined, revision: 0, listed: () => '[]' },
          limitedFederation: false,
        },
        services: NO_SERVICES,
        newId: () => '1',
        execute: (execution) => execute(this.log, execution),
        consistency: NEVER_WAITS,
      },
      {
        requestId: correlationId ?? cause,
        ip: '',
        locale: undefined,
        rule,
        commandId: deriveId(`${rule}/${cause}`),
        causationId,
      },
    );
  }
}

export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await sleep(10);
}
