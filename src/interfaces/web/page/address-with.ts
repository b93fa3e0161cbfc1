/** Returns the address of a path with these parameters; without any, the path. */
export function addressWith(path: string, pairs: [name: string, value: string][]): string {
  const query = new URLSearchParams(pairs).toString();
  return query === '' ? path : `${path}?${query}`;
}
