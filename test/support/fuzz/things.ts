import type { Random } from './random.ts';

/** Parameters whose name does not say which kind of thing they identify. */
const KINDS: Record<string, string> = {
  account: 'accounts',
  in_reply_to: 'statuses',
  last_read: 'notifications',
  media: 'media',
  quoted_status: 'statuses',
  status: 'statuses',
};

/** Ids of existing things, by the path segment under which they are found. */
export class Things {
  readonly #ids = new Map<string, string[]>();

  add(kind: string, id: string): void {
    this.#ids.set(kind, [...(this.#ids.get(kind) ?? []), id]);
  }

  /** Returns all ids that a parameter of this path could name, those of its own kind first. */
  candidates(path: string): string[] {
    const own = path
      .split('/')
      .reverse()
      .flatMap((part) => this.#ids.get(part) ?? []);
    return [...new Set([...own, ...[...this.#ids.values()].flat()])];
  }

  /** Picks an id for a parameter of a path or body, sometimes one of another kind. */
  pick(random: Random, name: string, path: string): string {
    const kind = KINDS[name.replace(/_ids?$/, '')] ?? (this.#ids.has(name) ? name : undefined);
    const parts = path.split('/').reverse();
    const found = kind ?? parts.find((part) => this.#ids.has(part));
    const all = [...this.#ids.values()].flat();
    return random.pick(found === undefined || random.chance(0.1) ? all : (this.#ids.get(found) ?? all));
  }
}
