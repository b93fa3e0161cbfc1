import { html, type Part } from '#interfaces/web/design/html.ts';
import { profilePath } from '#interfaces/web/entities/addresses.ts';
import { byline } from '#interfaces/web/entities/byline.ts';
import { problemBox } from '#interfaces/web/page/forms.ts';
import { type Notice, noticeBox, saying } from '#interfaces/web/page/notices.ts';
import {
  type Fields,
  type PageOf,
  type SignedInRequest,
  type Tried,
  userPage,
  type WebPage,
  type WebResponse,
} from '#interfaces/web/page/page.ts';
import { viewOf } from '#interfaces/web/page/request-view.ts';
import { notFound } from '#kernel/errors.ts';
import type { JsonObject } from '#kernel/event.ts';
import { type Person, personAt } from './account.ts';

interface PersonPage {
  /** The part after the address of the account. */
  path: string;
  title: (person: Person) => string;
  content: (request: SignedInRequest, person: Person, tried?: Tried) => Promise<Part> | Part;
  /** Whether the page exists for this account; by default for every account but the user's own. */
  isFor?: (person: Person) => boolean;
  nested?: boolean;
  submit?: (submitted: Submitted) => Promise<WebResponse>;
  keep?: PageOf<SignedInRequest>['keep'];
}

interface Submitted {
  request: SignedInRequest;
  person: Person;
  fields: Fields;
  nested: JsonObject;
}

/** Declares a page about one account, such as the question whether to block it. */
export function personPage(page: PersonPage): WebPage {
  const { path, title, content, isFor = ({ isSelf }) => !isSelf, nested = false, submit, keep } = page;
  const personOf = async (request: SignedInRequest<{ name: string }>): Promise<Person> => {
    const person = await personAt(request);
    if (!isFor(person)) throw notFound();
    return person;
  };
  return userPage({
    path: `/@:name/${path}`,
    acts: true,
    nested,
    ...(keep && { keep }),
    show: async (request, tried) => {
      const person = await personOf(request);
      const heading = title(person);
      return {
        title: heading,
        hidden: true,
        body: html`<section class="box about-person">
          <h1>${heading}</h1>
          ${noticeBox(request)} ${problemBox(tried)}
          <p>${byline(person.account, viewOf(request))}</p>
          ${await content(request, person, tried)}
        </section>`,
      };
    },
    ...(submit && {
      submit: async (
        request: SignedInRequest<{ name: string }>,
        fields: Fields,
        _files: unknown,
        nestedFields: JsonObject,
      ) => submit({ request, person: await personOf(request), fields, nested: nestedFields }),
    }),
  });
}

/** Leads to the profile of an account, and says what was done. */
export const backTo = ({ account }: Person, notice: Notice): WebResponse => ({
  redirect: saying(profilePath(account), notice),
});
