/** Returns a number of bytes for people, in powers of 1000 like the setting: `5.0 GB`. */
export function sizeOf(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3));
  const shown = bytes / 1_000 ** power;
  return `${power === 0 ? shown : shown.toFixed(1)} ${['B', 'kB', 'MB', 'GB', 'TB'][power]}`;
}
