const UNITS = ['KB', 'MB', 'GB', 'TB', 'PB', 'EB'];

/**
 * Returns a number of bytes in words, with at most three figures, as Mastodon's documentation shows them:
 * `46.2 GB`, `0 Bytes`.
 */
export function humanBytes(bytes: number): string {
  if (bytes < 1_024) return bytes === 1 ? '1 Byte' : `${bytes} Bytes`;
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length);
  return `${Number((bytes / 1_024 ** power).toPrecision(3))} ${UNITS[power - 1] ?? ''}`;
}
