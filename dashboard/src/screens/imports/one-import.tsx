import { useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { type Import, useLiveImport } from '../../api/imports.ts';
import { Page } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { FailedImport } from './failed-import.tsx';
import { FinishedImport } from './finished-import.tsx';
import { ImportState, shortFeed } from './import-words.tsx';
import styles from './imports.module.css';
import { Plan } from './plan.tsx';
import { RunningImport } from './running-import.tsx';

export function OneImport() {
  const { t } = useLingui();
  const { importId = '' } = useParams({ strict: false });
  const found = useLiveImport(importId);
  const title =
    found.data?.report?.podcast.title ?? found.data?.podcast?.title ?? t`Import of a feed`;
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
