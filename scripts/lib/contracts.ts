import { format, resolveConfig } from 'prettier';
import { specifierFrom } from '../lint/room-paths.js';
import type { Declaration } from './declarations.ts';

/** The generated file, from the root. */
export const CONTRACTS = 'src/interfaces/http/contracts.ts';

/** An endpoint of the API, and where its value is declared. */
export interface ContractEntry {
  /** As pages name the endpoint: `GET v1/lists`. */
  name: string;
  /** The name of the exported value. */
  value: string;
  file: string;
}

/**
 * Returns the endpoints of the API, by file and value.
 * @throws Error when no file exports the value of an endpoint by a name
 */
export function contractEntries(
  endpoints: readonly { method: string; path: string }[],
  declared: ReadonlyMap<unknown, Declaration>,
): ContractEntry[] {
  const entries = endpoints
    .filter(({ path }) => path.startsWith('/api/'))
    .map((endpoint) => {
      const name = `${endpoint.method} ${endpoint.path.replace('/api/', '')}`;
      const { file, name: value } = declared.get(endpoint) ?? {};
      if (file === undefined || value === undefined) {
        throw new Error(`${name} has no contract: export the value that declares it by a name of its own.`);
      }
      return { name, value, file };
    });
  return entries.sort((a, b) => (`${a.file} ${a.value}` < `${b.file} ${b.value}` ? -1 : 1));
}

/** Returns the source of the map from an endpoint's name to its contract. */
export async function contractsText(entries: readonly ContractEntry[]): Promise<string> {
  const local = localNames(entries);
  const imports = [...Map.groupBy(entries, ({ file }) => file)].map(([file, each]) => {
    const values = each.map((entry) => {
      const name = local.get(entry) ?? '';
      return name === entry.value ? name : `${entry.value} as ${name}`;
    });
    return `import type { ${values.join(', ')} } from '${specifierFrom(CONTRACTS, file)}';`;
  });
  const members = entries.map((entry) => `'${entry.name}': ContractOf<typeof ${local.get(entry) ?? ''}>;`);
  const text = `// Written by \`npm run contracts\`; CI fails when it is out of date.
import type { ContractOf } from '#kernel/endpoint.ts';
${imports.join('\n')}

/** The contract of each endpoint, by its name without \`/api/\`. The compiler looks up one member at a time. */
export interface Contracts {
${members.sort().join('\n')}
}
`;
  return format(text, { ...(await resolveConfig(CONTRACTS)), filepath: CONTRACTS });
}

/** Returns the name of each value in the generated file. Values of several files may have one name. */
function localNames(entries: readonly ContractEntry[]): Map<ContractEntry, string> {
  const taken = new Set<string>();
  return new Map(
    entries.map((entry) => {
      let name = entry.value;
      for (let n = 2; taken.has(name); n += 1) name = `${entry.value}${n}`;
      taken.add(name);
      return [entry, name];
    }),
  );
}
