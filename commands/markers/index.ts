import { saveMarkers } from './save.ts';

export const markerCommands = [saveMarkers];
