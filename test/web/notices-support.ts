import { expect } from 'chai';
import { type Element, load } from '../pages/parse.ts';
import type { Answer, TestServer, TestUser } from '../support/server.ts';

/** Calls the API as a user, and asserts that it succeeds. */
export const callAs =
  (server: TestServer, { token }: TestUser) =>
  async <Entity>(method: string, path: string, body?: object): Promise<Entity> => {
    const answer = await server.call(method, `/api/${path}`, { token, ...(body ? { body } : {}) });
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).to.equal(200);
    return answer.body as Entity;
  };

/** Returns the elements of a page with this name. */
export const elementsIn = ({ body }: Answer, name: string, wanted: Record<string, string> = {}): Element[] =>
  load(body as string).all(name, wanted);

/** Returns the text of a page without repeated spaces. */
export const textIn = (answer: Answer): string =>
  (elementsIn(answer, 'main')[0]?.text ?? '').replaceAll(/\s+/g, ' ').trim();

/** Returns the texts of elements, without repeated spaces. */
export const textsIn = (answer: Answer, name: string, wanted: Record<string, string> = {}): string[] =>
  elementsIn(answer, name, wanted).map(({ text }) => text.replaceAll(/\s+/g, ' ').trim());
