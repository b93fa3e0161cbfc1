interface Point {
  x: number;
  y: number;
}

/** The rows and columns of the grid from which a focal point is chosen: from top left to bottom right. */
const STEPS = [-0.6, 0, 0.6] as const;
const COLUMNS = ['left', 'centre', 'right'] as const;
const ROWS = ['Top', 'Middle', 'Bottom'] as const;

interface Cell extends Point {
  name: string;
  /** As the API takes it. */
  value: string;
}

/** https://docs.joinmastodon.org/api/guidelines/#focal-points: y grows upwards. */
export const CELLS: readonly Cell[] = ROWS.flatMap((row, down) =>
  COLUMNS.map((column, across) => {
    const x = STEPS[across] ?? 0;
    const y = 0 - (STEPS[down] ?? 0);
    return { x, y, value: `${x},${y}`, name: down === 1 && across === 1 ? 'Middle' : `${row} ${column}` };
  }),
);

/** Returns undefined for text that is no point of the grid. */
export const focusPoint = (text: string): Point | undefined => CELLS.find(({ value }) => value === text);

/** Returns the cell that is nearest to a point; without one, the middle. */
export function nearestCell(point: Point | undefined): Cell | undefined {
  const { x, y } = point ?? { x: 0, y: 0 };
  const distance = (cell: Point): number => Math.hypot(cell.x - x, cell.y - y);
  return CELLS.toSorted((a, b) => distance(a) - distance(b))[0];
}

/** Tells whether a chosen cell is the one that was shown for this point, so that nothing changes. */
export const samePoint = (chosen: Point, point: Point | undefined): boolean => {
  const shown = nearestCell(point);
  return shown?.x === chosen.x && shown.y === chosen.y;
};
