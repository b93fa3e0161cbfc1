import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';

export const CLI = resolve(import.meta.dirname, '../../src/cli');

type Factory = () => Command;

function commandsOfFiles(): [name: string, make: Factory, factory: string][] {
  const files = readdirSync(CLI).filter((file) => file.endsWith('.ts') && file !== 'main.ts');
  const load = createRequire(import.meta.url);
  const modules = files.map((file) => load(join(CLI, file)) as Record<string, unknown>);
  return modules.flatMap((module) =>
    Object.entries(module)
      .filter(([name]) => name.endsWith('Command'))
      .map(([factory, make]): [string, Factory, string] => {
        const maker = make as Factory;
        return [maker().name(), maker, factory];
      }),
  );
}

/** The subcommands below a command, as words. */
function leavesOf({ commands: below }: Command): string[][] {
  if (below.length === 0) return [[]];
  return below.flatMap((each) => leavesOf(each).map((words) => [each.name(), ...words]));
}

/** The commands that the files of the command line export: name, factory, and name of the factory. */
export const commands = commandsOfFiles();
export const verbs = new Set(
  commands.flatMap(([name, make]) => leavesOf(make()).map((verb) => [name, ...verb].join(' '))),
);
