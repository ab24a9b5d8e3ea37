import type { ZoneCountries } from '../src/lib/zones.ts';

// TypeScript does not know it yet; Node 20 has a property.
interface LocaleWithZones {
  getTimeZones?(): readonly string[] | undefined;
  readonly timeZones?: readonly string[] | undefined;
}

/** From the data of Node, because not every browser says which country a zone belongs to. */
export function listZoneCountries(): ZoneCountries {
  const countries: Record<string, string[]> = {};
  for (const code of regionCodes()) {
    const place = new Intl.Locale(`und-${code}`) as LocaleWithZones;
    for (const zone of place.getTimeZones?.() ?? place.timeZones ?? []) {
      countries[zone] = [...(countries[zone] ?? []), code];
    }
  }
  return countries;
}

/** Two letters; codes of former countries, such as `DD`, stand for another one and are left out. */
function regionCodes(): string[] {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => new Intl.Locale(`und-${code}`).region === code);
}
