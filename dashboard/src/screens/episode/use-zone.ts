import { useEditing } from './editing.ts';

/** The show's time zone, in which its episodes are scheduled; the reader's own as long as it loads. */
export function useZone(): string {
  const { show } = useEditing();
  return show?.timezone ?? readersZone();
}

export const readersZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
