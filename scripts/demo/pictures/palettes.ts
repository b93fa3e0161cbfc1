/** Colours that go together. `land` goes from the farthest to the nearest. */
export interface Palette {
  sky: readonly [top: string, bottom: string];
  land: readonly [string, string, string];
  accent: string;
  light: string;
  ink: string;
}

export const PALETTES = {
  dawn: {
    sky: ['#f7b2a0', '#fde8c9'],
    land: ['#d98c8f', '#a8607a', '#5d3a5e'],
    accent: '#f2545b',
    light: '#fff3dc',
    ink: '#3a2140',
  },
  meadow: {
    sky: ['#bfe3e8', '#f4f7dc'],
    land: ['#9cc48a', '#5f9e6e', '#2f6b52'],
    accent: '#f4b942',
    light: '#fffbe8',
    ink: '#17392f',
  },
  lake: {
    sky: ['#8fc1e3', '#e6f2f5'],
    land: ['#6fa3bf', '#35728f', '#1b4459'],
    accent: '#f28f3b',
    light: '#f6fbff',
    ink: '#10293a',
  },
  dusk: {
    sky: ['#33386b', '#d98aa5'],
    land: ['#6b5b95', '#423e6f', '#221f45'],
    accent: '#ffc66d',
    light: '#ffeedd',
    ink: '#171533',
  },
  autumn: {
    sky: ['#f6d6a8', '#fbf0da'],
    land: ['#d99a4e', '#b3602e', '#6b3620'],
    accent: '#c8402b',
    light: '#fff7e6',
    ink: '#3d2012',
  },
  night: {
    sky: ['#0e1a3a', '#34558b'],
    land: ['#24406e', '#182d52', '#0b1730'],
    accent: '#f6e27f',
    light: '#e8f0ff',
    ink: '#060d1f',
  },
  mint: {
    sky: ['#c8efe0', '#fdfbe9'],
    land: ['#8fd0b8', '#3fa796', '#1f6f78'],
    accent: '#ff7f6a',
    light: '#fffdf2',
    ink: '#113c42',
  },
  plum: {
    sky: ['#e7c6ff', '#ffeef8'],
    land: ['#bb8fce', '#8e4585', '#512b58'],
    accent: '#f9b234',
    light: '#fff5fb',
    ink: '#301536',
  },
  clay: {
    sky: ['#f3d9c6', '#fcf3ea'],
    land: ['#d8a48f', '#bb6b4e', '#7a3e2b'],
    accent: '#2a9d8f',
    light: '#fffaf4',
    ink: '#40200f',
  },
  sea: {
    sky: ['#a7d8de', '#f7f3e3'],
    land: ['#57b8c4', '#1f8a9e', '#0b4f63'],
    accent: '#ef476f',
    light: '#f5ffff',
    ink: '#07303c',
  },
  lemon: {
    sky: ['#ffe98a', '#fffbe0'],
    land: ['#d3cf5a', '#86a63d', '#446b2e'],
    accent: '#e4572e',
    light: '#fffdf0',
    ink: '#27401a',
  },
  slate: {
    sky: ['#c3ccd6', '#eef1f3'],
    land: ['#93a3b1', '#5c7080', '#2f3e4a'],
    accent: '#e07a5f',
    light: '#fbfcfd',
    ink: '#1b252d',
  },
} as const satisfies Record<string, Palette>;
export type PaletteName = keyof typeof PALETTES;

export const PALETTE_NAMES = Object.keys(PALETTES) as PaletteName[];
