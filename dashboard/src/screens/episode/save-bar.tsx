import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { showMessage } from '../../components/toasts.ts';
import { useLeaveWarning } from '../../lib/use-leave-warning.ts';
import { useShortcut } from '../../lib/use-shortcut.ts';
import { Conflicts } from './conflicts.tsx';
import { useEditing } from './editing.ts';
import styles from './episode.module.css';
import { EpisodeMenu } from './episode-menu.tsx';
import { SaveStatusText } from './save-status.tsx';

/** Whether the shown values are saved; always visible. */
export function SaveBar() {
  const { engine, state } = useEditing();
  const { status, mayTryAgain, storageProblem } = state;
  const discard = useDiscard();
  // Ctrl-S must not save the page as a file. A public episode is not updated by it.
  useShortcut('s', () => void engine.flush());
  useLeaveWarning(state.dirty && storageProblem !== undefined);
  return (
    <>
      <div className={styles['saving']}>
        <SaveStatusText />
        <Conflicts />
        {status === 'waiting' && (
          <>
            <Button kind="primary" size="small" onPress={() => engine.update()}>
              <Trans>Update the public episode</Trans>
            </Button>
            <Button kind="quiet" size="small" onPress={discard}>
              <Trans>Discard my changes</Trans>
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
              The storage of this browser is full, so it keeps no copy of what you type. Do not
              close this tab before it says “Saved”.
            </Trans>
          ) : (
            <Trans>
              This browser keeps no copy of what you type. Do not close this tab before it says
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
      text: t`Your changes are discarded.`,
      action: { label: t`Undo`, act: () => engine.edit(values) },
    });
  };
}
