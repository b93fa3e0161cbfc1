import { translationLanguages } from './languages.ts';

export { localeOf } from './locale.ts';

export const translationQueries = [translationLanguages];
