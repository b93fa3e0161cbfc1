export { adminPastBuildCommands } from './endpoints.ts';
