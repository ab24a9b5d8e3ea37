import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { showQuery } from '../api/show-settings.ts';
import { showMessage } from '../components/toasts.ts';
import { chooseColorScheme } from '../lib/color-scheme.ts';
import { type Action, offeredActions, type Wish, wishFor } from './screen-actions.ts';
import { signOutHere } from './sign-out.ts';
import { useShow } from './use-show.ts';

/** What the palette does: on the open screen, with the open show, and everywhere. */
export function useActions(podcastId: string | undefined): readonly Action[] {
  const { t } = useLingui();
  const navigate = useNavigate();
  const ofShow = useShowActions(podcastId);
  const go = (id: string, name: string, to: string): Action => ({
    id,
    name,
    act: () => navigate({ to }),
  });
  return [
    ...offeredActions(),
    ...ofShow,
    go('new-show', t`New show`, '/new'),
    go('import', t`Import a show`, '/imports/new'),
    go('new-key', t`Make a key`, '/settings/keys/new'),
    { id: 'light', name: t`Light colors`, act: () => chooseColorScheme('light') },
    { id: 'dark', name: t`Dark colors`, act: () => chooseColorScheme('dark') },
    { id: 'auto', name: t`Colors of the system`, act: () => chooseColorScheme('auto') },
    { id: 'sign-out', name: t`Sign out`, act: signOutHere },
  ];
}

function useShowActions(podcastId: string | undefined): readonly Action[] {
  const { t } = useLingui();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const show = useShow(podcastId);
  if (podcastId === undefined || show === undefined) return [];
  const may = (capability: string) => show.capabilities.includes(capability);
  const open = (path: string, wish: Wish) => async () => {
    wishFor(wish);
    await navigate({ to: `/shows/${podcastId}/${path}` });
  };
  const copyFeed = async () => {
    const { links } = await queries.fetchQuery(showQuery(podcastId));
    await navigator.clipboard.writeText(links.feed);
    showMessage({ text: t`The address of the feed is copied.` });
  };
  return [
    ...(may('episodes.create')
      ? [{ id: 'new-episode', name: t`New episode`, act: open('episodes', 'new-episode') }]
      : []),
    ...(may('team.manage')
      ? [{ id: 'invite', name: t`Invite someone`, act: open('team', 'invite') }]
      : []),
    ...(may('episodes.view_all')
      ? [{ id: 'copy-feed', name: t`Copy the address of the feed`, act: copyFeed }]
      : []),
  ];
}
