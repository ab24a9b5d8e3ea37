import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import {
  checkPlatformFile,
  importPlatformFile,
  type PlatformFigures,
  type PlatformImportReport,
  type PlatformSource,
  platformQuery,
} from '../../api/platforms.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { Notice } from '../../components/notice.tsx';
import { formatDateTime } from '../../lib/format.ts';
import { formatDay } from '../../lib/format-days.ts';
import { readersZone } from '../../lib/time-zone.ts';
import { useMetrics } from './use-metrics.ts';

interface Props {
  readonly podcastId: string;
  readonly source: PlatformSource;
  /** Of the platform. */
  readonly name: string;
  /** Of the show, in the last import. */
  readonly metrics: PlatformFigures['show_metrics'];
}

interface Chosen {
  readonly file: File;
  /** What the file will replace. */
  readonly last: PlatformFigures;
}

/** A field for a CSV file, whose figures replace the previous ones. */
export function ImportFile({ podcastId, source, name, metrics }: Props) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  const client = useQueryClient();
  /** Waits until the person agrees that it replaces the last one. */
  const [waiting, setWaiting] = useState<Chosen>();
  const query = platformQuery(podcastId, source);
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: (file: File) => importPlatformFile(podcastId, source, file),
    onSuccess: () => client.invalidateQueries({ queryKey: query.queryKey }),
  });
  /**
   * Asks for the last import, because somebody else may have made it since the screen was loaded, and
   * checks the file before it may replace that.
   */
  const choice = useMutation({
    mutationFn: async (file: File) => {
      const { pages } = await client.fetchInfiniteQuery({ ...query, staleTime: 0 });
      const last = pages[0]?.data;
      if (last === undefined || last.imported_at === null) return { file, last: undefined };
      await checkPlatformFile(podcastId, source, file);
      return { file, last };
    },
    onSuccess({ file, last }) {
      if (last === undefined) mutate(file);
      else setWaiting({ file, last });
    },
  });
  const failure = choice.error ?? error;
  const label = choice.isPending ? t`Checking the file…` : t`Import a CSV file`;
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
          if (file !== undefined) {
            reset();
            choice.mutate(file);
          }
          // The same file may be chosen again after it was corrected.
          target.value = '';
        }}
      />
      <Button isPending={choice.isPending || isPending} onPress={() => input.current?.click()}>
        {isPending ? t`Importing…` : label}
      </Button>
      <ConfirmDialog
        isOpen={waiting !== undefined}
        onClose={() => setWaiting(undefined)}
        title={t`Replace the figures from ${name}?`}
        action={t`Replace`}
        isPending={false}
        error={null}
        onConfirm={() => {
          if (waiting !== undefined) mutate(waiting.file);
          setWaiting(undefined);
        }}
      >
        {waiting !== undefined && <Replaced last={waiting.last} fileName={waiting.file.name} />}
      </ConfirmDialog>
      {failure !== null && (
        <Notice tone="bad">
          <FailureText error={failure} />
        </Notice>
      )}
      {data !== undefined && (
        <Notice tone={data.unmatched.length > 0 ? 'warn' : 'good'}>
          {data.matched + data.unmatched_count > 0 ? (
            <Plural
              value={data.matched}
              one="# episode was found."
              other="# episodes were found."
            />
          ) : (
            <ShowFigures metrics={metrics} />
          )}{' '}
          {data.unmatched.length > 0 && (
            <Trans>No episodes here have these titles: {data.unmatched.join(', ')}</Trans>
          )}{' '}
          {rest > 0 && <Plural value={rest} one="and one more" other="and # more" />}{' '}
          {data.replaced !== null && <ReplacedImport {...data.replaced} />}
        </Notice>
      )}
    </>
  );
}

/** What a file without episodes has. */
function ShowFigures({ metrics }: Pick<Props, 'metrics'>) {
  const names = useMetrics(metrics)
    .map(({ label }) => label)
    .join(', ');
  return names === '' ? (
    <Trans>The file has no episodes and no figures for the show.</Trans>
  ) : (
    <Trans>Figures for the show were found: {names}. The file has no episodes.</Trans>
  );
}

interface ReplacedProps {
  readonly last: PlatformFigures;
  readonly fileName: string;
}

/** Which import is gone: while the person was asked, somebody else may have made one. */
function ReplacedImport({
  imported_at: importedAt,
  as_of: asOf,
}: NonNullable<PlatformImportReport['replaced']>) {
  const imported = formatDateTime(importedAt, readersZone());
  if (asOf === null) return <Trans>This replaced the figures imported on {imported}.</Trans>;
  const until = formatDay(asOf);
  return (
    <Trans>
      This replaced the figures imported on {imported}, which went up to {until}.
    </Trans>
  );
}

/** What is gone after the next import: all that the last one brought, whatever the new file has. */
function Replaced({ last, fileName }: ReplacedProps) {
  const metrics = useMetrics(last.show_metrics);
  const imported = last.imported_at === null ? '' : formatDateTime(last.imported_at, readersZone());
  const until = last.as_of === null ? undefined : formatDay(last.as_of);
  return (
    <>
      <p>
        {until === undefined ? (
          <Trans>
            {fileName} replaces everything imported on {imported}:
          </Trans>
        ) : (
          <Trans>
            {fileName} replaces everything imported on {imported}, with figures up to {until}:
          </Trans>
        )}
      </p>
      <ul>
        {metrics.length > 0 && (
          <li>
            <Trans>for the show: {metrics.map(({ label }) => label).join(', ')}</Trans>
          </li>
        )}
        {last.episodes.length > 0 && (
          <li>
            <Trans>the figures for each episode</Trans>
          </li>
        )}
      </ul>
      <p>
        <Trans>
          Figures missing from the new file are deleted. A followers file, for example, contains no
          episodes. Keep the file from the last import in case you want its figures back.
        </Trans>
      </p>
    </>
  );
}
