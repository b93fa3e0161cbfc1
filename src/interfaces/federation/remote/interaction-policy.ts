import type { InteractionKind, InteractionPolicy, InteractionRules } from '#events/statuses.ts';
import { PUBLIC } from '../documents/contexts.ts';
import { type Foreign, idOf, isObject, listOf } from './json.ts';

/** The names of everyone in remote documents. */
export const EVERYBODY = [PUBLIC, 'as:Public', 'Public'];

const MAX_URIS = 50;
const MAX_URI = 2_048;

const SUB_POLICIES: Record<InteractionKind, string> = {
  reply: 'canReply',
  like: 'canLike',
  announce: 'canAnnounce',
};

/**
 * Returns the interaction policy of a post; null when it approves everyone. Servers older than GoToSocial
 * 0.20 use `always` and `approvalRequired`.
 * https://docs.gotosocial.org/en/latest/federation/interaction_policy/
 */
export function interactionPolicyOf({ interactionPolicy: policy }: Foreign): InteractionPolicy | null {
  if (!isObject(policy)) return null;
  const entries = Object.entries(SUB_POLICIES).flatMap(([kind, name]) => {
    const rules = rulesOf(policy[name]);
    return rules ? [[kind, rules] as const] : [];
  });
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

/** Returns undefined for rules that are absent, empty, or open to everyone. */
function rulesOf(value: unknown): InteractionRules | undefined {
  if (!isObject(value) || Object.keys(value).length === 0) return undefined;
  const polite = value['automaticApproval'] !== undefined || value['manualApproval'] !== undefined;
  const automatic = urisOf(polite ? value['automaticApproval'] : value['always']);
  const manual = urisOf(polite ? value['manualApproval'] : value['approvalRequired']);
  if (automatic.includes(PUBLIC) && manual.length === 0) return undefined;
  return { automatic, manual, polite };
}

function urisOf(value: unknown): string[] {
  const uris = listOf(value, MAX_URIS).flatMap((one) => {
    const uri = idOf(one);
    if (uri === undefined || uri.length > MAX_URI) return [];
    return EVERYBODY.includes(uri) ? [PUBLIC] : [uri];
  });
  return [...new Set(uris)];
}
