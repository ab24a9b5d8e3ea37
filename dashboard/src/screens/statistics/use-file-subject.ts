import { useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import type { FileSubject } from '../../lib/save-file.ts';
import { useShow } from '../../shell/use-show.ts';
import { useEpisodeTitle } from './use-episode-title.ts';

/** What a file of this screen is about: the show or the episode, and these days. */
export function useFileSubject(days: FileSubject['days']): FileSubject {
  const { t } = useLingui();
  const { podcastId = '', episodeId } = useParams({ strict: false });
  const show = useShow(podcastId);
  const title = useEpisodeTitle(podcastId, episodeId);
  const names = [show?.slug ?? ''];
  if (episodeId === undefined) return { title: show?.title ?? '', names, days };
  const episode = title ?? t`Episode`;
  return { title: episode, names: [...names, episode], days };
}
