import type { Rule } from 'eslint';

export declare const roomImports: Rule.RuleModule;
