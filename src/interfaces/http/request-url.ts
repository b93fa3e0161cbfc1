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

/** Returns the URL without a slash at the end of its path, which has no meaning in Rails. */
export function withoutTrailingSlash(url: string): string {
  const path = pathOf(url);
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) + url.slice(path.length) : url;
}
