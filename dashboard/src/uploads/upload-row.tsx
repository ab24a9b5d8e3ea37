import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { FailureText } from '../components/failure-text.tsx';
import { formatBytes } from '../lib/format.ts';
import { FileButton } from './file-button.tsx';
import { LeftOutText } from './left-out-text.tsx';
import { isFileRefused } from './next-step.ts';
import type { UploadItem } from './upload-item.ts';
import type { UploadQueue } from './upload-queue.ts';
import styles from './uploads.module.css';

interface Props {
  readonly item: UploadItem;
  readonly queue: UploadQueue;
  readonly accept: string;
  /** What is sent of a file that is chosen, if it is not the file itself. */
  readonly prepare?: (file: File) => Promise<File | undefined>;
}

/** One file: its name, how far it has come, what is the matter, and what can be done. */
export function UploadRow({ item, queue, accept, prepare }: Props) {
  const { t } = useLingui();
  const { id, filename, sentBytes, sizeBytes, state } = item;
  const [isOther, setOther] = useState(false);
  const isProvided = async (file: File) => {
    if (await queue.provide(id, file)) return true;
    const prepared = await prepare?.(file);
    return prepared !== undefined && (await queue.provide(id, prepared));
  };
  const goOn = async (file: File | undefined) => {
    if (file !== undefined) setOther(!(await isProvided(file)));
  };
  const isOver = state.kind === 'ready' || state.kind === 'failed';
  return (
    <div className={styles['row']}>
      <p className={styles['name']}>{filename}</p>
      {!isOver && (
        <progress
          className={styles['progress']}
          aria-label={t`Upload progress: ${filename}`}
          max={sizeBytes}
          // The server looks at the file for a time that nobody knows.
          {...(state.kind === 'checking' ? {} : { value: sentBytes })}
        />
      )}
      <p className="meta" role="status">
        <StateText item={item} />
      </p>
      {isOther && (
        <p className={styles['problem']} role="alert">
          <Trans>This is a different file. Choose the one you were uploading, or cancel.</Trans>
        </p>
      )}
      <div className={styles['actions']}>
        {state.kind === 'file_needed' && (
          <FileButton label={t`Choose the file again`} accept={accept} onFile={goOn} />
        )}
        {state.kind === 'failed' && !isFileRefused(state.error) && (
          <Button size="small" onPress={() => queue.retry(id)}>
            <Trans>Try again</Trans>
          </Button>
        )}
        {state.kind === 'ready' ? null : state.kind === 'failed' ? (
          <Button size="small" kind="quiet" onPress={() => queue.cancel(id)}>
            <Trans>Remove</Trans>
          </Button>
        ) : (
          <Button size="small" kind="quiet" onPress={() => queue.cancel(id)}>
            <Trans>Cancel</Trans>
          </Button>
        )}
      </div>
    </div>
  );
}

function StateText({ item: { state, sentBytes, sizeBytes } }: { readonly item: UploadItem }) {
  const [sent, total] = [formatBytes(sentBytes), formatBytes(sizeBytes)];
  switch (state.kind) {
    case 'waiting':
      return <Trans>Waiting for the other uploads to finish.</Trans>;
    case 'sending':
      return (
        <Trans>
          Uploading: {sent} of {total}
        </Trans>
      );
    case 'paused':
      return state.reason === 'signed_out' ? (
        <Trans>Paused until you sign in again.</Trans>
      ) : (
        <Trans>Paused until we can reach the server.</Trans>
      );
    case 'file_needed':
      return <Trans>The page was closed. Choose the file again to continue.</Trans>;
    case 'checking':
      return <Trans>Uploaded. The server is checking the file.</Trans>;
    case 'ready':
      return (
        <>
          <Trans>Ready</Trans> <LeftOutText leftOut={state.result.leftOut} />
        </>
      );
    case 'failed':
      return (
        <>
          <FailureText error={state.error} />
          {isFileRefused(state.error) && (
            <>
              {' '}
              <Trans>Choose another file, or a new version of this one.</Trans>
            </>
          )}
        </>
      );
  }
}
