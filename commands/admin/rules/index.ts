export { adminRuleCommands } from './endpoints.ts';
