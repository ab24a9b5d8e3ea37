import type { QueryClient } from '@tanstack/react-query';
import { type ShowSettings, showQuery } from '../../api/show-settings.ts';

/** After a write of a show: everything that shows it is asked for again, or takes what was answered. */
export async function noteWritten(
  queries: QueryClient,
  showId: string,
  written: unknown,
): Promise<void> {
  const { queryKey } = showQuery(showId);
  void queries.invalidateQueries({ queryKey: [...queryKey, 'health'] });
  void queries.invalidateQueries({ queryKey: ['podcasts'] });
  void queries.invalidateQueries({ queryKey: ['home'] });
  if (!isWhole(written)) return await queries.invalidateQueries({ queryKey, exact: true });
  // An answer may be late: what is newer stays.
  queries.setQueryData(queryKey, (known) =>
    known !== undefined && known.revision > written.revision ? known : written,
  );
}

function isWhole(written: unknown): written is ShowSettings {
  return typeof written === 'object' && written !== null && 'may' in written;
}
