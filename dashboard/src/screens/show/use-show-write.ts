import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/errors.ts';
import { type ShowSettings, showQuery } from '../../api/show-settings.ts';

interface Options<T> {
  /** Writes over this revision of the show. */
  readonly write: (revision: number) => Promise<T>;
  /** The parts that the write changes, by the names of the server's conflicts. */
  readonly parts: () => readonly string[];
  readonly onSuccess?: (written: T) => unknown;
}

/**
 * A write of a show. If somebody else has changed other parts of it meanwhile, it is repeated over
 * their changes; if they changed the same parts, it is refused, and `overwrite` repeats it.
 */
export function useShowWrite<T>(show: ShowSettings, { write, parts, onSuccess }: Options<T>) {
  const queries = useQueryClient();
  const { queryKey } = showQuery(show.id);
  const mutation = useMutation({
    mutationFn: (overwrites: boolean) => attempt(show.revision, overwrites),
    onError: (error) => conflictOf(error) && queries.invalidateQueries({ queryKey, exact: true }),
    async onSuccess(written) {
      if (isWhole(written)) queries.setQueryData(queryKey, written);
      else await queries.invalidateQueries({ queryKey, exact: true });
      void queries.invalidateQueries({ queryKey: [...queryKey, 'health'] });
      void queries.invalidateQueries({ queryKey: ['podcasts'] });
      void queries.invalidateQueries({ queryKey: ['home'] });
      await onSuccess?.(written);
    },
  });
  async function attempt(revision: number, overwrites: boolean): Promise<T> {
    try {
      return await write(revision);
    } catch (error) {
      const current = conflictOf(error);
      if (current === undefined) throw error;
      if (!overwrites && current.fields.some((field) => isAmong(field, parts()))) throw error;
      return await write(current.revision);
    }
  }
  return {
    save: () => mutation.mutate(false),
    overwrite: () => mutation.mutate(true),
    isPending: mutation.isPending,
    isSuccess: mutation.isSuccess,
    error: mutation.error,
    reset: mutation.reset,
  };
}

const isAmong = (field: string, parts: readonly string[]) => field === '*' || parts.includes(field);

function isWhole(written: unknown): written is ShowSettings {
  return typeof written === 'object' && written !== null && 'may' in written;
}

/** What somebody else has changed meanwhile. */
export function conflictOf(
  error: unknown,
): { readonly revision: number; readonly fields: readonly string[] } | undefined {
  if (!(error instanceof ApiError) || error.status !== 412) return undefined;
  if (error.revision === undefined) return undefined;
  return { revision: error.revision, fields: error.details.map(({ field }) => field) };
}
