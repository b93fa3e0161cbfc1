import { readFile } from 'node:fs/promises';
import { beginImport, failuresCsv } from '#commands/imports/index.ts';
import { invalid, notFound } from '#kernel/errors.ts';
import { isId } from '#kernel/ids.ts';
import type { Import } from '#kernel/services/imports.ts';
import { readableMinute } from '#kernel/time.ts';
import { IMPORT_TYPES, MAX_IMPORT_BYTES } from '#mastodon/portability.ts';
import { checkField, selectField } from '../design/choice-fields.ts';
import { type Html, html } from '../design/html.ts';
import { button, form } from '../page/forms.ts';
import { settingsPage } from '../page/layout.ts';
import { saying } from '../page/notices.ts';
import { type SignedInRequest, type Tried, userPage } from '../page/page.ts';
import { TITLES } from './export.ts';

const IMPORT = '/settings/import';

/** `/settings/import`: imports of data from other servers. */
export const importPage = userPage({
  path: IMPORT,
  files: { maxBytes: MAX_IMPORT_BYTES },
  admitFiles: ({ ctx, user }) => ctx.services.imports.admitUpload(user.account_id),
  acts: true,
  show: async (request, tried) => {
    const imports = await request.ctx.services.imports.of(request.user.account_id);
    return settingsPage(
      request,
      'Import',
      [importForm(request, tried), imports.length > 0 && lastOnes(imports)],
      tried,
    );
  },
  submit: async ({ ctx, user }, fields, files) => {
    const type = IMPORT_TYPES.find((each) => each === fields['type']);
    if (type === undefined) throw invalid('Say what is in the file');
    if (fields['mode'] !== 'merge' && fields['mode'] !== 'overwrite') {
      throw invalid('Choose whether to merge or to overwrite');
    }
    const upload = files['file'];
    if (!upload) throw invalid('Choose a file');
    await beginImport(ctx, {
      account_id: user.account_id,
      type,
      overwrite: fields['mode'] === 'overwrite',
      file: await readFile(upload.path),
      fileName: upload.filename,
      isCertain: fields['is_certain'] === 'true',
    });
    return { redirect: saying(IMPORT, 'import') };
  },
});

/** `/settings/import/1/failures.csv`: the failed rows of the user's own import. */
export const importFailuresPage = userPage({
  path: `${IMPORT}/:id/failures.csv`,
  show: async ({ ctx, user, params: { id } }) => {
    const { imports } = ctx.services;
    const found = isId(id) ? await imports.find(id) : undefined;
    if (found?.account_id !== user.account_id) throw notFound();
    return { file: 'failures.csv', type: 'text/csv; charset=utf-8', content: failuresCsv(imports, id) };
  },
});

function importForm(request: SignedInRequest, tried: Tried | undefined): Html {
  const chosen = tried?.fields['type'] ?? 'following';
  const choices = IMPORT_TYPES.map((type) => ({ value: type, label: TITLES[type] }));
  const content = html`${selectField({ name: 'type', label: 'What is in the file', choices, chosen })}
    ${
      (tried?.byField?.['type'] ?? tried?.fields['is_certain']) &&
      checkField({
        name: 'is_certain',
        label: 'The choice is right: import the file as that',
        checked: tried?.fields['is_certain'] === 'true',
      })
    }
    <label for="file">The file</label>
    <p class="quiet" id="file-hint">
      CSV with commas or semicolons, at most 5 MB and 20,000 rows. You can import 10 files and 60,000 rows in
      24 hours.
    </p>
    <input type="file" id="file" name="file" accept=".csv,text/csv" required aria-describedby="file-hint" />
    <label for="mode">What is there already</label>
    <select id="mode" name="mode">
      <option value="merge">Merge: keep it, and add what is in the file</option>
      <option value="overwrite">Overwrite: keep only what is in the file</option>
    </select>
    ${button('Import')}`;
  return form(request, content, { action: IMPORT, multipart: true });
}

function lastOnes(imports: readonly Import[]): Html {
  return html`<h2>The last imports</h2>
    <ul class="people">
      ${imports.map(line)}
    </ul>`;
}

const line = ({ id, type, overwrite, begun_at, total, done, failed, finished_at }: Import): Html =>
  html`<li>
    ${TITLES[type]}${overwrite && ', overwriting'}<br />
    <span class="quiet">
      ${readableMinute(begun_at)}:
      ${finished_at === null ? `${done + failed} of ${total} so far` : `${done} of ${total} imported`}
    </span>
    ${failed > 0 && html`<br /><a href="${IMPORT}/${id}/failures.csv">${failed} failed</a>`}
  </li>`;
