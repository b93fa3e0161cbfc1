const NAMED = /\b(?:keysetStatement|statement)(?:<[^()]*>)?\(\s*'([^']+)'/g;

/** Returns the names of the prepared statements that a source declares as one text. */
export const statementNamesIn = (source: string): string[] =>
  [...source.matchAll(NAMED)].map(([, name = '']) => name);
