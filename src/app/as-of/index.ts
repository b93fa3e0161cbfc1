export { buildPast } from './build.ts';
export { openPast, type Past } from './open.ts';
export { startPastServer, type PastServerOptions } from './server.ts';
export { pointAt, readWhen, type Point, type When } from './when.ts';
