import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/errors.ts';
import { type ShowSettings, showQuery } from '../../api/show-settings.ts';
import { refreshAfterWrite } from './refresh-after-write.ts';

interface Options<T> {
  /** Writes over this revision of the show. */
  readonly write: (revision: number) => Promise<T>;
  /** The parts that the write changes, by the names of the server's conflicts. */
  readonly parts: () => readonly string[];
  readonly onSuccess?: (written: T) => unknown;
}

/**
 * A write of a show. If somebody else has changed only other parts since, it is repeated over
 * their changes; if they changed the same parts, it is refused.
 */
export function useShowWrite<T>(show: ShowSettings, { write, parts, onSuccess }: Options<T>) {
  const queries = useQueryClient();
  const { queryKey } = showQuery(show.id);
  const mutation = useMutation({
    mutationFn: () => attempt(show.revision),
    onError: (error) => conflictOf(error) && queries.invalidateQueries({ queryKey, exact: true }),
    async onSuccess(written) {
      await refreshAfterWrite(queries, show.id, written);
      await onSuccess?.(written);
    },
  });
  async function attempt(revision: number): Promise<T> {
    try {
      return await write(revision);
    } catch (error) {
      const current = conflictOf(error);
      if (current === undefined) throw error;
      if (current.fields.some((field) => isAmong(field, parts()))) throw error;
      return await write(current.revision);
    }
  }
  return {
    save: () => mutation.mutate(),
    isPending: mutation.isPending,
    error: mutation.error,
  };
}

const isAmong = (field: string, parts: readonly string[]) => field === '*' || parts.includes(field);

/** The fields that somebody else has since changed. */
function conflictOf(
  error: unknown,
): { readonly revision: number; readonly fields: readonly string[] } | undefined {
  if (!(error instanceof ApiError) || error.status !== 412) return undefined;
  if (error.revision === undefined) return undefined;
  return { revision: error.revision, fields: error.details.map(({ field }) => field) };
}
