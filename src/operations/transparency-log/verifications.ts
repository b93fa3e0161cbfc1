import { isRookeryError } from '#kernel/errors.ts';
import type { VerifiedDamage } from '#storage/eventlog/port.ts';
import type { DamagedAmong } from './damaged-fields.ts';
import type { KeptFile } from './kept.ts';
import type { ErasedSubject } from './missing-keys.ts';
import type { RecordDependencies } from './record.ts';
import { newestCheckpoint } from './stored-checkpoints.ts';
import { type StoredVerification, storedVerification, storeVerification } from './stored-verification.ts';
import type { VerifyOptions, VerifyProgress } from './verify.ts';
import { type OwnVerdict, verifyOwnLog } from './verify-own.ts';

export interface VerificationOptions {
  /** Hours between verifications of the whole log in the background; 0, the default, turns them off. */
  verifyHours?: number | undefined;
  /** Tells which subjects the log erased; without it, every missing key is a fault. */
  erasedSubject?: ErasedSubject | undefined;
  /** Finds events whose fields the stored keys do not decrypt; without it, none are found. */
  damagedAmong?: DamagedAmong | undefined;
  /** Stores what a verification up to a position found. */
  onDamage?: ((found: readonly VerifiedDamage[], position: bigint) => Promise<void>) | undefined;
  /** Called when the background finds a fault. */
  onProblem?: ((problem: string) => void) | undefined;
}

const HOUR = 3_600_000;

/** Verifications of the whole log, whose last result is stored for `/health`. */
export class Verifications {
  readonly #dependencies: RecordDependencies;
  readonly #options: VerificationOptions;

  constructor(dependencies: RecordDependencies, options: VerificationOptions) {
    this.#dependencies = dependencies;
    this.#options = options;
  }

  /**
   * Compares the log with all stored checkpoints and the kept ones. All must be signed by this server; the
   * kept ones by `key`, if given. Without kept ones the result is stored.
   * @returns undefined when it ended early
   * @throws RookeryError `invalid` for text that is no checkpoint or has another signature
   */
  async verify(
    { kept, key }: { kept: readonly KeptFile[]; key?: string | undefined },
    options: VerifyOptions,
  ): Promise<OwnVerdict | undefined> {
    let position = 0n;
    const onProgress = (progress: VerifyProgress): void => {
      ({ position } = progress);
      options.onProgress?.(progress);
    };
    const { erasedSubject, damagedAmong, onDamage } = this.#options;
    const sources = { ...this.#dependencies, kept, key };
    const verdict = await verifyOwnLog(sources, { ...options, onProgress, erasedSubject, damagedAmong });
    if (verdict) await onDamage?.(verdict.damaged, position);
    if (verdict && kept.length === 0) {
      await storeVerification(this.#dependencies.db, { ...verdict, position });
    }
    return verdict;
  }

  /** Verifies at the given pace, if the last time is longer ago than the settings say. */
  async verifyWhenDue(pace: Pick<VerifyOptions, 'page' | 'mayGoOn'>): Promise<void> {
    const { verifyHours = 0, onProblem } = this.#options;
    const { finishedAt } = (await this.last()) ?? {};
    const age = finishedAt === undefined ? Infinity : Date.now() - Date.parse(finishedAt);
    if (verifyHours === 0 || age < verifyHours * HOUR) return;
    if (!(await newestCheckpoint(this.#dependencies.db))) return;
    const verdict = await this.verify({ kept: [] }, pace).catch((error: unknown) => this.#unreadable(error));
    if (verdict?.problem !== undefined) onProblem?.(verdict.problem);
  }

  /** Returns the last stored result; undefined before the first. */
  last(): Promise<StoredVerification | undefined> {
    return storedVerification(this.#dependencies.db);
  }

  /** Stores that a stored checkpoint cannot be read, or was not signed here. @throws any other error */
  async #unreadable(error: unknown): Promise<{ problem: string }> {
    if (!isRookeryError(error) || error.code !== 'invalid') throw error;
    const problem = error.message;
    await storeVerification(this.#dependencies.db, { events: 0, position: 0n, problem });
    return { problem };
  }
}
