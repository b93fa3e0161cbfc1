/**
 * Returns the form in which keywords and texts are compared: composed, and the same for upper and lower case
 * (`ß` as `ss`, both small sigmas as one).
 */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}

const ASCII = /^[\x00-\x7f]*$/;
