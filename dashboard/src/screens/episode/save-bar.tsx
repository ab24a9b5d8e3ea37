import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  Archive,
  ChartLine,
  Check,
  CircleAlert,
  CloudOff,
  Copy,
  Ellipsis,
  ExternalLink,
  HardDrive,
  LoaderCircle,
  type LucideIcon,
  Trash2,
} from 'lucide-react';
import { duplicateEpisode } from '../../api/episodes.ts';
import { Button } from '../../components/button.tsx';
import { Menu, type MenuAction } from '../../components/menu.tsx';
import { Notice } from '../../components/notice.tsx';
import { showMessage } from '../../components/toasts.ts';
import { deleteLater } from '../../deletions/deletions.ts';
import type { SaveStatus } from '../../editor/save-state.ts';
import { useLeaveWarning } from '../../lib/use-leave-warning.ts';
import { useShortcut } from '../../lib/use-shortcut.ts';
import { mayDo, useStatusActionNames } from '../../publication/status-actions.ts';
import { useShow } from '../../shell/use-show.ts';
import { Conflicts } from './conflicts.tsx';
import { useEditing } from './editing.ts';
import styles from './episode.module.css';
import { useStatus } from './use-status.ts';

/** Whether the shown values are saved; always visible. */
export function SaveBar() {
  const { engine, state } = useEditing();
  const { status, mayTryAgain, storageProblem } = state;
  const discard = useDiscard();
  // Ctrl-S must not save the page as a file. A public episode is not updated by it.
  useShortcut('s', () => void engine.flush());
  useLeaveWarning(state.closingLosesText);
  return (
    <>
      <div className={styles['saving']}>
        <SaveStatusText />
        <Conflicts />
        {status === 'waiting' && (
          <>
            <Button kind="primary" size="small" onPress={() => engine.update()}>
              <Trans>Publish changes</Trans>
            </Button>
            <Button kind="quiet" size="small" onPress={discard}>
              <Trans>Discard changes</Trans>
            </Button>
          </>
        )}
        {mayTryAgain && (
          <Button size="small" onPress={() => engine.tryAgain()}>
            <Trans>Try now</Trans>
          </Button>
        )}
        <EpisodeMenu />
      </div>
      {storageProblem !== undefined && (
        <Notice tone="warn">
          {storageProblem === 'full' ? (
            <Trans>
              This browser’s storage is full, so it isn’t keeping a copy of what you type. Don’t
              close this tab until it says “Saved”.
            </Trans>
          ) : (
            <Trans>
              This browser isn’t keeping a copy of what you type. Don’t close this tab until it says
              “Saved”.
            </Trans>
          )}
        </Notice>
      )}
    </>
  );
}

/** Discards the changes of a public episode; its message brings them back. */
function useDiscard(): () => void {
  const { t } = useLingui();
  const { engine } = useEditing();
  return () => {
    const { values, base } = engine.state;
    engine.edit(base);
    showMessage({
      text: t`Your changes were discarded.`,
      action: { label: t`Undo`, act: () => engine.edit(values) },
    });
  };
}

const icons: Readonly<Record<SaveStatus, LucideIcon>> = {
  saved: Check,
  unsaved: LoaderCircle,
  saving: LoaderCircle,
  paused: CloudOff,
  waiting: HardDrive,
  overlapping: CircleAlert,
  refused: CircleAlert,
  'signed-out': HardDrive,
  forbidden: CircleAlert,
  gone: CircleAlert,
};

/** Whether the shown values are saved, in words. Screen readers announce changes. */
function SaveStatusText() {
  const { t } = useLingui();
  const { state } = useEditing();
  const { status, storageProblem } = state;
  const kept = storageProblem === undefined;
  const words: Readonly<Record<SaveStatus, string>> = {
    saved: t`Saved`,
    unsaved: t`Saving…`,
    saving: t`Saving…`,
    paused: t`Paused, will continue`,
    waiting: kept ? t`Unpublished changes` : t`Not saved yet`,
    overlapping: t`Conflicting changes`,
    refused: t`Not saved: check the marked fields`,
    'signed-out': kept ? t`Kept in this browser` : t`Not saved yet`,
    forbidden: t`You can no longer edit this episode. Your text is kept in this browser.`,
    gone: t`This episode was deleted. Your text is kept in this browser.`,
  };
  const Icon = icons[status];
  return (
    <span role="status" className={styles['state']} data-status={status}>
      <Icon size={16} aria-hidden="true" />
      {words[status]}
    </span>
  );
}

function useMenuActions() {
  const { t } = useLingui();
  const { engine, episode, values } = useEditing();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { id, podcast_id: podcastId } = episode;

  const showStatistics = () =>
    navigate({
      to: '/shows/$podcastId/statistics/episodes/$episodeId',
      params: { podcastId, episodeId: id },
    });

  async function duplicate() {
    const copy = await duplicateEpisode(id);
    void queries.invalidateQueries({ queryKey: ['episodes'] });
    showMessage({ text: t`You’re now editing the copy.` });
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

  return { showStatistics, duplicate, remove };
}

/** Actions on the whole episode, apart from those that publish it or take that back. */
function EpisodeMenu() {
  const { t } = useLingui();
  const { episode, values } = useEditing();
  const { podcast_id: podcastId, links, may } = episode;
  const ofShow = useShow(podcastId)?.may;
  const { showStatistics, duplicate, remove } = useMenuActions();
  const { archive } = useStatus();
  const names = useStatusActionNames()(episode.status);
  const actions: readonly MenuAction[] = [
    ...(episode.status === 'published'
      ? [
          {
            id: 'page',
            label: t`View public page`,
            icon: <ExternalLink size={16} aria-hidden="true" />,
            act: () => void window.open(links.listen, '_blank', 'noopener'),
          },
        ]
      : []),
    ...(ofShow?.analytics === true && episode.status === 'published'
      ? [
          {
            id: 'statistics',
            label: t`Statistics`,
            icon: <ChartLine size={16} aria-hidden="true" />,
            act: () => void showStatistics(),
          },
        ]
      : []),
    ...(ofShow?.create_episodes === true
      ? [
          {
            id: 'duplicate',
            label: t`Duplicate`,
            icon: <Copy size={16} aria-hidden="true" />,
            act: () => void duplicate(),
          },
        ]
      : []),
    ...(may.publish && mayDo('archive', episode)
      ? [
          {
            id: 'archive',
            label: names.archive,
            icon: <Archive size={16} aria-hidden="true" />,
            act: () => void archive(),
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
      label={t`More actions for ${values.title}`}
      trigger={<Ellipsis size={20} aria-hidden="true" />}
      actions={actions}
    />
  );
}
