import { tabs } from '#interfaces/web/design/components.ts';
import type { Html } from '#interfaces/web/design/html.ts';
import { addressWith } from '#interfaces/web/page/address-with.ts';
import { REPORTS } from '../addresses.ts';

interface QueueView {
  name: string;
  text: string;
  /** The parameters of the API. */
  asked: Readonly<Record<string, string>>;
}

const OPEN: QueueView = { name: 'open', text: 'Unresolved', asked: {} };
const VIEWS: readonly QueueView[] = [
  OPEN,
  { name: 'mine', text: 'Mine', asked: { assigned: 'me' } },
  { name: 'unassigned', text: 'Unassigned', asked: { assigned: 'nobody' } },
  { name: 'resolved', text: 'Resolved', asked: { resolved: 'true' } },
];

/** Returns the view of that name; another name means the unresolved reports. */
export const viewOfQueue = (name: string | null): QueueView =>
  VIEWS.find((view) => view.name === name) ?? OPEN;

/** Renders the views as tabs that keep the filters. */
export function queueTabs(current: QueueView, filters: Readonly<Record<string, string>>): Html {
  const hrefOf = ({ name }: QueueView): string =>
    addressWith(REPORTS, Object.entries({ ...(name !== OPEN.name && { view: name }), ...filters }));
  return tabs(
    'Reports',
    VIEWS.map((view) => ({ href: hrefOf(view), text: view.text })),
    hrefOf(current),
  );
}
