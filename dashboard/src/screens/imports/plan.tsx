import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  type Import,
  type ImportReport,
  importsQuery,
  type PlannedItem,
  requestImport,
} from '../../api/imports.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { Table } from '../../components/table.tsx';
import { formatBytes } from '../../lib/format.ts';
import { Counts } from './counts.tsx';
import styles from './imports.module.css';
import { Remarks } from './remarks.tsx';

interface Props {
  readonly of: Import;
  readonly report: ImportReport;
}

/** What an import would do, and the button that does it. */
export function Plan({ of: one, report }: Props) {
  const { podcast, audio } = report;
  const size = formatBytes(audio.bytes);
  return (
    <>
      <section className={styles['panel']}>
        <p>
          {podcast.id === null ? (
            <Trans>
              This creates a new show, <strong dir="auto">{podcast.title}</strong>, with the URL
              slug <code>{podcast.slug}</code>.
            </Trans>
          ) : (
            <Trans>
              This updates your show <strong dir="auto">{podcast.title}</strong> (
              <code>{podcast.slug}</code>).
            </Trans>
          )}
        </p>
        <p>
          {!one.copy_audio && <Trans>The audio stays at the old host.</Trans>}
          {one.copy_audio && audio.files > 0 && (
            <Plural
              value={audio.files}
              one={`# audio file will be copied, about ${size}.`}
              other={`# audio files will be copied, about ${size}.`}
            />
          )}
        </p>
      </section>
      <Counts of={report} />
      <Start of={one} report={report} />
      <Remarks of={report} />
      <PlannedItems of={report.changes} />
    </>
  );
}

function Start({ of: one, report: { podcast, created, updated } }: Props) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const url = one.url ?? '';
  const start = useMutation({
    mutationFn: () =>
      requestImport({
        url,
        ...(podcast.id === null ? { slug: podcast.slug } : { into: podcast.slug }),
        copy_audio: one.copy_audio,
        overwrite: one.overwrite,
        dry_run: false,
      }),
    async onSuccess({ id }) {
      void queries.invalidateQueries({ queryKey: importsQuery.queryKey });
      await navigate({ to: '/imports/$importId', params: { importId: id } });
    },
  });
  const isNothing = created + updated === 0 && podcast.outcome === 'unchanged';
  return (
    <>
      {start.isError && (
        <Notice tone="bad">
          <FailureText error={start.error} />
        </Notice>
      )}
      {isNothing && (
        <Notice tone="good">
          <Trans>Everything in this feed is already here.</Trans>
        </Notice>
      )}
      <div className={styles['row']}>
        <Button
          kind={isNothing ? 'plain' : 'primary'}
          isPending={start.isPending}
          onPress={() => start.mutate()}
        >
          {t`Import`}
        </Button>
        <LinkButton to="/imports/new" search={{ url }} kind="quiet">
          <Trans>Change options</Trans>
        </LinkButton>
      </div>
    </>
  );
}

const step = 20;

/** Each episode that would be new or change. */
function PlannedItems({ of: items }: { readonly of: readonly PlannedItem[] }) {
  const { t } = useLingui();
  const [shown, setShown] = useState(step);
  if (items.length === 0) return null;
  return (
    <section>
      <h2 className={styles['heading']}>
        <Trans>Episodes</Trans>
      </h2>
      <Table
        label={t`Episodes`}
        head={[t`Episode`, t`What happens`]}
        rows={items.slice(0, shown).map(({ guid, title, outcome, changes }) => ({
          key: `${guid} ${title}`,
          cells: [
            <bdi key="title">{title ?? guid ?? t`Untitled`}</bdi>,
            outcome === 'created' ? (
              <Badge key="new" tone="good">{t`New`}</Badge>
            ) : (
              <span key="changed">
                <Badge tone="info">{t`Changes`}</Badge>{' '}
                {changes.map(({ field }) => field).join(', ')}
              </span>
            ),
          ],
        }))}
      />
      {shown < items.length && (
        <Button onPress={() => setShown(shown + step * 10)}>{t`Show more`}</Button>
      )}
    </section>
  );
}
