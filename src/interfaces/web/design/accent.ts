/** A colour by its parts from 0 to 255. */
type Rgb = readonly [red: number, green: number, blue: number];

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

/**
 * The darkest ground of the light scheme and the brightest of the dark one, as in `styles/tokens.css`: text that
 * is legible there is legible on the other grounds too.
 */
const LIGHT = { surface: WHITE, ground: rgbOf('#eef2f3'), away: BLACK };
const DARK = { surface: rgbOf('#171e24'), ground: rgbOf('#1f2830'), away: WHITE };

/** WCAG 2.2, 1.4.3: the least contrast of text. */
const LEAST = 4.5;

/** The colours that depend on the accent colour, by the end of their names in the style sheet. */
export interface Accent {
  accent: string;
  strong: string;
  soft: string;
  onAccent: string;
}

/** Returns the colours for both schemes: as close to the given one as legible text allows. */
export function accentOf(color: string): { light: Accent; dark: Accent } {
  const wanted = rgbOf(color);
  return { light: schemeOf(wanted, LIGHT), dark: schemeOf(wanted, DARK) };
}

/** Returns the style sheet that replaces the accent colour. */
export function accentStyle(color: string): string {
  const { light, dark } = accentOf(color);
  return `:root{${rules(light)}}@media (prefers-color-scheme:dark){:root{${rules(dark)}}}`;
}

/** Returns the address of that style sheet; the colour is `#7a3b8f`. */
export const accentPath = (color: string): string => `/assets/accent-${color.slice(1)}.css`;

/** Returns the contrast of two colours, from 1 to 21: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrast(one: string, other: string): number {
  return ratio(rgbOf(one), rgbOf(other));
}

function schemeOf(wanted: Rgb, { surface, ground, away }: typeof LIGHT): Accent {
  const accent = pushed(wanted, away, [ground]);
  const soft = mixed(surface, accent, 0.14);
  const strong = pushed(mixed(accent, away, 0.22), away, [ground, soft]);
  const onAccent = pushed(
    mixed(away === BLACK ? WHITE : BLACK, accent, 0.08),
    away === BLACK ? WHITE : BLACK,
    [accent, strong],
  );
  return { accent: hexOf(accent), strong: hexOf(strong), soft: hexOf(soft), onAccent: hexOf(onAccent) };
}

/** Mixes black or white into a colour until it is legible on all grounds. */
function pushed(color: Rgb, towards: Rgb, grounds: readonly Rgb[]): Rgb {
  for (let share = 0; share < 1; share += 0.02) {
    const tried = mixed(color, towards, share);
    if (grounds.every((ground) => ratio(tried, ground) >= LEAST)) return tried;
  }
  return towards;
}

const mixed = (color: Rgb, other: Rgb, share: number): Rgb => {
  const part = (index: 0 | 1 | 2): number => Math.round(color[index] * (1 - share) + other[index] * share);
  return [part(0), part(1), part(2)];
};

function ratio(one: Rgb, other: Rgb): number {
  const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function rgbOf(color: string): Rgb {
  const part = (at: number): number => Number.parseInt(color.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

const hexOf = (color: Rgb): string => `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

const rules = ({ accent, strong, soft, onAccent }: Accent): string =>
  `--accent:${accent};--accent-strong:${strong};--accent-soft:${soft};--on-accent:${onAccent}`;
