import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChartLine, Copy, Ellipsis, ExternalLink, Trash2 } from 'lucide-react';
import { duplicateEpisode } from '../../api/episodes.ts';
import { Menu, type MenuAction } from '../../components/menu.tsx';
import { showMessage } from '../../components/toasts.ts';
import { deleteLater } from '../../deletions/deletions.ts';
import { useShow } from '../../shell/use-show.ts';
import { useEditing } from './editing.ts';

/** Actions on the whole episode, apart from its publication. */
export function EpisodeMenu() {
  const { t } = useLingui();
  const { engine, episode, values } = useEditing();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { id, podcast_id: podcastId, links, may } = episode;
  const mayAnalyze = useShow(podcastId)?.capabilities.includes('analytics.view') === true;

  const showStatistics = () =>
    navigate({
      to: '/shows/$podcastId/statistics/episodes/$episodeId',
      params: { podcastId, episodeId: id },
    });

  async function duplicate() {
    const copy = await duplicateEpisode(id);
    void queries.invalidateQueries({ queryKey: ['episodes'] });
    showMessage({ text: t`This is the copy.` });
    await navigate({
      to: '/shows/$podcastId/episodes/$episodeId',
      params: { podcastId, episodeId: copy.id },
    });
  }

  /** The deletion waits for ten seconds, in which the list offers to undo it. */
  async function remove() {
    await engine.flush();
    const { revision } = engine.state;
    deleteLater([{ id, title: values.title, revision }]);
    await navigate({ to: '/shows/$podcastId/episodes', params: { podcastId } });
  }

  const actions: readonly MenuAction[] = [
    ...(episode.status === 'published'
      ? [
          {
            id: 'page',
            label: t`Open its public page`,
            icon: <ExternalLink size={16} aria-hidden="true" />,
            act: () => void window.open(links.listen, '_blank', 'noopener'),
          },
        ]
      : []),
    ...(mayAnalyze && episode.status === 'published'
      ? [
          {
            id: 'statistics',
            label: t`Statistics`,
            icon: <ChartLine size={16} aria-hidden="true" />,
            act: () => void showStatistics(),
          },
        ]
      : []),
    ...(may.edit
      ? [
          {
            id: 'duplicate',
            label: t`Duplicate`,
            icon: <Copy size={16} aria-hidden="true" />,
            act: () => void duplicate(),
          },
        ]
      : []),
    ...(may.delete
      ? [
          {
            id: 'delete',
            label: t`Delete`,
            icon: <Trash2 size={16} aria-hidden="true" />,
            isDangerous: true,
            act: () => void remove(),
          },
        ]
      : []),
  ];
  return (
    <Menu
      label={t`More about ${values.title}`}
      trigger={<Ellipsis size={20} aria-hidden="true" />}
      actions={actions}
    />
  );
}
