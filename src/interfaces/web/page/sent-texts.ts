import type { Json } from '#kernel/event.ts';

/** Returns the texts of a list in a form, such as `lists[]`; what is no text is left out. */
export const textsIn = (list: Json | undefined): string[] =>
  Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [];

/** Returns a text with the line ends of the API: browsers count a line end once and send it as two characters. */
export const unixLines = (text: string): string => text.replaceAll('\r\n', '\n');

/** Passes on the text of a form or an address as a choice of an endpoint, which refuses a text that it does not know. */
export const asSent = (text: string): never => text as never;
