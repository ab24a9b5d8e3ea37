import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { problemOf } from '../../api/errors.ts';
import { meQuery } from '../../api/me.ts';
import { changeShowStatus, deleteShow, type ShowSettings } from '../../api/show-settings.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { Form } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { PasswordAgain } from '../../components/password-again.tsx';
import { Section } from '../../components/section.tsx';
import { TextField } from '../../components/text-field.tsx';
import { showMessage } from '../../components/toasts.ts';
import { ShowPage } from './show-page.tsx';
import { useShowWrite } from './use-show-write.ts';

/** Pauses or deletes a show. */
export function End() {
  const { t } = useLingui();
  return (
    <ShowPage title={t`Pause or delete`} needs={({ pause }) => pause}>
      {(show) => (
        <>
          <Section
            title={t`Pause`}
            about={
              <Trans>
                A paused show’s pages and players say that it’s taking a break. Its feed doesn’t
                change, so you keep your subscribers and they can still play earlier episodes.
              </Trans>
            }
          >
            <Pause show={show} />
          </Section>
          {show.may.delete && (
            <Section
              title={t`Delete`}
              about={
                <Trans>
                  Permanently deletes the show with all its episodes, files and statistics. Its URLs
                  will never be given to another show. Download the show first if you want to keep a
                  copy.
                </Trans>
              }
            >
              <Delete show={show} />
            </Section>
          )}
        </>
      )}
    </ShowPage>
  );
}

function Pause({ show }: { readonly show: ShowSettings }) {
  const { t } = useLingui();
  const mayPause = show.may_become.includes('paused');
  // The end of a move is offered beside its address.
  const mayPublish = show.status !== 'moved' && show.may_become.includes('active');
  const [isAsking, setAsking] = useState(false);
  const change = useShowWrite(show, {
    write: (revision) =>
      mayPause
        ? changeShowStatus.pause(show.id, revision)
        : changeShowStatus.resume(show.id, revision),
    parts: () => ['status'],
    onSuccess({ status }) {
      setAsking(false);
      showMessage({ text: status === 'paused' ? t`The show is paused.` : t`The show is public.` });
    },
  });
  return (
    <>
      {change.error !== null && !isAsking && (
        <Notice tone="bad">
          <FailureText error={change.error} />
        </Notice>
      )}
      <StatusWords show={show} />
      {mayPause && <Button onPress={() => setAsking(true)}>{t`Pause show…`}</Button>}
      {mayPublish && (
        <Button onPress={change.save} isPending={change.isPending}>
          {show.status === 'draft' ? t`Publish show` : t`Resume`}
        </Button>
      )}
      <ConfirmDialog
        isOpen={isAsking && mayPause}
        onClose={() => setAsking(false)}
        title={t`Pause “${show.title}”?`}
        action={t`Pause`}
        onConfirm={change.save}
        isPending={change.isPending}
        error={change.error}
      >
        <ul>
          <li>
            <Trans>
              Listen pages and players on other websites show the title and cover, and say “
              {show.title} is taking a break”.
            </Trans>
          </li>
          <li>
            <Trans>The feed stays online. Podcast apps can still play earlier episodes.</Trans>
          </li>
          <li>
            <Trans>New episodes won’t appear anywhere until you resume the show.</Trans>
          </li>
        </ul>
      </ConfirmDialog>
    </>
  );
}

function StatusWords({ show: { status } }: { readonly show: ShowSettings }) {
  switch (status) {
    case 'active':
      return (
        <p>
          <Trans>The show is public.</Trans>
        </p>
      );
    case 'paused':
      return (
        <p>
          <Trans>The show is paused.</Trans>
        </p>
      );
    case 'draft':
      return (
        <p>
          <Trans>The show is a draft: only its team can see it.</Trans>
        </p>
      );
    case 'moved':
      return (
        <p>
          <Trans>The show has moved. End the move before you pause it.</Trans>
        </p>
      );
    default:
      return (
        <p>
          <Trans>The show can’t be paused while it’s suspended.</Trans>
        </p>
      );
  }
}

function Delete({ show }: { readonly show: ShowSettings }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const me = useQuery(meQuery);
  const [slug, setSlug] = useState('');
  const [password, setPassword] = useState('');
  const remove = useMutation({
    mutationFn: () => deleteShow(show.id, show.revision, { slug, current_password: password }),
    async onSuccess() {
      const { title } = show;
      showMessage({ text: t`${title} was deleted.` });
      await navigate({ to: '/' });
      queries.removeQueries({ queryKey: ['show', show.id] });
      await queries.invalidateQueries();
    },
  });
  return (
    <Form
      onSubmit={remove.mutate}
      submit={t`Delete permanently`}
      kind="danger"
      isPending={remove.isPending}
      error={remove.error}
      fields={['slug', 'current_password']}
    >
      <TextField
        label={t`Type ${show.slug} to confirm`}
        value={slug}
        onChange={setSlug}
        autoComplete="off"
        problem={problemOf(remove.error, 'slug')}
      />
      <PasswordAgain
        email={me.data?.user.email ?? ''}
        value={password}
        onChange={setPassword}
        problem={problemOf(remove.error, 'current_password')}
      />
    </Form>
  );
}
