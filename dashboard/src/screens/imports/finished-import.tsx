import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { type Import, type ImportReport, importsQuery, requestImport } from '../../api/imports.ts';
import { Button } from '../../components/button.tsx';
import { CopyField } from '../../components/copy-field.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { formatBytes } from '../../lib/format.ts';
import { Counts } from './counts.tsx';
import styles from './imports.module.css';
import { Remarks } from './remarks.tsx';

interface Props {
  readonly of: Import;
  readonly report: ImportReport;
}

/** The result of an import, and the remaining steps. */
export function FinishedImport({ of: one, report }: Props) {
  const queries = useQueryClient();
  // The show may be new, and its episodes have changed.
  useEffect(() => {
    for (const queryKey of [['podcasts'], ['home'], ['episodes']]) {
      void queries.invalidateQueries({ queryKey });
    }
  }, [queries]);
  const { audio, failed } = report;
  const size = formatBytes(audio.bytes);
  const podcastId = one.podcast?.id;
  return (
    <>
      <Counts of={report} />
      {audio.files > 0 && (
        <p className={styles['copied']}>
          <Plural
            value={audio.files}
            one={`# audio file was copied, ${size}.`}
            other={`# audio files were copied, ${size}.`}
          />
        </p>
      )}
      {failed > 0 && <NeedPeople of={one} failed={failed} />}
      {podcastId !== undefined && (
        <div className={styles['row']}>
          <LinkButton to="/shows/$podcastId/episodes" params={{ podcastId }} kind="primary">
            <Trans>Go to episodes</Trans>
          </LinkButton>
        </div>
      )}
      <NextSteps of={one} />
      <Remarks of={report} />
    </>
  );
}

/** Episodes without audio, or left out: what to do about them. */
function NeedPeople({ of: one, failed }: { readonly of: Import; readonly failed: number }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const again = useMutation({
    mutationFn: () =>
      requestImport({
        url: one.url ?? '',
        ...(one.podcast !== null && { into: one.podcast.slug }),
        copy_audio: true,
        overwrite: false,
        dry_run: false,
      }),
    async onSuccess({ id }) {
      void queries.invalidateQueries({ queryKey: importsQuery.queryKey });
      await navigate({ to: '/imports/$importId', params: { importId: id } });
    },
  });
  const podcastId = one.podcast?.id;
  return (
    <Notice
      tone="warn"
      action={
        <>
          {podcastId !== undefined && (
            <LinkButton
              to="/shows/$podcastId/episodes"
              params={{ podcastId }}
              search={{ status: 'pending_confirmation' }}
              size="small"
            >
              <Trans>Show them</Trans>
            </LinkButton>
          )}
          <Button size="small" isPending={again.isPending} onPress={() => again.mutate()}>
            {t`Retry`}
          </Button>
        </>
      }
    >
      <Plural
        value={failed}
        one="# episode needs your attention. It stays hidden until you fix the problem below."
        other="# episodes need your attention. They stay hidden until you fix the problems below."
      />
      {again.isError && (
        <p>
          <FailureText error={again.error} />
        </p>
      )}
    </Notice>
  );
}

/** The steps to take at the old host, in order. */
function NextSteps({ of: one }: { readonly of: Import }) {
  const { t } = useLingui();
  if (one.podcast === null) return null;
  const feed = `${window.location.origin}/feeds/${one.podcast.slug}.xml`;
  return (
    <section className={styles['panel']}>
      <h2>
        <Trans>What to do at the old host</Trans>
      </h2>
      <CopyField label={t`New feed URL`} value={feed} />
      <ol className={styles['list']}>
        {!one.copy_audio && (
          <li>
            <Trans>
              The audio is still there. Before you close your account, import again with the option
              to copy it.
            </Trans>
          </li>
        )}
        <li>
          <Trans>Redirect the old feed to the new one, with status 301.</Trans>
        </li>
        <li>
          <Trans>
            If the old host can’t do that, add an <code>itunes:new-feed-url</code> element with the
            new URL to the old feed.
          </Trans>
        </li>
        <li>
          <Trans>Keep the redirect and the old account for at least four weeks.</Trans>
        </li>
        <li>
          <Trans>Enter the new URL in directories that don’t follow redirects.</Trans>
        </li>
        <li>
          <Trans>
            For Apple Podcasts, you can{' '}
            <Link to="/shows/$podcastId/show/moving" params={{ podcastId: one.podcast.id }}>
              confirm the new URL
            </Link>{' '}
            in the feed here.
          </Trans>
        </li>
      </ol>
    </section>
  );
}
