/** Bytes of a hash (SHA-256). */
export const HASH_BYTES = 32;
/** Hashes of a full tile. */
export const TILE_WIDTH = 256;

/** A tile: `width` hashes of a level, with `place` full tiles of that level before it. */
export interface TileAddress {
  /** 0 has the hashes of events; each level above has one hash for 256 of the level below. */
  level: number;
  place: number;
  /** 256, or fewer at the right edge of a tree. */
  width: number;
}

/** Elements of three digits: places below 10^15, which are safe integers. */
const PLACE = /^(?:x\d{3}\/){0,4}\d{3}$/;
const WIDTH = /^(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])$/;
const LEVEL = /^(?:\d|[1-5]\d|6[0-3])$/;

/** Returns the path of a tile's place and width: `x001/x234/067.p/8`. https://c2sp.org/tlog-tiles */
export function placePath({ place, width }: Pick<TileAddress, 'place' | 'width'>): string {
  const digits = String(place);
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0');
  const elements = padded.match(/\d{3}/g) ?? [];
  const path = elements.map((each, n) => (n < elements.length - 1 ? `x${each}` : each)).join('/');
  return width === TILE_WIDTH ? path : `${path}.p/${width}`;
}

/** Returns the path of a tile below `tile/`. */
export const tilePath = (address: TileAddress): string => `${address.level}/${placePath(address)}`;

/** Returns the place and width in a path; undefined for any other spelling than `placePath`. */
export function parsePlacePath(path: string): Pick<TileAddress, 'place' | 'width'> | undefined {
  const [elements = '', width, ...others] = path.split('.p/');
  if (others.length > 0 || !PLACE.test(elements) || (width !== undefined && !WIDTH.test(width))) {
    return undefined;
  }
  const place = Number(elements.replaceAll(/[x/]/g, ''));
  const address = { place, width: width === undefined ? TILE_WIDTH : Number(width) };
  return placePath(address) === path ? address : undefined;
}

/** Returns the tile that a path below `tile/` names; undefined for any other spelling. */
export function parseTilePath(path: string): TileAddress | undefined {
  const slash = path.indexOf('/');
  const level = path.slice(0, slash);
  const rest = LEVEL.test(level) ? parsePlacePath(path.slice(slash + 1)) : undefined;
  return rest && { level: Number(level), ...rest };
}

/** Returns the tiles of a level in a tree, from left to right; with `from`, those with a hash at or after that index. */
export function tilesOf(level: number, size: number, from = 0): TileAddress[] {
  const hashes = Math.floor(size / TILE_WIDTH ** level);
  const tiles: TileAddress[] = [];
  for (let place = Math.floor(from / TILE_WIDTH); place * TILE_WIDTH < hashes; place += 1) {
    tiles.push({ level, place, width: Math.min(TILE_WIDTH, hashes - place * TILE_WIDTH) });
  }
  return tiles;
}
