import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Check, Circle, CircleDot } from 'lucide-react';
import { cancelImport, type Import, importQuery, useLiveImport } from '../../api/imports.ts';
import { Button } from '../../components/button.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { ProgressBar } from '../../components/progress-bar.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { formatNumber } from '../../lib/format.ts';
import { FailedImport } from './failed-import.tsx';
import { FinishedImport } from './finished-import.tsx';
import { ImportState, phases, shortFeed, usePhaseWords } from './import-words.tsx';
import styles from './imports.module.css';
import { Plan } from './plan.tsx';

export function OneImport() {
  const { t } = useLingui();
  const { importId = '' } = useParams({ strict: false });
  const found = useLiveImport(importId);
  const title = found.data?.report?.podcast.title ?? found.data?.podcast?.title ?? t`Feed import`;
  return (
    <Page title={title} within={t`Imports`}>
      <QueryView query={found}>
        {(one) => (
          <>
            <p className={styles['address']}>
              {shortFeed(one.url)} <ImportState of={one} />
            </p>
            <Body of={one} />
          </>
        )}
      </QueryView>
    </Page>
  );
}

function Body({ of: one }: { readonly of: Import }) {
  if (one.state === 'running') return <RunningImport of={one} />;
  if (one.state !== 'finished' || one.report === null) return <FailedImport of={one} />;
  if (one.dry_run) return <Plan of={one} report={one.report} />;
  return <FinishedImport of={one} report={one.report} />;
}

/** How far an import has come, as it continues. */
function RunningImport({ of: one }: { readonly of: Import }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const words = usePhaseWords();
  const cancel = useMutation({
    mutationFn: () => cancelImport(one.id),
    onSuccess: (ended) => queries.setQueryData(importQuery(one.id).queryKey, ended),
  });
  const { phase, done, total, title } = one.progress;
  const counted =
    total === null ? formatNumber(done) : t`${formatNumber(done)} of ${formatNumber(total)}`;
  return (
    <section className={styles['panel']} aria-label={t`Progress`}>
      <ProgressBar label={words[phase] ?? phase} done={done} total={total} />
      <p className={styles['now']}>
        <span className={styles['title']} dir="auto">
          {title ?? words[phase] ?? phase}
        </span>
        <span>{(done > 0 || total !== null) && counted}</span>
      </p>
      {phase === 'queued' || phase === 'waiting' ? <p>{words[phase]}</p> : <Phases of={one} />}
      {cancel.isError && (
        <Notice tone="bad">
          <FailureText error={cancel.error} />
        </Notice>
      )}
      <p className={styles['muted']}>
        <Trans>
          You can close this window. The import continues, and you can come back to this page.
        </Trans>
      </p>
      {one.may_cancel && (
        <Button onPress={() => cancel.mutate()} isPending={cancel.isPending}>{t`Cancel`}</Button>
      )}
    </section>
  );
}

function Phases({ of: { progress, dry_run: isDry, copy_audio: copies } }: { readonly of: Import }) {
  const { t } = useLingui();
  const words = usePhaseWords();
  const shown = phases
    .filter((phase) => !isDry || phase === 'feed' || phase === 'episodes')
    .filter((phase) => copies || phase !== 'audio');
  const current = (shown as readonly string[]).indexOf(progress.phase);
  return (
    <ol className={styles['phases']} aria-label={t`Phases`}>
      {shown.map((phase, index) => {
        const isCurrent = index === current;
        return (
          <li key={phase} className={styles['phase']} aria-current={isCurrent ? 'step' : undefined}>
            {index < current ? (
              <Check size={18} className={styles['passed']} aria-label={t`Done`} />
            ) : isCurrent ? (
              <CircleDot size={18} aria-hidden="true" />
            ) : (
              <Circle size={18} aria-hidden="true" />
            )}
            {words[phase]}
          </li>
        );
      })}
    </ol>
  );
}
