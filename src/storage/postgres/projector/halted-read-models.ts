import type { Notifications } from '#kernel/listening.ts';
import type { Projection } from '#kernel/projection.ts';
import { type Db, type Statement, statement } from '#kernel/read.ts';
import { ReadModelHalted } from '#kernel/read-model-halted.ts';
import { PROJECTIONS_CHANNEL } from './projector.ts';

const HALTED = statement<{ name: string }>(
  'projections_halted',
  'select distinct name from durable.projections where halted',
);

/** Refuses statements that name a table of a halted read model. While none is halted, it costs nothing. */
export class HaltedReadModels {
  readonly #projections: readonly Projection[];
  /** The tables of halted read models, each with the name of its read model. */
  #tables = new Map<string, string>();
  #known = new WeakMap<Statement, string | undefined>();

  constructor(projections: readonly Projection[]) {
    this.#projections = projections;
  }

  /** Follows the changes that projectors of all processes announce. */
  async listen(db: Db, notifications: Notifications): Promise<void> {
    const refresh = (): void => void this.refresh(db).catch(() => undefined);
    await notifications.subscribe({
      channel: PROJECTIONS_CHANNEL,
      onNotification: refresh,
      onConnected: refresh,
    });
    await this.refresh(db);
  }

  async refresh(db: Db): Promise<void> {
    const names = (await db.query(HALTED)).map(({ name }) => name);
    const halted = this.#projections.filter(({ name }) => names.includes(name));
    this.#tables = new Map(
      halted.flatMap(({ name, tables }) => Object.keys(tables).map((table) => [table, name])),
    );
    this.#known = new WeakMap();
  }

  /** The names of halted read models, as this process knows them. */
  get names(): string[] {
    return [...new Set(this.#tables.values())];
  }

  /** @throws ReadModelHalted */
  check = (asked: Statement | string): void => {
    if (this.#tables.size === 0) return;
    const name = typeof asked === 'string' ? this.#haltedIn(asked) : this.#haltedInStatement(asked);
    if (name !== undefined) throw new ReadModelHalted(name);
  };

  #haltedInStatement(asked: Statement): string | undefined {
    if (!this.#known.has(asked)) this.#known.set(asked, this.#haltedIn(asked.text, asked.despite));
    return this.#known.get(asked);
  }

  #haltedIn(text: string, despite: readonly string[] = []): string | undefined {
    const words = text.match(/[a-z_]+/g) ?? [];
    return words
      .map((word) => this.#tables.get(word))
      .find((name) => name !== undefined && !despite.includes(name));
  }
}
