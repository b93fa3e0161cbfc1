import { RookeryError } from './errors.ts';

/** The statement reads a read model that is halted, whose rows are those of an earlier time. */
export class ReadModelHalted extends RookeryError {
  readonly readModel: string;

  constructor(name: string) {
    super('unavailable', `The read model ${name} is halted until the operator mends it`, {
      headers: { 'Retry-After': '60' },
    });
    this.name = 'ReadModelHalted';
    this.readModel = name;
  }
}

/** Does the work, or `instead` where it reads a halted read model. */
export async function unlessHalted<T, Instead>(
  work: () => Promise<T>,
  instead: (halted: ReadModelHalted) => Instead | Promise<Instead>,
): Promise<T | Instead> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ReadModelHalted)) throw error;
    return instead(error);
  }
}
