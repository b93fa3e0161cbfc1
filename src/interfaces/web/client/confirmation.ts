import type { PathParams } from '#kernel/endpoint.ts';
import { buttonLink } from '../design/components.ts';
import { html, type Part } from '../design/html.ts';
import { button, form, problemBox } from '../page/forms.ts';
import { type SignedInRequest, userPage, type WebPage } from '../page/page.ts';

/** A question before an act that cannot be undone. */
interface Question {
  title: string;
  /** Says what will happen. */
  text: Part;
  /** The name of the act, on its button. */
  label: string;
  /** The page to go back to. */
  back: string;
}

interface Confirmation<R extends SignedInRequest = SignedInRequest, Path extends string = string> {
  path: Path;
  ask: (request: R) => Promise<Question> | Question;
  /** Acts, and returns the page to go on to. */
  act: (request: R) => Promise<string>;
}

/** Declares a page that says what an act does, and does it once the user agrees. */
export function confirmation<const Path extends string>(
  page: Confirmation<SignedInRequest<PathParams<Path>>, Path>,
): WebPage;
export function confirmation({ path, ask, act }: Confirmation): WebPage {
  return userPage({
    path,
    acts: true,
    show: async (request, tried) => {
      const { title, text, label, back } = await ask(request);
      return {
        title,
        hidden: true,
        body: html`<section class="box">
          <h1>${title}</h1>
          ${problemBox(tried)}
          <p>${text}</p>
          ${form(
            request,
            html`<div class="buttons">
              ${button(label, 'danger')} ${buttonLink(back, 'Cancel', { look: 'plain' })}
            </div>`,
          )}
        </section>`,
      };
    },
    submit: async (request) => ({ redirect: await act(request) }),
  });
}
