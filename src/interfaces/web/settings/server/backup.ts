import { html } from '#interfaces/web/design/html.ts';
import { BACKUP, staffPage, stepPage } from './steps.ts';

/** `/start/server/backup`: the reminder of the command. */
export const backupPage = staffPage('manage_settings', {
  path: BACKUP,
  show: (request) =>
    stepPage(request, 'Backup', [
      html`<p>
          Everything on this server can be lost with its disk. Copy it elsewhere every day, while it runs, and
          try once to restore it:
        </p>
        <p><code class="code">npx rookery backup /backups/$(date +%F)</code></p>
        <p><code class="code">npx rookery backup verify /backups/$(date +%F)</code></p>
        <p class="quiet">
          A folder of its own for each backup. It contains the keys, so nobody else may read it. Files in an
          S3 bucket are not in it.
        </p>
        <p>
          OPERATIONS.md says how to restore a backup. <code>npx rookery doctor</code> looks over the server.
        </p>`,
      html`<p>That is all. You can come back to each step from the settings.</p>`,
    ]),
});
