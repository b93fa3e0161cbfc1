import type { Id } from '../ids.ts';

/** Watches what the operator has to know. */
export interface Alerts {
  /**
   * Looks at everything once, raises alerts and resolves those whose cause is gone. `now` is ISO 8601; repeating it
   * changes nothing.
   */
  evaluate(now: string, newId: () => Id): Promise<void>;
}
