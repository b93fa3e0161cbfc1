import { createInterface } from 'node:readline/promises';

/** Asks the user at the terminal; undefined where there is none. */
export async function ask(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  return terminal.question(question).finally(() => terminal.close());
}
