import { Parser } from 'htmlparser2';
import type { Browser } from '../oauth/client.ts';
import type { Answer, TestServer } from '../support/server.ts';

/** A field of a form, as a browser sends it. */
export type Field = [name: string, value: string];

interface FilledForm {
  action: string;
  multipart: boolean;
  fields: Field[];
}

interface Select {
  name: string;
  chosen?: string;
  first?: string;
}

/** Reads the fields of the form whose attributes contain `marker`, or with that action, as a browser without scripts sends them. */
export function filledForm(page: string, marker = 'data-compose'): FilledForm {
  let form: FilledForm | undefined;
  let inside = false;
  let select: Select | undefined;
  let text: { name: string; value: string } | undefined;
  const parser = new Parser({
    onopentag(tag, at) {
      if (tag === 'form' && !form && (marker in at || at['action'] === marker)) {
        inside = true;
        form = { action: at['action'] ?? '', multipart: at['enctype'] === 'multipart/form-data', fields: [] };
      }
      if (!inside) return;
      const { name = '' } = at;
      if (tag === 'input' && isSent(at)) form?.fields.push([name, at['value'] ?? '']);
      if (tag === 'select') select = { name };
      if (tag === 'option' && select) choose(select, at);
      if (tag === 'textarea') text = { name, value: '' };
    },
    ontext(part) {
      if (text) text.value += part;
    },
    onclosetag(tag) {
      if (tag === 'form') inside = false;
      if (tag === 'select' && select) {
        form?.fields.push([select.name, select.chosen ?? select.first ?? '']);
        select = undefined;
      }
      if (tag === 'textarea' && text) {
        // HTML drops the first line end after the tag.
        form?.fields.push([text.name, text.value.replace(/^\n/, '').replaceAll('\n', '\r\n')]);
        text = undefined;
      }
    },
  });
  parser.end(page);
  if (!form) throw new Error(`The page has no form ${marker}`);
  return form;
}

function isSent({ name = '', type = 'text', ...at }: Record<string, string>): boolean {
  const ticked = !['checkbox', 'radio'].includes(type) || 'checked' in at;
  return name !== '' && ticked && type !== 'file';
}

function choose(select: Select, at: Record<string, string>): void {
  const { value = '' } = at;
  select.first ??= value;
  if ('selected' in at) select.chosen = value;
}

/** Returns the value of a field in the form of a page. */
export const valueOf = ({ body }: Answer, name: string, marker?: string): string | undefined =>
  filledForm(String(body), marker).fields.find(([each]) => each === name)?.[1];

/** Returns all values of a field in the form of a page. */
export const valuesOf = ({ body }: Answer, name: string, marker?: string): string[] =>
  filledForm(String(body), marker)
    .fields.filter(([each]) => each === name)
    .map(([, value]) => value);

interface Typed {
  /** The value of the pressed button. */
  press?: string;
  files?: { data: Buffer; name: string }[];
  marker?: string;
  /** Fields to type into; a list for fields of the same name. */
  type?: Record<string, string | string[]>;
  /** Fields to leave out. */
  untick?: string[];
}

/** Fills in the form of a page as a browser does, and sends it with files, in the session of a browser. */
export async function sendForm(
  server: Pick<TestServer, 'call'>,
  browser: Browser,
  page: Answer,
  { press = 'post', files = [], marker = 'data-compose', type = {}, untick = [] }: Typed = {},
): Promise<Answer> {
  const { action, multipart, fields } = filledForm(String(page.body), marker);
  const typed = Object.entries(type).flatMap(([name, given]): Field[] =>
    (Array.isArray(given) ? given : [given]).map((value) => [name, value]),
  );
  const form = multipart ? new FormData() : new URLSearchParams();
  const kept = fields.filter(([name]) => !Object.hasOwn(type, name) && !untick.includes(name));
  for (const [name, value] of [...kept, ...typed]) form.append(name, value);
  if (form instanceof FormData) attach(form, files);
  form.append('do', press);
  const cookie = browser.cookieHeader;
  return server.call('POST', action, { body: form, headers: { Cookie: cookie } });
}

function attach(form: FormData, files: readonly { data: Buffer; name: string }[]): void {
  for (const { data, name } of files) form.append('media[]', new Blob([new Uint8Array(data)]), name);
  // A browser that chose no file sends a nameless, empty one.
  if (files.length === 0) form.append('media[]', new Blob([]), '');
}
