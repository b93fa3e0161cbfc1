import { Argument, InvalidArgumentError } from 'commander';
import { isId } from '#kernel/ids.ts';

/** The name of a local account. */
export const username = (): Argument =>
  new Argument('<name>', 'username, without @').argParser((name) => name.replace(/^@/, ''));

/** Parses an argument or option that is an id. @throws InvalidArgumentError */
export function parseId(text: string): string {
  if (!isId(text)) throw new InvalidArgumentError('must be a number.');
  return text;
}
