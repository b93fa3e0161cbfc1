import type { Rule } from 'eslint';

export declare const noSpreadOfLiteral: Rule.RuleModule;
