const NUMBER = new Intl.NumberFormat('en');
const TENTHS = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** Returns a whole number for people: `12,345`. */
export const numberText = (value: number): string => NUMBER.format(Math.round(value));

/** Returns a number with at most one decimal: `12.5`, `1,200`. */
export const tenthsText = (value: number): string => TENTHS.format(value);

/** Returns a number of bytes for people, in powers of 1000 like the setting: `5.0 GB`. */
export function sizeText(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3));
  const shown = bytes / 1_000 ** power;
  return `${power === 0 ? shown : shown.toFixed(1)} ${['B', 'kB', 'MB', 'GB', 'TB'][power]}`;
}

/** Returns a duration for people: `12 ms`, `3.4 s`, `85 s`, `12 min`, `3.3 h`, `2.5 days`. */
export function durationText(seconds: number): string {
  if (seconds > 0 && seconds < 1) return `${Math.round(seconds * 1_000)} ms`;
  if (seconds < 10) return `${tenthsText(seconds)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${tenthsText(seconds / 3_600)} h` : `${tenthsText(seconds / 86_400)} days`;
}
