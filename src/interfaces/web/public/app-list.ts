import type { Instance } from '#kernel/context.ts';
import { appsOf, type InstanceFacts, type OfferedApp, type OfferedApps } from '#queries/instance/index.ts';
import { type Html, html } from '../design/html.ts';
import { webAddress } from '../entities/addresses.ts';
import { foldedBox } from './server-parts.ts';

type Platform = OfferedApp['platform'];

const GROUPS: readonly { title: string; platforms: readonly Platform[] }[] = [
  { title: 'In the browser', platforms: ['web'] },
  { title: 'On the phone', platforms: ['ios', 'android'] },
  { title: 'On the desktop', platforms: ['desktop', 'terminal'] },
];

/** The platform beside a name, where its group has several. */
const LABELS: Partial<Record<Platform, string>> = { ios: 'iOS', android: 'Android', terminal: 'Terminal' };

/**
 * Renders links to apps by place of use; false for an empty list. `level` is the level of the headings.
 * Without https it says that no app can connect.
 */
export function appList({ apps, origin, reachable }: OfferedApps, { level = 3 } = {}): Html | false {
  if (apps.length === 0) return false;
  const groups = GROUPS.map(({ title, platforms }) => ({
    title,
    found: platforms.flatMap((platform) => apps.filter((app) => app.platform === platform)),
  }));
  return html`<div class="apps">
    ${!reachable && html`<p class="apps-unreachable">Apps cannot connect yet: they need an address with https, and this server has <strong>${origin}</strong>.</p>`}
    ${groups.map(
      ({ title, found }) =>
        found.length > 0 &&
        html`<section class="app-group">
          <h${level}>${title}</h${level}>
          <ul class="app-list">
            ${found.map(appItem)}
          </ul>
        </section>`,
    )}
  </div>`;
}

/** Renders a box of apps that opens on a click; false for an empty list. */
export const appsBox = ({ settings }: Pick<InstanceFacts, 'settings'>, instance: Instance): Html | false =>
  foldedBox('Apps for this server', appList(appsOf(settings, instance)));

function appItem({ name, platform, description, href }: OfferedApp): Html {
  const address = webAddress(href);
  const label = LABELS[platform];
  return html`<li class="app">
    ${
      address === undefined
        ? html`<bdi class="app-name">${name}</bdi>`
        : html`<a class="app-name" href="${address}" rel="noopener noreferrer"><bdi>${name}</bdi></a>`
    }
    ${label !== undefined && html`<span class="app-platform">${label}</span>`}
    <span class="app-description" dir="auto">${description}</span>
  </li>`;
}
