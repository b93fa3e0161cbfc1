/**
 * Forbids the spread of an object literal into another, as in `{ ...{ a, b }, c }`: its members can be written in its place.
 * Such spreads only make a formatter write several members on one line.
 */

/** Returns the source of the members, without brackets and without a comma at the end; undefined for none. */
function membersOf(sourceCode, literal) {
  if (literal.properties.length === 0) return undefined;
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
    docs: { description: 'Disallow the spread of an object literal into another' },
    messages: { spread: 'Write its members in its place.' },
    schema: [],
  },
  create({ sourceCode, report }) {
    return {
      'ObjectExpression > SpreadElement > ObjectExpression'(literal) {
        const text = membersOf(sourceCode, literal);
        report({
          node: literal.parent,
          messageId: 'spread',
          fix: text === undefined ? null : (fixer) => fixer.replaceText(literal.parent, text),
        });
      },
    };
  },
};
