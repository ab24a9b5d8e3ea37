import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Import, importQuery, resumeImport } from '../../api/imports.ts';
import { Button } from '../../components/button.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { importFailures } from '../../sentences/import-words.ts';
import { FeedProof } from './feed-proof.tsx';
import styles from './imports.module.css';
import { ServerMessage } from './server-message.tsx';

/** Why an import failed, and how to continue. */
export function FailedImport({ of: one }: { readonly of: Import }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const resume = useMutation({
    mutationFn: () => resumeImport(one.id),
    onSuccess: (running) => queries.setQueryData(importQuery(one.id).queryKey, running),
  });
  const { error, url } = one;
  if (error?.reason === 'feed_locked' && url !== null) {
    return <FeedProof url={url} onProved={resume.mutate} />;
  }
  return (
    <>
      {error !== null && (
        <Notice tone="bad">
          <ServerMessage words={importFailures} {...error} />
        </Notice>
      )}
      {one.state === 'cancelled' && (
        <Notice tone="warn">
          <Trans>It was cancelled. What it has imported stays.</Trans>
        </Notice>
      )}
      {resume.isError && (
        <Notice tone="bad">
          <FailureText error={resume.error} />
        </Notice>
      )}
      <div className={styles['row']}>
        <Button kind="primary" isPending={resume.isPending} onPress={() => resume.mutate()}>
          {one.state === 'cancelled' ? t`Go on` : t`Try again`}
        </Button>
        <LinkButton to="/imports/new" search={{ url: url ?? undefined }}>
          <Trans>Change the address or the options</Trans>
        </LinkButton>
      </div>
    </>
  );
}
