import type { DifferingRow } from './services/read-models.ts';

/** Returns the key of a row as people read it: `account_id 12, tag cats`. */
export const keyText = ({ key }: Pick<DifferingRow, 'key'>): string =>
  Object.entries(key)
    .map(([name, value]) => `${name} ${value ?? 'null'}`)
    .join(', ');

/** Says how a row differs: `is changed: sensitive is true, the log says false`. */
export function differenceText({ kind, columns }: Pick<DifferingRow, 'kind' | 'columns'>): string {
  if (kind === 'missing') return 'is not in the table';
  if (kind === 'surplus') return 'is not in the log';
  const each = columns.map(
    ({ name, live, rebuilt }) => `${name} is ${live ?? 'null'}, the log says ${rebuilt ?? 'null'}`,
  );
  return ['is changed', ...(each.length > 0 ? [each.join('; ')] : [])].join(': ');
}
