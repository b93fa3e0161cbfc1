import type { Answer, EndpointName, EntityOf } from '#interfaces/http/own-calls.ts';
import type { JsonObject } from '#kernel/event.ts';
import type { Html } from '../design/html.ts';
import { actionFailed } from './action-failed.ts';
import { formKey } from './form-key.ts';
import { CSRF_FIELD } from './forms.ts';
import { HOME, signInThen } from './layout.ts';
import { type Notice, saying } from './notices.ts';
import { ownPath } from './own-path.ts';
import { type Fields, type SignedInRequest, userPage, type WebPage } from './page.ts';

/** A button of the web client: it calls one endpoint, and leads back to its page. */
interface Action<Name extends EndpointName> {
  /** Absent: the fields of the form are the body, as of any client. */
  body?: (fields: JsonObject) => JsonObject;
  /** Said on the page that it leads to. */
  notice?: Notice;
  /** The page that it leads to; by default the page with the button. */
  leadsTo?: (answer: Answer<EntityOf<Name>>, request: SignedInRequest) => string;
  /** Renders the changed part of the page, for the script. Without it the script opens the page again. */
  fragment?: (entity: EntityOf<Name>, request: SignedInRequest) => Html;
  /** The part of the page to come back to. */
  anchor?: (params: SignedInRequest['params']) => string;
}

const OWN_FIELDS: ReadonlySet<string> = new Set([CSRF_FIELD, 'return_to', 'key']);

/**
 * Declares the address `POST /web/v1/...` that calls an endpoint in the user's name. Endpoints that are not
 * called by POST have their method at the end: `/web/v1/lists/1/delete`.
 */
export function action<const Name extends EndpointName>(name: Name, options: Action<Name> = {}): WebPage {
  const { fragment } = options;
  return userPage({
    path: actionPath(name),
    nested: true,
    acts: true,
    show: (request, tried) =>
      tried ? actionFailed(request, tried, backTo(tried.fields)) : { redirect: HOME },
    submit: async (request, fields, _files, nested) => {
      const body = options.body?.(nested) ?? withoutOwn(nested);
      const asked = { params: request.params, body, ...formKey(fields['key'], body) };
      const answer = await request.passOn(name, asked);
      if (request.wantsFragment && fragment) return { fragment: fragment(answer.entity, request) };
      return { redirect: after(answer, request, options, fields) };
    },
    keep: (request, tried) => {
      const back = backTo(tried.fields);
      if (!request.user) return { redirect: signInThen(back) };
      return actionFailed(request, tried, back);
    },
  });
}

/** Returns the address of an action; its parameters have colons, as in the endpoint. */
export function actionPath(name: EndpointName): string {
  const [method = '', path = ''] = name.split(' ');
  return `/web/${path}${method === 'POST' ? '' : `/${method.toLowerCase()}`}`;
}

const withoutOwn = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !OWN_FIELDS.has(name)));

function after<Name extends EndpointName>(
  answer: Answer<EntityOf<Name>>,
  request: SignedInRequest,
  { leadsTo, notice, anchor }: Action<Name>,
  fields: Fields,
): string {
  const page = leadsTo?.(answer, request) ?? backTo(fields);
  const said = notice === undefined ? page : saying(page, notice);
  return anchor ? `${said}#${anchor(request.params)}` : said;
}

const backTo = (fields: Fields): string => ownPath(fields['return_to']) ?? HOME;
