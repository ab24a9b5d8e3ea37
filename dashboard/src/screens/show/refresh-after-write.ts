import type { QueryClient } from '@tanstack/react-query';
import { type ShowSettings, showQuery } from '../../api/show-settings.ts';

/**
 * Updates everything that shows a show after a write: with the response, or by loading it again.
 */
export async function refreshAfterWrite(
  queries: QueryClient,
  showId: string,
  written: unknown,
): Promise<void> {
  const { queryKey } = showQuery(showId);
  void queries.invalidateQueries({ queryKey: [...queryKey, 'health'] });
  void queries.invalidateQueries({ queryKey: ['podcasts'] });
  void queries.invalidateQueries({ queryKey: ['home'] });
  if (!isWhole(written)) return await queries.invalidateQueries({ queryKey, exact: true });
  // The response may be late, so newer data stays.
  queries.setQueryData(queryKey, (known) =>
    known !== undefined && known.revision > written.revision ? known : written,
  );
}

function isWhole(written: unknown): written is ShowSettings {
  return typeof written === 'object' && written !== null && 'may' in written;
}
