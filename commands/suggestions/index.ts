import { dismissSuggestion } from './dismiss.ts';

export { recommendAccount } from './recommend.ts';

export const suggestionCommands = [dismissSuggestion];
