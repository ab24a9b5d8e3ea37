import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { importPlatformFile, type PlatformSource } from '../../api/platforms.ts';
import { Button } from '../../components/button.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { Notice } from '../../components/notice.tsx';

interface Props {
  readonly podcastId: string;
  readonly source: PlatformSource;
}

/** A field for a CSV file, whose figures replace the previous ones. */
export function ImportFile({ podcastId, source }: Props) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  const client = useQueryClient();
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
          if (file !== undefined) mutate(file);
          // The same file may be chosen again after it was corrected.
          target.value = '';
        }}
      />
      <Button isPending={isPending} onPress={() => input.current?.click()}>
        {isPending ? <Trans>Importing…</Trans> : <Trans>Import a CSV file</Trans>}
      </Button>
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
