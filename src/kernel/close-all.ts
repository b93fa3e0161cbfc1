/**
 * Calls closers one after the other, the last first. A failing closer does not stop the others.
 * @throws the first error, after all were called
 */
export async function closeAll(opened: readonly (() => unknown)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const close of opened.toReversed()) {
    try {
      await close();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
