import { z } from 'zod';
import type { UserContext } from '#kernel/context.ts';
import { endpoint, type Reply } from '#kernel/endpoint.ts';
import { parameterMissing } from '#kernel/errors.ts';
import { formBoolean } from '#kernel/input.ts';
import {
  type AdminDomainChange,
  type AdminDomainImport,
  adminDomainImportSchema,
} from '#mastodon/schemas/index.ts';
import type { Step } from './domain-plan.ts';
import { followsEndedBy, ownDomains, planImport, takeStep } from './import.ts';

/** UTF-16 units: some twenty thousand domains. */
const MAX_LIST = 500_000;
/** Each change of a list is a write of its own, within one request. */
const MAX_LINES = 5_000;

const input = {
  list: z
    .string()
    .max(MAX_LIST)
    .nullish()
    .describe(
      `A list in the form of Mastodon's export (CSV), or one domain a line; at most ${MAX_LINES} lines.`,
    ),
  dry_run: formBoolean
    .optional()
    .describe('Whether to change nothing, and only answer with what would change; false by default.'),
};
const staff = {
  method: 'POST',
  auth: 'user',
  permission: 'manage_federation',
  requires: ['list'],
  longTexts: true,
  reply: adminDomainImportSchema,
} as const;

export const importDomainBlocks = endpoint({
  ...staff,
  path: '/api/v1/admin/domain_blocks/import',
  summary: 'Block the domains of a list, or see what that would change',
  scopes: ['admin:write:domain_blocks'],
  body: z.object({
    ...input,
    merge: z
      .enum(['stricter', 'replace'])
      .nullish()
      .describe(
        'What happens to existing blocks: `stricter`, the default, never weakens one; `replace` puts the rules of the list in their place.',
      ),
  }),
  handler: (ctx, { body }) =>
    imported(ctx, { ...given(body), merge: body.merge ?? 'stricter', allows: false }),
});

export const importDomainAllows = endpoint({
  ...staff,
  path: '/api/v1/admin/domain_allows/import',
  summary: 'Allow the domains of a list, or see what that would change',
  scopes: ['admin:write:domain_allows'],
  body: z.object(input),
  handler: (ctx, { body }) => imported(ctx, { ...given(body), merge: 'stricter', allows: true }),
});

const given = ({
  list,
  dry_run,
}: z.output<z.ZodObject<typeof input>>): { text: string; dryRun: boolean } => ({
  text: list ?? '',
  dryRun: dry_run === true,
});

interface Import {
  text: string;
  dryRun: boolean;
  merge: 'stricter' | 'replace';
  allows: boolean;
}

/**
 * Each line is a write of its own: a stop leaves those that were taken, and a repeat finds them unchanged.
 */
async function imported(ctx: UserContext, { text, dryRun, merge, allows }: Import): Promise<Reply> {
  if (text.trim() === '') throw parameterMissing('list');
  const list = { text, own: ownDomains(ctx.instance), allows, merge };
  const { steps, invalid } = await planImport(ctx.db, list, { most: MAX_LINES });
  const follows = await followsEndedBy(ctx.db, steps);
  const refused = new Map<Step, string>();
  for (const step of dryRun ? [] : steps) {
    const reason = await takeStep(ctx, step, allows);
    if (reason !== undefined) refused.set(step, reason);
  }
  const taken = steps.filter((step) => !refused.has(step));
  const count = (kind: Step['kind']): number => taken.filter((step) => step.kind === kind).length;
  const json: AdminDomainImport = {
    dry_run: dryRun,
    added: count('added'),
    changed: count('changed'),
    unchanged: count('unchanged'),
    changes: taken.map((step) => changeOf(step, follows.get(step.domain) ?? 0)),
    invalid: [...invalid, ...[...refused].map(([{ line }, reason]) => ({ line, reason }))],
  };
  return { json };
}

function changeOf(step: Step, ending: number): AdminDomainChange {
  const { line, domain, kind } = step;
  const rules = kind === 'unchanged' ? {} : step.rules;
  const { severity = null, reject_media = null, reject_reports = null, obfuscate = null } = rules;
  return {
    line,
    domain,
    change: kind,
    severity,
    reject_media,
    reject_reports,
    obfuscate,
    public_comment: rules.public_comment ?? null,
    previous_severity: kind === 'changed' ? step.from : null,
    blocked_with: kind === 'unchanged' ? (step.by ?? null) : null,
    follows_ended: ending,
  };
}
