import { barChart } from '#interfaces/web/design/charts.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import type { AdminDimension } from '#mastodon/schemas/index.ts';

const TITLES: Readonly<Record<string, readonly [title: string, item: string]>> = {
  languages: ['Languages of posts', 'Language'],
  sources: ['Apps that posted', 'App'],
  servers: ['Servers with most posts here', 'Server'],
};
/** Longer names would overlap below the bars; the table has them whole. */
const MOST = 11;

/** Renders each dimension as bars. */
export const dimensionCharts = (dimensions: readonly AdminDimension[]): Html =>
  html`<div class="cards wide">
    ${dimensions.map(({ key, data }) => {
      const [title, item] = TITLES[key] ?? [key, 'Item'];
      return html`<section class="box">
        <h3>${title}</h3>
        ${
          data.length === 0
            ? html`<p class="quiet">Nothing was posted.</p>`
            : barChart(
                data.map(({ human_key, value }) => ({ label: shortened(human_key), value: Number(value) })),
                { title, columns: [item, 'Posts'], whole: true },
              )
        }
      </section>`;
    })}
  </div>`;

const shortened = (name: string): string => (name.length > MOST ? `${name.slice(0, MOST - 1)}…` : name);
