import { showMarkers } from './show.ts';

export { markersSchema, storedMarkers } from './show.ts';

export const markerQueries = [showMarkers];
