import type { Html } from '#interfaces/web/design/html.ts';
import type { WebRequest } from '#interfaces/web/page/page.ts';
import { isRookeryError } from '#kernel/errors.ts';
import type { Status } from '#mastodon/schemas/index.ts';
import { type Attached, attachedTo } from './attachments.ts';
import type { Draft } from './draft.ts';
import type { Problem } from './problems.ts';

/** A post that the new one refers to; `gone` when it was deleted, or is not for the user. */
export type Referred = Status | 'gone' | undefined;

/** All that a composer shows. */
export interface Desk {
  draft: Draft;
  attached: Attached;
  problems: readonly Problem[];
  parent: Referred;
  quoted: Referred;
  /** Said above the form. */
  note?: Html;
}

/** Reads what a draft refers to. */
export async function deskFor(
  request: WebRequest,
  draft: Draft,
  { problems = [], known, note }: { problems?: readonly Problem[]; known?: Attached; note?: Html } = {},
): Promise<Desk> {
  const [files, parent, quoted] = await Promise.all([
    attachedTo(request, draft, known),
    referred(request, draft.inReplyTo),
    referred(request, draft.quoted),
  ]);
  return {
    draft: files.draft,
    attached: files.attached,
    problems: withoutEchoes([...problems, ...files.problems]),
    parent,
    quoted,
    ...(note ? { note } : {}),
  };
}

/** Says once that a file is missing: the API says it with its id. */
const withoutEchoes = (problems: readonly Problem[]): Problem[] =>
  problems.some(({ text }) => text.startsWith('A file was left out'))
    ? problems.filter(({ text }) => !/^Media [\d, ]+ not found/.test(text))
    : [...problems];

/** Returns the post of an id; of a boost, the original. */
export async function referred(request: WebRequest, id: string): Promise<Referred> {
  if (id === '' || !request.user) return undefined;
  try {
    const { entity } = await request.api('GET v1/statuses/:id', { params: { id } });
    return entity.reblog ?? entity;
  } catch (error) {
    if (isRookeryError(error) && ['not_found', 'gone'].includes(error.code)) return 'gone';
    throw error;
  }
}
