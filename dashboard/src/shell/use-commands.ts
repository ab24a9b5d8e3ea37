import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { episodesQuery } from '../api/episodes.ts';
import { homeQuery } from '../api/home.ts';
import { useActions } from './use-actions.ts';
import { useShow } from './use-show.ts';

/** A result of the palette. */
export interface Command {
  readonly id: string;
  readonly name: string;
  /** The place that it belongs to, as text. */
  readonly place: string;
  readonly act: () => unknown;
}

/** The most results that a person looks through. */
const shownMost = 24;

/** The results for a text: pages by name; shows, and episodes of the open show, from the server. */
export function useCommands(text: string, podcastId: string | undefined): readonly Command[] {
  const { t } = useLingui();
  const { episodeId } = useParams({ strict: false });
  const q = text.trim();
  const navigate = useNavigate();
  const go = (to: string) => () => navigate({ to });
  const pages = usePages(podcastId, episodeId);
  const actions = useActions(podcastId);
  const shows = useInfiniteQuery({ ...homeQuery(q), placeholderData: keepPreviousData });
  const episodes = useInfiniteQuery({
    ...episodesQuery(podcastId ?? '', { q }),
    enabled: podcastId !== undefined && q !== '',
    placeholderData: keepPreviousData,
  });
  const found = [
    ...pages.map(({ to, ...page }) => ({ ...page, act: go(to) })),
    ...actions.map((action) => ({ ...action, place: t`Action` })),
    ...(shows.data?.pages[0]?.data ?? []).map(({ id, title }) => ({
      id: `show:${id}`,
      name: title,
      place: t`Show`,
      act: go(`/shows/${id}/episodes`),
    })),
    ...(q === '' ? [] : (episodes.data?.pages[0]?.data ?? [])).map(({ id, title }) => ({
      id: `episode:${id}`,
      name: title,
      place: t`Episode`,
      act: go(`/shows/${podcastId}/episodes/${id}`),
    })),
  ].filter(({ name }) => includesText(name, q));
  return found.slice(0, shownMost);
}

interface Place extends Omit<Command, 'act'> {
  readonly to: string;
}

function usePages(podcastId: string | undefined, episodeId: string | undefined): readonly Place[] {
  const { t } = useLingui();
  const show = useShow(podcastId);
  const base = `/shows/${podcastId}`;
  const place = show?.title ?? '';
  const may = (capability: string) => show?.capabilities.includes(capability) === true;
  const ofShow = [
    [t`Episodes`, 'episodes'],
    ...(may('analytics.view') && episodeId !== undefined
      ? [[t`Statistics of this episode`, `statistics/episodes/${episodeId}`]]
      : []),
    ...(may('analytics.view') ? [[t`Statistics`, 'statistics']] : []),
    ...(may('episodes.view_all') ? [[t`Show settings`, 'show']] : []),
    [t`Team`, 'team'],
  ].map(([name = '', path]) => ({ id: `${base}/${path}`, name, place, to: `${base}/${path}` }));
  const ofAccount = [
    [t`My shows`, '/'],
    [t`Add a show`, '/new'],
    [t`Imports`, '/imports'],
    [t`Account settings`, '/settings'],
    [t`Keys`, '/settings/keys'],
    [t`Connected sites`, '/settings/sites'],
  ].map(([name = '', to = '/']) => ({ id: to, name, place: t`Page`, to }));
  return podcastId === undefined ? ofAccount : [...ofShow, ...ofAccount];
}

function includesText(name: string, q: string): boolean {
  return name.toLocaleLowerCase().includes(q.toLocaleLowerCase());
}
