/**
 * Forbids an expression that may throw beside a promise that is started already, in the list of `Promise.all` and its like:
 * the promise would be left behind, and its rejection would end the process. Exact about calls, `new`, `await` and tagged
 * templates in the list itself, with the types of TypeScript: a call that returns a promise starts it, and does not throw,
 * unless its function is not `async`. Blind to members of undefined, to such functions, and to promises that are started
 * before the list.
 */
const TAKES_PROMISES = new Set(['all', 'allSettled', 'any', 'race']);
const FUNCTIONS = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration']);
/** Expressions that run other code. */
const RUNS = new Set(['CallExpression', 'NewExpression', 'TaggedTemplateExpression']);
const WAITS = new Set(['AwaitExpression', 'YieldExpression']);

const takesPromises = ({ callee }) =>
  callee.name === 'allDone' ||
  (callee.type === 'MemberExpression' &&
    callee.object.name === 'Promise' &&
    TAKES_PROMISES.has(callee.property.name));

/** Finds what starts a promise and what may throw while a member of the list is evaluated; functions in it are not called. */
class Evaluation {
  constructor(keys, isPromise) {
    this.keys = keys;
    this.isPromise = isPromise;
    this.starts = false;
    this.throwing = undefined;
  }

  visit(node) {
    if (!node || FUNCTIONS.has(node.type)) return;
    if (node.type === 'ImportExpression') this.starts = true;
    if (RUNS.has(node.type) && !isConversion(node)) {
      if (this.isPromise(node)) this.starts = true;
      else if (!isMapOfPromises(node)) this.throwing ??= node;
    }
    if (WAITS.has(node.type)) this.throwing ??= node;
    if (isMapOfPromises(node)) this.visitCallback(node.arguments[0]);
    for (const key of this.keys[node.type] ?? []) for (const child of [node[key]].flat()) this.visit(child);
  }

  visitCallback({ body }) {
    if (body.type !== 'BlockStatement') this.visit(body);
  }
}

/** These do not throw for numbers, booleans and texts. */
const isConversion = ({ callee }) => ['String', 'Number', 'Boolean'].includes(callee?.name);

/** Tells whether the call is `map` with an arrow function, as in `...ids.map((id) => find(id))`. */
const isMapOfPromises = ({ type, callee, arguments: given }) =>
  type === 'CallExpression' &&
  callee.type === 'MemberExpression' &&
  callee.property.name === 'map' &&
  callee.parent.parent.type === 'SpreadElement' &&
  given[0]?.type === 'ArrowFunctionExpression';

/** @type {import('eslint').Rule.RuleModule} */
export const throwBesidePromise = {
  meta: {
    type: 'problem',
    docs: { description: 'Disallow an expression that may throw beside a promise that is started already' },
    messages: {
      beside:
        'If this throws, the promise that was started before it is left behind: evaluate it before the list.',
    },
    schema: [],
  },
  create({ sourceCode, report }) {
    const { visitorKeys, parserServices } = sourceCode;
    const isThenable = (type) =>
      type.isUnion() ? type.types.some(isThenable) : type.getProperty('then') !== undefined;
    const isPromise = (node) => isThenable(parserServices.getTypeAtLocation(node));
    return {
      CallExpression(node) {
        const [list] = node.arguments;
        if (list?.type !== 'ArrayExpression' || !takesPromises(node)) return;
        let starts = false;
        for (const element of list.elements) {
          const evaluation = new Evaluation(visitorKeys, isPromise);
          evaluation.visit(element);
          // A later turn of `map` throws beside the promise of an earlier one.
          const isBeside = starts || (element?.type === 'SpreadElement' && evaluation.starts);
          if (evaluation.throwing && isBeside) report({ node: evaluation.throwing, messageId: 'beside' });
          starts ||= evaluation.starts;
        }
      },
    };
  },
};
