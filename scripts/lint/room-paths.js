import { readFileSync } from 'node:fs';
import { posix, resolve } from 'node:path';

const PACKAGE = resolve(import.meta.dirname, '../../package.json');

/** The subpath imports of package.json as pairs: `#kernel/`, `src/kernel/`. */
const ROOMS = Object.entries(JSON.parse(readFileSync(PACKAGE, 'utf8')).imports).map(([name, folder]) => [
  name.replace(/\*$/, ''),
  folder.replace(/^\.\//, '').replace(/\*$/, ''),
]);

/**
 * Returns the path from the root that a module specifier in a file means; a package stays as it is.
 * @param {string} file from the root
 * @param {string} specifier
 */
export function targetOf(file, specifier) {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier);
  const room = ROOMS.find(([name]) => specifier.startsWith(name));
  return room ? room[1] + specifier.slice(room[0].length) : specifier;
}

/**
 * Returns how a file names another: by its room, or relatively where it is in the same room and at most one folder up. A target
 * outside of the rooms is named relatively.
 * @param {string} file from the root
 * @param {string} target from the root
 */
export function specifierFrom(file, target) {
  const path = posix.relative(posix.dirname(file), target);
  const relative = path.startsWith('.') ? path : `./${path}`;
  const room = ROOMS.find(([, folder]) => target.startsWith(folder));
  if (!room || (file.startsWith(room[1]) && !relative.startsWith('../../'))) return relative;
  return room[0] + target.slice(room[1].length);
}
