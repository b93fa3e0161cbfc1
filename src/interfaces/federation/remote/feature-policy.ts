import type { FeaturePolicy } from '#events/feature-policy.ts';
import { EVERYBODY } from './interaction-policy.ts';
import { type Foreign, idOf, isObject, listOf } from './json.ts';

type Featurer = FeaturePolicy['automatic'][number];

const MAX_URIS = 50;

/**
 * Returns the accounts that an actor allows to feature it in collections; undefined when its server does not
 * declare them.
 */
export function featurePolicyOf(id: string, document: Foreign): FeaturePolicy | undefined {
  const { interactionPolicy } = document;
  const canFeature = isObject(interactionPolicy) ? interactionPolicy['canFeature'] : undefined;
  if (!isObject(canFeature)) return undefined;
  const featurersIn = (name: string): Featurer[] => {
    const uris = listOf(canFeature[name], MAX_URIS).map(idOf);
    // The actor itself means no other account.
    return [...new Set(uris.filter((uri) => uri !== id).map((uri) => featurerOf(uri, document)))];
  };
  return { automatic: featurersIn('automaticApproval'), manual: featurersIn('manualApproval') };
}

function featurerOf(uri: string | undefined, document: Foreign): Featurer {
  if (uri === undefined) return 'unsupported_policy';
  if (EVERYBODY.includes(uri)) return 'public';
  if (uri === idOf(document['followers'])) return 'followers';
  return uri === idOf(document['following']) ? 'following' : 'unsupported_policy';
}
