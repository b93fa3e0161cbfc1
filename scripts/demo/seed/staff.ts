import { MODERATOR } from '../texts/people.ts';
import { postNamed, residentNamed, send, type Town } from './town.ts';

export interface Complaint {
  by: string;
  about: string;
  ago: number;
  posts?: readonly string[];
  comment: string;
  /** Rules are counted from 1. */
  rule?: number;
  category?: 'spam';
}

/** @returns the id of the report */
export async function report(
  town: Town,
  { by, about, ago, posts = [], comment, rule, category }: Complaint,
): Promise<string> {
  const { id } = await send<{ id: string }>(town, by, 'POST /api/v1/reports', {
    ago,
    body: {
      account_id: residentNamed(town, about).id,
      status_ids: posts.map((key) => postNamed(town, key).id),
      comment,
      ...(rule === undefined ? {} : { rule_ids: [String(rule)] }),
      ...(category === undefined ? {} : { category }),
    },
  });
  await town.acting.settle();
  return id;
}

/** Takes a report over, and leaves a note. */
export async function handle(town: Town, id: string, ago: number, content: string): Promise<void> {
  await send(town, MODERATOR, 'POST /api/v1/admin/reports/:id/assign_to_self', {
    ago: ago + 20,
    params: { id },
  });
  await note(town, MODERATOR, id, ago, content);
}

export const note = (town: Town, by: string, id: string, ago: number, content: string): Promise<unknown> =>
  send(town, by, 'POST /api/v1/admin/reports/:id/notes', { ago, params: { id }, body: { content } });

export const act = (
  town: Town,
  whom: string,
  body: { type: string; report_id: string; text: string },
  ago: number,
): Promise<unknown> =>
  send(town, MODERATOR, 'POST /api/v1/admin/accounts/:id/action', {
    ago,
    params: { id: residentNamed(town, whom).id },
    body,
  });

/** Appeals against the newest strike of an account, in the name of its user. */
export async function appealNewest(town: Town, by: string, ago: number, text: string): Promise<void> {
  await town.acting.settle();
  const [strike] = await send<{ id: string }[]>(town, by, 'GET /api/v1/strikes', { ago });
  await send(town, by, 'POST /api/v1/strikes/:id/appeal', {
    ago,
    params: { id: strike?.id ?? '' },
    body: { text },
  });
  await town.acting.settle();
}
