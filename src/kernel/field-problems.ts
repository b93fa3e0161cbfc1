import { attributeLabel } from './attribute-label.ts';
import { invalid, type ValidationDetail } from './errors.ts';

export const TAKEN: ValidationDetail = { error: 'ERR_TAKEN', description: 'has already been taken' };
export const BLANK: ValidationDetail = { error: 'ERR_BLANK', description: "can't be blank" };
export const UNKNOWN: ValidationDetail = {
  error: 'ERR_INCLUSION',
  description: 'is not included in the list',
};
export const tooLong = (maximum: number): ValidationDetail => ({
  error: 'ERR_TOO_LONG',
  description: `is too long (maximum is ${maximum} characters)`,
});

/** Collects problems by field: https://docs.joinmastodon.org/methods/accounts/#422-unprocessable-entity */
export class FieldProblems {
  readonly #details: Record<string, ValidationDetail[]> = {};

  add(field: string, ...problems: readonly ValidationDetail[]): void {
    if (problems.length > 0) (this.#details[field] ??= []).push(...problems);
  }

  /** Tells whether a field has no problem. */
  isFine(field: string): boolean {
    return this.#details[field] === undefined;
  }

  /** @throws RookeryError `invalid` with all problems */
  throwIfAny(): void {
    const texts = Object.entries(this.#details).flatMap(([field, problems]) =>
      problems.map(({ description }) => `${attributeLabel(field)} ${description}`),
    );
    if (texts.length > 0) throw invalid(`Validation failed: ${texts.join(', ')}`, this.#details);
  }
}
