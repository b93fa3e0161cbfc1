/** Elements that separate words, and are removed. */
const BOXES =
  'address article aside caption dd details div dl dt fieldset figcaption figure footer form header legend main nav option section ' +
  'summary table tbody td tfoot th thead tr';
const END_OF_BOX = new RegExp(`<(?:/(?:${BOXES.split(' ').join('|')})|hr)(?=[\\s/>])`, 'gi');
const TEX = /<annotation\s[^>]{0,200}\bencoding="application\/x-tex"[^>]{0,200}>([^<]*)</;

/**
 * Prepares HTML for the reduction to few elements, so that the text of others stays readable: words of two
 * cells stay separate, and a formula becomes its source (FEP-dc88). The result is not safe to show.
 */
export const readableWithout = (html: string): string => withSources(html).replace(END_OF_BOX, '\n$&');

/** In one pass, because the author may be hostile. */
function withSources(html: string): string {
  let text = '';
  let at = 0;
  for (;;) {
    const start = html.indexOf('<math', at);
    const end = start === -1 ? -1 : html.indexOf('</math>', start);
    if (end === -1) return text + html.slice(at);
    const formula = html.slice(start, end);
    const source = TEX.exec(formula)?.[1]?.trim();
    text += html.slice(at, start) + (source === undefined ? formula : `$${source}$`);
    at = source === undefined ? end : end + '</math>'.length;
  }
}
