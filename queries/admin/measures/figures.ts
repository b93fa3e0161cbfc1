import { formStringArray } from '#kernel/input.ts';
import type { SubjectKind } from './subject.ts';

/** The longest period that figures cover, in days. */
export const MOST_DAYS = 366;

/** The endpoints of figures, which staff ask for by name. */
export const figuresEndpoint = {
  method: 'POST',
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'view_dashboard',
  onlyReads: true,
  errors: [404],
} as const;

/** The parameter `keys`: the names of measures or dimensions. */
export const keysParameter = <Key extends string>(figures: string, words: readonly Key[]) =>
  formStringArray(50, 100, { alone: true, words })
    .default([])
    .describe(`Names of ${figures}; unknown ones are ignored.`);

/** Returns the kind of the subject of each figure, for `subjectParameters`. */
export const subjectKinds = (
  figures: Readonly<Record<string, { subject: SubjectKind }>>,
): Readonly<Record<string, SubjectKind>> =>
  Object.fromEntries(Object.entries(figures).map(([key, { subject }]) => [key, subject]));
