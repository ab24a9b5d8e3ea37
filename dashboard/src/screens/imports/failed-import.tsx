import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { maxChars } from '../../../../server/src/lib/limits.ts';
import { hasReason, problemOf } from '../../api/errors.ts';
import {
  confirmFeedCode,
  type Import,
  importQuery,
  resumeImport,
  sendFeedCode,
} from '../../api/imports.ts';
import { Button } from '../../components/button.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { Form } from '../../components/form.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { LocalMoment } from '../../components/moment.tsx';
import { Notice } from '../../components/notice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { UnsentEmails } from '../../components/unsent-emails.tsx';
import { importFailures } from '../../sentences/import-words.ts';
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
          <Trans>The import was cancelled. What was imported so far stays.</Trans>
        </Notice>
      )}
      {resume.isError && (
        <Notice tone="bad">
          <FailureText error={resume.error} />
        </Notice>
      )}
      <div className={styles['row']}>
        {one.may_resume && (
          <Button kind="primary" isPending={resume.isPending} onPress={() => resume.mutate()}>
            {one.state === 'cancelled' ? t`Continue` : t`Try again`}
          </Button>
        )}
        <LinkButton to="/imports/new" search={{ url: url ?? undefined }}>
          <Trans>Change URL or options</Trans>
        </LinkButton>
      </div>
    </>
  );
}

interface Props {
  readonly url: string;
  /** The feed may be imported from now on. */
  readonly onProved: () => void;
}

/** For a locked feed: its owner confirms the import with a code from an email. */
function FeedProof({ url, onProved }: Props) {
  const { t } = useLingui();
  const [code, setCode] = useState('');
  const send = useMutation({
    mutationFn: () => sendFeedCode(url),
    onError: (error) => hasReason(error, 'already_proved') && onProved(),
  });
  const sent = send.data;
  const confirm = useMutation({
    mutationFn: () => confirmFeedCode(sent?.id ?? '', code),
    onSuccess: onProved,
  });
  return (
    <section className={styles['panel']}>
      <h2>
        <Trans>Is this show yours?</Trans>
      </h2>
      <p>
        <Trans>
          The feed’s owner has locked it so that nobody else can take over the show. Unlock it at
          its current host, or prove that it’s yours: we’ll send a code to the email address in the
          feed.
        </Trans>
      </p>
      {send.isError && (
        <Notice tone="bad">
          <FailureText error={send.error} />
        </Notice>
      )}
      {sent === undefined ? (
        <div className={styles['row']}>
          <Button kind="primary" isPending={send.isPending} onPress={() => send.mutate()}>
            {t`Send code`}
          </Button>
          <Button onPress={onProved}>{t`I’ve unlocked it: check again`}</Button>
        </div>
      ) : (
        <Form
          onSubmit={confirm.mutate}
          submit={t`Confirm`}
          isPending={confirm.isPending}
          error={confirm.error}
          fields={['code']}
          beside={
            <Button kind="quiet" isPending={send.isPending} onPress={() => send.mutate()}>
              {t`Send another code`}
            </Button>
          }
        >
          <p>
            <Trans>
              We sent a code to <strong>{sent.sent_to}</strong>. It’s valid until{' '}
              <LocalMoment of={sent.expires_at} />.
            </Trans>
          </p>
          <UnsentEmails />
          <TextField
            label={t`Code`}
            value={code}
            onChange={setCode}
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
            maxLength={maxChars.feedCode}
            problem={problemOf(confirm.error, 'code')}
          />
        </Form>
      )}
    </section>
  );
}
