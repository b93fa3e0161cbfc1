import { scaleBand, scaleLinear, scalePoint } from 'd3-scale';
import { area, line } from 'd3-shape';
import { dataTable } from './data-table.ts';
import { type Html, html } from './html.ts';

/** A value of a chart with its place on the horizontal axis, such as a day. */
export interface Point {
  label: string;
  /** Null where there is none, which is not drawn. */
  value: number | null;
}

interface ChartOptions {
  /** Says what the chart shows; the name of the picture for screen readers. */
  title: string;
  /** The names of the columns of the table. */
  columns: readonly [label: string, value: string];
  format?: (value: number) => string;
  /** The values are counts, so the axis has whole numbers alone. */
  whole?: true;
}

const [WIDTH, HEIGHT] = [640, 200];
/** Room for the labels of the narrowest charts, whose text is the largest in these units. */
const MARGIN = { top: 20, right: 40, bottom: 36, left: 76 };
const SPAN_X: [number, number] = [MARGIN.left, WIDTH - MARGIN.right];
const SPAN_Y: [number, number] = [HEIGHT - MARGIN.bottom, MARGIN.top];
const WIDEST_BAR = 64;
const LABELS = 6;

/** Renders values as a line, with a table of the same values that opens on a click. */
export function lineChart(points: readonly Point[], options: ChartOptions): Html {
  const x = scalePoint(
    points.map((_, index) => index),
    SPAN_X,
  );
  const y = verticalOf(points);
  const at = (_: Point, index: number): number => x(index) ?? 0;
  const height = ({ value }: Point): number => y(value ?? 0);
  const shape = area<Point>().defined(isKnown).x(at).y0(y(0)).y1(height);
  const path = line<Point>().defined(isKnown).x(at).y(height);
  const drawn = html`<path class="area" d="${shape([...points])}" />
    <path class="line" d="${path([...points])}" />`;
  return chart(points, options, { drawn, y, middle: (index) => x(index) ?? 0 });
}

/** Renders values as bars, with a table of the same values that opens on a click. */
export function barChart(points: readonly Point[], options: ChartOptions): Html {
  const x = scaleBand(
    points.map((_, index) => index),
    SPAN_X,
  ).padding(0.2);
  const width = Math.min(x.bandwidth(), WIDEST_BAR);
  const middle = (index: number): number => (x(index) ?? 0) + x.bandwidth() / 2;
  const y = verticalOf(points);
  const drawn = html`${points.map(
    ({ value }, index) =>
      value !== null &&
      html`<rect
        class="bar"
        x="${place(middle(index) - width / 2)}"
        y="${place(y(value))}"
        width="${place(width)}"
        height="${place(y(0) - y(value))}"
        rx="2"
      />`,
  )}`;
  return chart(points, options, { drawn, y, middle });
}

const isKnown = ({ value }: Point): boolean => value !== null;

type Vertical = ReturnType<typeof verticalOf>;

const verticalOf = (points: readonly Point[]) =>
  scaleLinear([0, Math.max(1, ...points.map(({ value }) => value ?? 0))], SPAN_Y).nice(4);

function chart(
  points: readonly Point[],
  { title, columns, format = String, whole }: ChartOptions,
  { drawn, y, middle }: { drawn: Html; y: Vertical; middle: (index: number) => number },
): Html {
  const step = Math.max(1, Math.ceil(points.length / LABELS));
  return html`<figure class="chart">
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
      ${y
        .ticks(4)
        .filter((tick) => !whole || Number.isInteger(tick))
        .map(
          (tick) =>
            html`<line
                class="grid"
                x1="${SPAN_X[0]}"
                x2="${SPAN_X[1]}"
                y1="${place(y(tick))}"
                y2="${place(y(tick))}"
              />
              <text x="${SPAN_X[0] - 6}" y="${place(y(tick) + 4)}" text-anchor="end">${format(tick)}</text>`,
        )}
      ${drawn}
      ${points.map(
        ({ label }, index) =>
          index % step === 0 &&
          html`<text x="${place(middle(index))}" y="${HEIGHT - 8}" text-anchor="middle">${label}</text>`,
      )}
    </svg>
    <details>
      <summary>Show as a table<span class="hush">: ${title}</span></summary>
      ${dataTable(
        [{ title: columns[0] }, { title: columns[1], number: true }],
        points.map(({ label, value }) => ({ cells: [label, value === null ? '–' : format(value)] })),
      )}
    </details>
  </figure>`;
}

/** A tenth of a unit is finer than a pixel. */
const place = (value: number): string => value.toFixed(1);
