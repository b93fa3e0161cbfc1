/** Returns the values of these names, without the names that have none. */
export function valuesBy<Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value | undefined,
): Partial<Record<Name, Value>> {
  const values: Partial<Record<Name, Value>> = {};
  for (const name of names) {
    const value = valueOf(name);
    if (value !== undefined) values[name] = value;
  }
  return values;
}
