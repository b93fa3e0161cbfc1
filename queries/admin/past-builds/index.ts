export { adminPastBuildQueries } from './endpoints.ts';
