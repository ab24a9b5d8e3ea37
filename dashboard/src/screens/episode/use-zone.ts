import { isKnownZone } from '../../lib/time-zone.ts';
import { useEditing } from './editing.ts';

/** The show's time zone, in which its episodes are scheduled; the reader's own as long as it loads. */
export function useZone(): string {
  const zone = useEditing().show?.timezone;
  return zone !== undefined && isKnownZone(zone) ? zone : readersZone();
}

export const readersZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
