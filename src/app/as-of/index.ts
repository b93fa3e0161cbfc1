export { buildPast } from './build.ts';
export { openPast, type Past } from './open.ts';
export { startPastServer, type PastServerOptions, type PastViewer } from './server.ts';
export { pointAt, readWhen, type Point, type When } from './when.ts';
