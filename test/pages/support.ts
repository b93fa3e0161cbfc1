import type { Town } from '../support/people.ts';
import { load } from './parse.ts';

/** The `Accept` header of a browser. */
export const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

export interface Opened {
  status: number;
  headers: Headers;
  text: string;
  page: ReturnType<typeof load>;
}

/** Opens a page as a browser does; redirects are not followed. */
export async function open(
  { url, waitUntilIdle }: Pick<Town, 'url' | 'waitUntilIdle'>,
  path: string,
  headers: Record<string, string> = {},
): Promise<Opened> {
  await waitUntilIdle();
  const answer = await fetch(`${url}${path}`, {
    redirect: 'manual',
    headers: { Accept: BROWSER, ...headers },
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, page: load(text) };
}

/** The path and query of an address on the test server. */
export const pathOf = (address: string): string => {
  const { pathname, search } = new URL(address, 'https://rookery.example');
  return `${pathname}${search}`;
};
