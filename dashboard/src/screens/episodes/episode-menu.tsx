import { useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { duplicateEpisode, type EpisodeListItem } from '../../api/episodes.ts';
import { Menu, type MenuAction } from '../../components/menu.tsx';
import { showMessage } from '../../components/toasts.ts';
import { deleteLater } from '../../deletions/deletions.ts';
import { mayDo, useStatusActionNames } from '../../publication/status-actions.ts';
import { useStatusChange } from './use-status-change.ts';

interface Props {
  readonly episode: EpisodeListItem;
  readonly may: (capability: string) => boolean;
}

/** The actions on an episode in the list that the role allows. */
export function EpisodeMenu({ episode, may }: Props) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const change = useStatusChange(episode);
  const { id, podcast_id: podcastId, status, title } = episode;
  const open = (episodeId: string) => navigate({ to: `/shows/${podcastId}/episodes/${episodeId}` });
  const showStatistics = () =>
    navigate({
      to: '/shows/$podcastId/statistics/episodes/$episodeId',
      params: { podcastId, episodeId: id },
    });
  const action = (name: string, label: string, act: () => void): MenuAction => ({
    id: name,
    label,
    act,
  });
  const names = useStatusActionNames()(status);
  const actions = [
    action('edit', t`Edit`, () => void open(id)),
    ...(may('analytics.view') && status === 'published'
      ? [action('statistics', t`Statistics`, () => void showStatistics())]
      : []),
    ...(['publish', 'unpublish', 'archive'] as const)
      .filter((name) => mayDo(name, episode))
      .map((name) => action(name, names[name], change[name])),
    ...(may('episodes.create')
      ? [
          action('duplicate', t`Duplicate`, async () => {
            try {
              await open((await duplicateEpisode(id)).id);
            } catch (error) {
              showMessage({ text: String((error as Error).message) }, { stays: true });
            }
          }),
        ]
      : []),
    ...(may('episodes.delete')
      ? [{ ...action('delete', t`Delete`, () => deleteLater([episode])), isDangerous: true }]
      : []),
  ];
  return (
    <Menu
      label={t`Actions for ${title}`}
      trigger={<Ellipsis size={18} aria-hidden="true" />}
      actions={actions}
    />
  );
}
