/** Returns columns padded to their widest cell. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Returns a number of events: `~` before an estimate, `?` for an unknown number. */
export const countText = (count: { events: number; estimated: boolean } | undefined): string =>
  count === undefined ? '?' : `${count.estimated ? '~' : ''}${count.events}`;
