/**
 * Forbids the spread of a literal into a literal of its kind, as in `{ ...{ a, b }, c }`, and of a list into arguments: its
 * members can be written in its place. Such spreads only make a formatter write several members on one line.
 */
const KINDS = [
  { literal: 'ObjectExpression', members: 'properties', places: new Set(['ObjectExpression']) },
  {
    literal: 'ArrayExpression',
    members: 'elements',
    places: new Set(['ArrayExpression', 'CallExpression', 'NewExpression']),
  },
];

/** Returns the source of the members, without brackets and without a comma at the end; undefined for none, and for holes. */
function membersOf(sourceCode, literal, members) {
  if (members.length === 0 || members.includes(null)) return undefined;
  const [open, close] = [sourceCode.getFirstToken(literal), sourceCode.getLastToken(literal)];
  const last = sourceCode.getTokenBefore(close);
  const end = last.value === ',' ? last : undefined;
  const text = sourceCode.text;
  const before = text.slice(open.range[1], end ? end.range[0] : close.range[0]);
  const after = end ? text.slice(end.range[1], close.range[0]) : '';
  const inner = `${before}${after}`.trim();
  const comment = sourceCode.getTokenBefore(close, { includeComments: true });
  // A comma must not become a part of the comment.
  return comment.type === 'Line' ? `${inner}\n` : inner;
}

/** @type {import('eslint').Rule.RuleModule} */
export const noSpreadOfLiteral = {
  meta: {
    type: 'suggestion',
    fixable: 'code',
    docs: { description: 'Disallow the spread of a literal into a literal of its kind' },
    messages: { spread: 'Write its members in its place.' },
    schema: [],
  },
  create({ sourceCode, report }) {
    return {
      SpreadElement(node) {
        const { argument, parent } = node;
        const kind = KINDS.find(
          ({ literal, places }) => literal === argument.type && places.has(parent.type),
        );
        if (!kind) return;
        const text = membersOf(sourceCode, argument, argument[kind.members]);
        report({
          node,
          messageId: 'spread',
          fix: text === undefined ? null : (fixer) => fixer.replaceText(node, text),
        });
      },
    };
  },
};
