/** Returns the path of a request's URL, unchanged. */
export const pathOf = (url: string): string => {
  const mark = url.indexOf('?');
  return mark === -1 ? url : url.slice(0, mark);
};

/** Returns the query of a request's URL without its question mark. */
export const searchOf = (url: string): string => {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark + 1);
};

/** Returns the URL with repeated slashes of its path as one, as Rails reads them. */
export function withSingleSlashes(url: string): string {
  const path = pathOf(url);
  if (!path.startsWith('/') || !path.includes('//')) return url;
  return `${path.replace(/\/{2,}/g, '/')}${url.slice(path.length)}`;
}
