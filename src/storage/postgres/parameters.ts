/**
 * Returns the text of a value for Postgres; bytes stay bytes. Lists become arrays, other objects JSON.
 * @throws Error for a value that JSON cannot express
 */
export function parameter(value: unknown): string | Buffer | null {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return `${value}`;
  if (ArrayBuffer.isView(value)) return bytesOf(value);
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? arrayLiteral(value) : JSON.stringify(value);
}

/** https://www.postgresql.org/docs/current/arrays.html#ARRAYS-INPUT */
function arrayLiteral(items: readonly unknown[]): string {
  let list = '{';
  for (let index = 0; index < items.length; index += 1) {
    if (index > 0) list += ',';
    list += element(items[index]);
  }
  return `${list}}`;
}

function element(item: unknown): string {
  if (Array.isArray(item)) return arrayLiteral(item);
  const text = parameter(item);
  if (text === null) return 'NULL';
  return typeof text === 'string' ? quoted(text) : quoted(`\\x${text.toString('hex')}`);
}

const ESCAPED = /["\\]/;
const quoted = (text: string): string =>
  `"${ESCAPED.test(text) ? text.replaceAll('\\', '\\\\').replaceAll('"', '\\"') : text}"`;

const bytesOf = (view: ArrayBufferView): Buffer =>
  Buffer.isBuffer(view) ? view : Buffer.from(view.buffer, view.byteOffset, view.byteLength);
