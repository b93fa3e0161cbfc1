import { commandEndpoints } from '#commands/index.ts';
import { queryEndpoints } from '#queries/index.ts';
import { declarationsIn } from './declarations.ts';
import { featureNames } from './feature.ts';
import { filesIn, textOf } from './imports.ts';
import type { Known } from './skeleton-names.ts';
import { statementNamesIn } from './statement-names.ts';

const EXPORTED = /^export (?:async )?(?:const|class|function\*?) (\w+)/gm;

/** Returns what the repository has: features, endpoints with their files, exported names. */
export async function knownHere(): Promise<Known> {
  const declared = await declarationsIn('commands', 'queries');
  const texts = filesIn('commands', 'queries').map(textOf);
  const names = texts.flatMap((text) => [...text.matchAll(EXPORTED)].map(([, name = '']) => name));
  return {
    features: featureNames(),
    endpoints: [...queryEndpoints, ...commandEndpoints].map((endpoint) => ({
      method: endpoint.method,
      path: endpoint.path,
      permission: endpoint.permission,
      scopes: endpoint.scopes,
      file: declared.get(endpoint)?.file ?? '',
    })),
    names: new Set(names),
    statements: new Set(filesIn('src', 'projections').map(textOf).concat(texts).flatMap(statementNamesIn)),
  };
}
