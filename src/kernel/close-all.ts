/**
 * Closes what was opened, the last first, one after the other. A closer that fails holds up none of the others.
 * @throws the first error, once all were called
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
