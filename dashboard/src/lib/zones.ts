import { formatOffset, isKnownZone, offsetMinutes } from './time-zone.ts';

/** Browsers list zones by the names that they had first; these have others now. */
const renamed: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** The name that a zone has now, if the browser knows it. */
export function currentZone(zone: string): string {
  const name = renamed[zone];
  return name !== undefined && isKnownZone(name) ? name : zone;
}

export interface NamedZone {
  readonly id: string;
  /** `Europe/Kyiv · UTC+2` */
  readonly label: string;
}

/** Every zone by its current name, and `also`, with how far it is ahead of UTC now. */
export function listZones(also: string, now = new Date()): readonly NamedZone[] {
  const all = new Set([also, 'UTC', ...Intl.supportedValuesOf('timeZone').map(currentZone)]);
  return [...all].sort().map((id) => {
    const offset = isKnownZone(id) ? formatOffset(offsetMinutes(now, id)) : '';
    const name = id.replaceAll('_', ' ');
    return { id, label: offset === '' || offset === name ? name : `${name} · ${offset}` };
  });
}
