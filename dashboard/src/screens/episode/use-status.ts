import { t } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type EpisodeDraft, episodeQuery } from '../../api/episode.ts';
import { type Confirmation, changeStatus, restoreStatus } from '../../api/episodes.ts';
import { ApiError, isSignedOut } from '../../api/errors.ts';
import { showMessage } from '../../components/toasts.ts';
import type { ActionResult } from '../../editor/engine-options.ts';
import { type Question, withConfirmation } from '../../publication/confirmation.ts';
import { askToSignIn } from '../../shell/sign-in-state.ts';
import { useEditing } from './editing.ts';
import { isPublic } from './episode-fields.ts';

type EpisodeState = Awaited<ReturnType<typeof changeStatus.archive>>;
type Confirmed = readonly Confirmation[];
type Write = (revision: number, confirm: Confirmed) => Promise<EpisodeState>;

/** Changes of the status. Each one can be undone by the message that reports it. */
export function useStatus() {
  const { t } = useLingui();
  const { id } = useEditing().episode;
  const { isPending, change } = useChange();
  const publish: Write = (revision, confirm) => changeStatus.publish({ id, revision }, confirm);
  const unpublish: Write = (revision) => changeStatus.unpublish({ id, revision });
  const archive: Write = (revision) => changeStatus.archive({ id, revision });
  return {
    isPending,
    publish: () => change(publish, t`Published.`, 'publish'),
    schedule: (at: string) => {
      const schedule: Write = (revision, confirm) =>
        changeStatus.schedule({ id, revision }, at, confirm);
      return change(schedule, t`Scheduled.`, 'schedule');
    },
    unpublish: () => change(unpublish, t`Now a draft.`),
    archive: () => change(archive, t`Archived.`),
  };
}

function useChange() {
  const { t } = useLingui();
  const { engine, episode, values } = useEditing();
  const writeEpisode = useEpisodeWrite();
  const [isPending, setPending] = useState(false);
  const { id } = episode;

  const write = (to: (revision: number) => Promise<EpisodeState>) =>
    writeEpisode(to, ({ status, published_at, scheduled_for, may_become }) => ({
      status,
      published_at,
      scheduled_for,
      may_become,
    }));

  /** With a `question`, the server may want a confirmation. */
  async function change(to: Write, text: string, question?: Question['action']) {
    const before = episode;
    const attempt = (confirm: Confirmed) => write((revision) => to(revision, confirm));
    setPending(true);
    try {
      // The public must get the values that the person sees.
      await engine.flush();
      if (engine.state.dirty && !isPublic(before)) {
        showMessage({ text: t`Some changes aren’t saved yet. See the top of the page.` });
        return;
      }
      const written =
        question === undefined
          ? await attempt([])
          : await withConfirmation({ title: values.title, action: question }, attempt);
      if (written === undefined) return;
      const undo = () => write((revision) => restoreStatus({ id, revision }, before)).catch(report);
      showMessage({ text, action: { label: t`Undo`, act: () => void undo() } });
    } catch (error) {
      report(error);
    } finally {
      setPending(false);
    }
  }

  function report(error: unknown) {
    const text = error instanceof ApiError ? error.message : t`That didn’t work.`;
    showMessage({ text }, { stays: true });
  }

  return { isPending, change };
}

/** The result of a write of the episode outside of its fields. */
interface Written {
  readonly revision: number;
}

/**
 * Runs another write of the episode (its status, its people) between the saves of the fields.
 * Throws an ApiError. `changes` are the parts of the episode that the write changes.
 */
function useEpisodeWrite() {
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
