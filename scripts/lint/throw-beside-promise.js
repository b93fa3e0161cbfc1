/** Functions that take promises as a list. `allDone` is in src/storage/postgres/apply.ts. */
const TAKES_PROMISES = new Set(['all', 'allSettled', 'any', 'race']);
const FUNCTIONS = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration']);
/** Methods of a promise, which do not throw themselves. */
const CONTINUES = new Set(['then', 'catch', 'finally']);
/** Expressions that run other code, or wait for it. */
const RUNS = new Set([
  'CallExpression',
  'NewExpression',
  'TaggedTemplateExpression',
  'AwaitExpression',
  'YieldExpression',
  'ImportExpression',
]);

const nameOf = ({ callee }) => (callee?.type === 'MemberExpression' ? callee.property.name : undefined);

const takesPromises = ({ callee }) =>
  (callee.type === 'Identifier' && callee.name === 'allDone') ||
  (callee.type === 'MemberExpression' &&
    callee.object.name === 'Promise' &&
    TAKES_PROMISES.has(callee.property.name));

/** Finds an expression that runs other code while `node` is evaluated; not within functions. */
function runningIn(node, keys) {
  if (!node || FUNCTIONS.has(node.type)) return undefined;
  if (RUNS.has(node.type)) return node;
  for (const key of keys[node.type] ?? []) {
    for (const child of [node[key]].flat()) {
      const found = runningIn(child, keys);
      if (found) return found;
    }
  }
  return undefined;
}

/** Finds an expression that may throw while a member of the list is started, besides the call that starts it. */
function throwingIn(node, keys) {
  switch (node?.type) {
    case 'SpreadElement':
      return throwingIn(node.argument, keys);
    case 'ConditionalExpression':
      return (
        runningIn(node.test, keys) ?? throwingIn(node.consequent, keys) ?? throwingIn(node.alternate, keys)
      );
    case 'LogicalExpression':
      return runningIn(node.left, keys) ?? throwingIn(node.right, keys);
    case 'CallExpression':
      return throwingInCall(node, keys);
    default:
      return runningIn(node, keys);
  }
}

function throwingInCall(node, keys) {
  const { callee, arguments: given } = node;
  const object = callee.type === 'MemberExpression' ? callee.object : callee;
  if (CONTINUES.has(nameOf(node))) return throwingIn(object, keys) ?? given.map((each) => runningIn(each, keys)).find(Boolean);
  const [callback] = given;
  const inCallback =
    nameOf(node) === 'map' && callback?.type === 'ArrowFunctionExpression' && !callback.async
      ? startedBy(callback, keys)
      : undefined;
  return runningIn(object, keys) ?? given.map((each) => runningIn(each, keys)).find(Boolean) ?? inCallback;
}

const startedBy = ({ body }, keys) => (body.type === 'BlockStatement' ? body : throwingIn(body, keys));

/** @type {import('eslint').Rule.RuleModule} */
export const throwBesidePromise = {
  meta: {
    type: 'problem',
    docs: { description: 'Disallow an expression that may throw beside a promise that is started already' },
    messages: {
      beside: 'If this throws, the promise that was started before it is left behind. Evaluate it before the list.',
    },
    schema: [],
  },
  create({ sourceCode, report }) {
    const keys = sourceCode.visitorKeys;
    return {
      CallExpression(node) {
        const [list] = node.arguments;
        if (list?.type !== 'ArrayExpression' || !takesPromises(node)) return;
        let isStarted = false;
        for (const element of list.elements) {
          const found = throwingIn(element, keys);
          const isSpread = element?.type === 'SpreadElement';
          if (found && (isStarted || isSpread)) report({ node: found, messageId: 'beside' });
          isStarted ||= runningIn(element, keys) !== undefined;
        }
      },
    };
  },
};
