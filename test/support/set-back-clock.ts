/**
 * Loaded before a program (`--import`), sets the clock of its process back by the milliseconds that `?by=` of its URL says.
 */
const by = Number(new URL(import.meta.url).searchParams.get('by'));
const Real = Date;

globalThis.Date = new Proxy(Real, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [Real.now() - by] : args, newTarget) as object,
  get: (target, name) => (name === 'now' ? () => Real.now() - by : (Reflect.get(target, name) as unknown)),
});
