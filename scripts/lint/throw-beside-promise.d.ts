import type { Rule } from 'eslint';

export declare const throwBesidePromise: Rule.RuleModule;
