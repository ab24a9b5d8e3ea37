import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { episodesQuery } from '../api/episodes.ts';
import { homeQuery } from '../api/home.ts';
import { useShow } from './use-show.ts';

/** Something that the palette opens. */
export interface Command {
  readonly id: string;
  readonly name: string;
  /** Where it belongs, in words. */
  readonly place: string;
  readonly to: string;
}

/** As many results as one looks through. */
const shownMost = 12;

/** What the text may mean: pages by their names; shows, and episodes of the open show, by the server. */
export function useCommands(text: string, podcastId: string | undefined): readonly Command[] {
  const { t } = useLingui();
  const q = text.trim();
  const pages = usePages(podcastId);
  const shows = useInfiniteQuery({ ...homeQuery(q), placeholderData: keepPreviousData });
  const episodes = useInfiniteQuery({
    ...episodesQuery(podcastId ?? '', { q }),
    enabled: podcastId !== undefined && q !== '',
    placeholderData: keepPreviousData,
  });
  const found = [
    ...pages.filter(({ name }) => includesText(name, q)),
    ...(shows.data?.pages[0]?.data ?? []).map(({ id, title }) => ({
      id: `show:${id}`,
      name: title,
      place: t`Show`,
      to: `/shows/${id}/episodes`,
    })),
    ...(q === '' ? [] : (episodes.data?.pages[0]?.data ?? [])).map(({ id, title }) => ({
      id: `episode:${id}`,
      name: title,
      place: t`Episode`,
      to: `/shows/${podcastId}/episodes/${id}`,
    })),
  ].filter(({ name }) => includesText(name, q));
  return found.slice(0, shownMost);
}

function usePages(podcastId: string | undefined): readonly Command[] {
  const { t } = useLingui();
  const show = useShow(podcastId);
  const base = `/shows/${podcastId}`;
  const place = show?.title ?? '';
  const ofShow = [
    [t`Episodes`, 'episodes'],
    [t`Statistics`, 'statistics'],
    [t`Show settings`, 'show'],
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
