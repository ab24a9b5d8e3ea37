import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { SearchField } from 'react-aria-components/SearchField';
import { episodesQuery } from '../api/episodes.ts';
import { homeQuery } from '../api/home.ts';
import { showQuery } from '../api/show-settings.ts';
import { Dialog } from '../components/dialog.tsx';
import { showMessage } from '../components/toasts.ts';
import { chooseColorScheme } from '../lib/color-scheme.ts';
import styles from './palette.module.css';
import { type Action, offeredActions, type Wish, wishFor } from './screen-actions.ts';
import { signOutHere } from './sign-out.ts';
import { useShow } from './use-show.ts';

interface Props {
  readonly podcastId: string | undefined;
  /** Text that was typed before the field was loaded. */
  readonly takeEarlyText: () => string;
  readonly onClose: () => void;
}

/** The command palette: everything one can open or do, by typing a part of its name. */
// biome-ignore lint/style/noDefaultExport: React.lazy takes a default export.
export default function Palette({ podcastId, takeEarlyText, onClose }: Props) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const commands = useCommands(text, podcastId);
  // The Enter key may reach both the field and the list.
  const isDone = useRef(false);
  const run = (command: Command | undefined) => {
    if (command === undefined || isDone.current) return;
    isDone.current = true;
    onClose();
    // For example, the browser refuses access to its clipboard.
    Promise.resolve(command.act()).catch(() => {
      showMessage({ text: t`That didn’t work.` }, { stays: true });
    });
  };
  return (
    <Dialog isOpen title={t`Go to…`} onClose={onClose}>
      <Autocomplete inputValue={text} onInputChange={setText}>
        <SearchField aria-label={t`Show, episode, page or action`} autoFocus>
          <Input
            onFocus={() => {
              const early = takeEarlyText();
              setText((typed) => typed + early);
            }}
            onKeyDown={(event) => {
              // While results are loading, none may have the focus; Enter means the first.
              const hasFocus = event.currentTarget.hasAttribute('aria-activedescendant');
              if (event.key === 'Enter' && !hasFocus) run(commands[0]);
            }}
            className={styles['input'] ?? ''}
            placeholder={t`Show, episode, page or action`}
            dir="auto"
          />
        </SearchField>
        <Menu
          aria-label={t`Results`}
          className={styles['results'] ?? ''}
          items={commands}
          dependencies={[commands]}
          renderEmptyState={() => <p className="meta">{t`No results.`}</p>}
          onAction={(id) => run(commands.find((command) => command.id === id))}
        >
          {(command) => (
            <MenuItem id={command.id} textValue={command.name} className={styles['item'] ?? ''}>
              <span dir="auto">{command.name}</span>
              <span className="meta" dir="auto">
                {command.place}
              </span>
            </MenuItem>
          )}
        </Menu>
      </Autocomplete>
    </Dialog>
  );
}

/** A result of the palette. */
interface Command {
  readonly id: string;
  readonly name: string;
  /** The place that it belongs to, as text. */
  readonly place: string;
  readonly act: () => unknown;
}

/** The most results that a person looks through. */
const shownMost = 24;

/** The results for a text: pages by name; shows, and episodes of the open show, from the server. */
function useCommands(text: string, podcastId: string | undefined): readonly Command[] {
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
  const may = show?.may;
  const ofShow = [
    [t`Episodes`, 'episodes'],
    ...(may?.analytics === true && episodeId !== undefined
      ? [[t`Episode statistics`, `statistics/episodes/${episodeId}`]]
      : []),
    ...(may?.analytics === true ? [[t`Statistics`, 'statistics']] : []),
    ...(may?.check === true ? [[t`Show settings`, 'show']] : []),
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

/** What the palette does: on the open screen, with the open show, and everywhere. */
function useActions(podcastId: string | undefined): readonly Action[] {
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
    go('new-key', t`Create a key`, '/settings/keys/new'),
    { id: 'light', name: t`Light theme`, act: () => chooseColorScheme('light') },
    { id: 'dark', name: t`Dark theme`, act: () => chooseColorScheme('dark') },
    { id: 'auto', name: t`System theme`, act: () => chooseColorScheme('auto') },
    { id: 'sign-out', name: t`Sign out`, act: signOutHere },
  ];
}

function useShowActions(podcastId: string | undefined): readonly Action[] {
  const { t } = useLingui();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const show = useShow(podcastId);
  if (podcastId === undefined || show === undefined) return [];
  const { may } = show;
  const open = (path: string, wish: Wish) => async () => {
    wishFor(wish);
    await navigate({ to: `/shows/${podcastId}/${path}` });
  };
  const copyFeed = async () => {
    const { links } = await queries.fetchQuery(showQuery(podcastId));
    await navigator.clipboard.writeText(links.feed);
    showMessage({ text: t`Feed URL copied.` });
  };
  return [
    ...(may.create_episodes
      ? [{ id: 'new-episode', name: t`New episode`, act: open('episodes', 'new-episode') }]
      : []),
    ...(may.team ? [{ id: 'invite', name: t`Invite someone`, act: open('team', 'invite') }] : []),
    ...(may.check ? [{ id: 'copy-feed', name: t`Copy feed URL`, act: copyFeed }] : []),
  ];
}
