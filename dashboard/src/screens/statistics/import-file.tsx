import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import {
  importPlatformFile,
  type PlatformFigures,
  type PlatformSource,
} from '../../api/platforms.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { Notice } from '../../components/notice.tsx';
import { Replaced } from './replaced.tsx';

interface Props {
  readonly podcastId: string;
  readonly source: PlatformSource;
  /** Of the platform. */
  readonly name: string;
  /** What the file will replace. */
  readonly last: PlatformFigures;
}

/** A field for a CSV file, whose figures replace the previous ones. */
export function ImportFile({ podcastId, source, name, last }: Props) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  const client = useQueryClient();
  /** Waits until the person agrees that it replaces the last one. */
  const [waiting, setWaiting] = useState<File>();
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (file: File) => importPlatformFile(podcastId, source, file),
    onSuccess: () => client.invalidateQueries({ queryKey: ['platforms', podcastId, source] }),
  });
  const rest = data === undefined ? 0 : data.unmatched_count - data.unmatched.length;
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        hidden
        aria-label={t`CSV file`}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined && last.imported_at === null) mutate(file);
          else setWaiting(file);
          // The same file may be chosen again after it was corrected.
          target.value = '';
        }}
      />
      <Button isPending={isPending} onPress={() => input.current?.click()}>
        {isPending ? <Trans>Importing…</Trans> : <Trans>Import a CSV file</Trans>}
      </Button>
      <ConfirmDialog
        isOpen={waiting !== undefined}
        onClose={() => setWaiting(undefined)}
        title={t`Replace the figures of ${name}?`}
        action={t`Replace them`}
        isPending={false}
        error={null}
        onConfirm={() => {
          if (waiting !== undefined) mutate(waiting);
          setWaiting(undefined);
        }}
      >
        <Replaced last={last} fileName={waiting?.name ?? ''} />
      </ConfirmDialog>
      {error !== null && (
        <Notice tone="bad">
          <FailureText error={error} />
        </Notice>
      )}
      {data !== undefined && (
        <Notice tone={data.unmatched.length > 0 ? 'warn' : 'good'}>
          <Plural value={data.matched} one="# episode was found." other="# episodes were found." />{' '}
          {data.unmatched.length > 0 && (
            <Trans>No episode here has these titles: {data.unmatched.join(', ')}</Trans>
          )}{' '}
          {rest > 0 && <Plural value={rest} one="and one more" other="and # more" />}
        </Notice>
      )}
    </>
  );
}
