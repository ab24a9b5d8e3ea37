import { useLingui } from '@lingui/react/macro';
import type { EpisodeStatus } from '../api/episodes.ts';

export const statusActions = ['publish', 'schedule', 'unpublish', 'archive'] as const;
export type StatusAction = (typeof statusActions)[number];

/** The status in which an action results. */
export const resultOf: Readonly<Record<StatusAction, EpisodeStatus>> = {
  publish: 'published',
  schedule: 'scheduled',
  unpublish: 'draft',
  archive: 'archived',
};

interface Changeable {
  /** What the server accepts, for this person. */
  readonly may_become: readonly EpisodeStatus[];
}

export const mayDo = (action: StatusAction, { may_become: next }: Changeable): boolean =>
  next.includes(resultOf[action]);

/** The names of the actions on an episode of this status. */
export function useStatusActionNames(): (
  status: EpisodeStatus,
) => Readonly<Record<StatusAction, string>> {
  const { t } = useLingui();
  return (status) => ({
    publish: t`Publish now`,
    schedule: status === 'scheduled' ? t`Change the time…` : t`Schedule…`,
    unpublish: status === 'published' ? t`Unpublish` : t`Return to draft`,
    archive: t`Archive`,
  });
}
