import { profilePath } from '../../entities/addresses.ts';
import { notFound } from '../../../../kernel/errors.ts';
import type { JsonObject } from '../../../../kernel/event.ts';
import { byline } from '../../entities/byline.ts';
import { html, type Part } from '../../design/html.ts';
import { problemBox } from '../../page/forms.ts';
import { noticeBox, saying, type Notice } from '../../page/notices.ts';
import {
  userPage,
  type Fields,
  type PageOf,
  type SignedInRequest,
  type Tried,
  type WebPage,
  type WebResponse,
} from '../../page/page.ts';
import { viewOf } from '../../page/request-view.ts';
import { personAt, type Person } from './account.ts';

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
