import { type Foreign, isObject, listOf, momentOf, naturalText, textOf, webAddress } from './json.ts';

const MAX_PLACE = 500;
const MAX_MOMENT = 40;

/** Returns what an event says about itself, a line each: its time and its place. They are in no language. */
export const eventLines = (event: Foreign): string[] => {
  const [start, end] = [shownMoment(event['startTime']), shownMoment(event['endTime'])];
  const place = placeOf(listOf(event['location'], 1)[0]);
  return [
    ...(start === undefined ? [] : [`\u{1F4C5} ${end === undefined ? start : `${start} – ${end}`}`]),
    ...(place === '' ? [] : [`\u{1F4CD} ${place}`]),
  ];
};

const MOMENT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::[\d.]+)?(Z|[+-]\d\d:?\d\d)?$/i;

/** Returns a time with the zone that it was written with: an event takes place in that zone. */
function shownMoment(value: unknown): string | undefined {
  const text = textOf(value, MAX_MOMENT);
  const [, day, time, zone = 'Z'] = MOMENT.exec(text) ?? [];
  if (day === undefined || time === undefined || momentOf(text) === undefined) return undefined;
  return `${day} ${time} ${/^z$/i.test(zone) ? 'UTC' : zone}`;
}

const ADDRESS = ['streetAddress', 'postalCode', 'addressLocality', 'addressRegion', 'addressCountry'];

/** Returns a place in one line: its name, and its address, which is a text or of https://schema.org/PostalAddress. */
function placeOf(place: unknown): string {
  if (!isObject(place)) return textOf(place, MAX_PLACE);
  const { address } = place;
  const postal = isObject(address) ? ADDRESS.map((name) => textOf(address[name], MAX_PLACE)) : [];
  const parts = [naturalText(place, 'name', MAX_PLACE), textOf(address, MAX_PLACE), ...postal];
  const named = [...new Set(parts.filter((part) => part.trim() !== ''))];
  return (named.length === 0 ? (webAddress(place) ?? '') : named.join(', ')).slice(0, MAX_PLACE);
}
