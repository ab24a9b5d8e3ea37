import { t } from '@lingui/core/macro';
import { useQueryClient } from '@tanstack/react-query';
import { type EpisodeDraft, episodeQuery } from '../../api/episode.ts';
import { ApiError, isSignedOut } from '../../api/errors.ts';
import type { ActionResult } from '../../editor/engine-options.ts';
import { askToSignIn } from '../../shell/sign-in-state.ts';
import { useEditing } from './editing.ts';

/** The result of a write of the episode outside of its fields. */
interface Written {
  readonly revision: number;
}

/**
 * Runs another write of the episode (its status, its people) between the saves of the fields.
 * Throws an ApiError. `changes` are the parts of the episode that the write changes.
 */
export function useEpisodeWrite() {
  const queries = useQueryClient();
  const { engine, episode } = useEditing();
  return async <T extends Written>(
    write: (revision: number) => Promise<T>,
    changes: (written: T) => Partial<EpisodeDraft> = () => ({}),
  ): Promise<T> => {
    const result = await engine.act((revision) => attempt(write, revision));
    if (result.kind === 'conflict') throw conflict();
    const written = result.value;
    const { queryKey } = episodeQuery(episode.id);
    queries.setQueryData<EpisodeDraft>(queryKey, (old) => {
      return old && { ...old, ...changes(written), revision: written.revision };
    });
    await queries.invalidateQueries({ queryKey });
    void queries.invalidateQueries({ queryKey: ['episodes'] });
    return written;
  };
}

const conflict = () =>
  new ApiError({
    status: 412,
    code: 'precondition_failed',
    message: t`The episode has changed. Check it and try again.`,
  });

async function attempt<T extends Written>(
  write: (revision: number) => Promise<T>,
  revision: number,
): Promise<ActionResult<T>> {
  try {
    const value = await write(revision);
    return { kind: 'done', value, revision: value.revision, fields: {} };
  } catch (error) {
    if (error instanceof ApiError && error.status === 412) return { kind: 'conflict' };
    if (isSignedOut(error)) askToSignIn();
    throw error;
  }
}
