import { RookeryError } from '#kernel/errors.ts';

/**
 * The kinds of faults that an outsider sees: `key` a checkpoint that the known key did not sign, `cut` a log that became shorter, `rewrite`
 * earlier events that became others, `fork` two trees of one size, `tiles` hashes that are not those of the checkpoint.
 */
export type FindingKind = 'key' | 'cut' | 'rewrite' | 'fork' | 'tiles';

/** A log contradicts itself, or what was known of it. */
export class LogFinding extends RookeryError {
  readonly kind: FindingKind;
  /** The message without its kind. */
  readonly text: string;

  constructor(kind: FindingKind, text: string) {
    super('conflict', `${kind}: ${text}`);
    this.text = text;
    this.kind = kind;
  }
}
