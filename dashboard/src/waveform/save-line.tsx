import { Trans } from '@lingui/react/macro';
import { useEffect, useSyncExternalStore } from 'react';
import { Button } from '../components/button.tsx';
import { FailureText } from '../components/failure-text.tsx';
import { Notice } from '../components/notice.tsx';
import type { Saver } from './saver.ts';
import styles from './waveform.module.css';

interface Props<T> {
  readonly saver: Saver<T>;
  /** Changes wait for the button: what one edits is public. */
  readonly waits: boolean;
  /** Why it cannot be saved as it is. */
  readonly problem?: string | undefined;
  /** Takes what somebody else has saved. */
  readonly onReload: () => void;
}

/** Whether everything is saved, and what to do if it is not. */
export function SaveLine<T>({ saver, waits, problem, onReload }: Props<T>) {
  const { status, error } = useSyncExternalStore(saver.subscribe, () => saver.state);
  const isUnsaved = status !== 'saved' && status !== 'untouched';
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isUnsaved]);
  if (status === 'conflict') return <Conflict saver={saver} onReload={onReload} />;
  if (status === 'failed') {
    return (
      <Notice
        tone="bad"
        action={
          <Button size="small" onPress={() => saver.save()}>
            <Trans>Try again</Trans>
          </Button>
        }
      >
        <Trans>Not saved.</Trans> <FailureText error={error} />
      </Notice>
    );
  }
  return (
    <div className={styles['save']} role="status">
      {problem !== undefined && isUnsaved && <span className={styles['problem']}>{problem}</span>}
      {waits && isUnsaved && (
        <Button
          kind="primary"
          isPending={status === 'saving'}
          isDisabled={problem !== undefined}
          onPress={() => saver.save()}
        >
          <Trans>Save</Trans>
        </Button>
      )}
      <span className="meta">
        {status === 'saved' && <Trans>Everything here is saved</Trans>}
        {status === 'saving' && <Trans>Saving…</Trans>}
        {status === 'unsaved' && <Trans>Not saved yet</Trans>}
      </span>
    </div>
  );
}

function Conflict<T>({ saver, onReload }: Pick<Props<T>, 'saver' | 'onReload'>) {
  return (
    <Notice tone="warn">
      <p>
        <Trans>Somebody else has changed this meanwhile. Nothing of yours is lost yet.</Trans>
      </p>
      <div className={styles['save']}>
        <Button size="small" onPress={() => saver.overwrite()}>
          <Trans>Keep mine</Trans>
        </Button>
        <Button size="small" onPress={onReload}>
          <Trans>Take theirs</Trans>
        </Button>
      </div>
    </Notice>
  );
}
