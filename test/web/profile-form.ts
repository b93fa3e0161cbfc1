import type { Browser } from '../oauth/client.ts';
import type { Answer, TestServer } from '../support/server.ts';
import { filledForm } from './filled-form.ts';

interface Typed {
  /** The address of the form. */
  action: string;
  /** Fields to type into. */
  type?: Record<string, string>;
  tick?: string[];
  untick?: string[];
  /** Files by the name of their field. */
  files?: Record<string, { data: Uint8Array; name: string; type: string }>;
}

/** Fills in a form of a page as a browser does, and sends it with files in the session of the browser. */
export async function sendProfileForm(
  server: Pick<TestServer, 'call'>,
  browser: Browser,
  page: Answer,
  { action, type = {}, tick = [], untick = [], files = {} }: Typed,
): Promise<Answer> {
  const { fields } = filledForm(String(page.body), action);
  const form = new FormData();
  const left = new Set([...untick, ...tick]);
  for (const [name, value] of fields) if (!left.has(name)) form.append(name, type[name] ?? value);
  for (const name of tick) form.append(name, 'true');
  for (const name of ['avatar', 'header']) {
    if (!String(page.body).includes(`name="${name}"`)) continue;
    const file = files[name];
    // A browser that chose no file sends a nameless, empty one.
    if (file) form.append(name, new Blob([new Uint8Array(file.data)], { type: file.type }), file.name);
    else form.append(name, new Blob([]), '');
  }
  const cookie = browser.cookieHeader;
  return server.call('POST', action, { body: form, headers: { Cookie: cookie } });
}
