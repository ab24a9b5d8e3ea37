import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { deleteAccount } from '../../api/account.ts';
import { hasReason, problemOf } from '../../api/errors.ts';
import { meQuery } from '../../api/me.ts';
import { allMyPodcastsQuery, type MyPodcast } from '../../api/podcasts.ts';
import { Card, Cards } from '../../components/card.tsx';
import { Form } from '../../components/form.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { PasswordAgain } from '../../components/password-again.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Section } from '../../components/section.tsx';
import { draftStore } from '../../editor/open-engine.ts';
import { forgetApp } from '../../offline/keep-app.ts';
import { createItemStore } from '../../uploads/item-store.ts';
import { DataCopy } from './data-copy.tsx';
import styles from './settings.module.css';

/** Deletes the account. Owners of shows must decide about these first. */
export function Deletion() {
  const { t } = useLingui();
  // Somebody may have accepted the offer of a show just now.
  const podcasts = useQuery({ ...allMyPodcastsQuery, staleTime: 0 });
  return (
    <Page title={t`Delete account`}>
      <p className={styles['lead']}>
        <Trans>
          Your account is deleted immediately and permanently. You’re signed out everywhere, your
          API keys and connected sites stop working, and you leave every team. Other people’s shows
          stay as they are. We’ll confirm the deletion by email.
        </Trans>
      </p>
      <DataCopy title={t`Download your data first`} />
      <QueryView query={podcasts}>
        {(list) => {
          const owned = list.filter((show) => show.is_own);
          return owned.length > 0 ? <OwnedShows shows={owned} /> : <Delete />;
        }}
      </QueryView>
    </Page>
  );
}

function Delete() {
  const { t } = useLingui();
  const queries = useQueryClient();
  const me = useQuery(meQuery);
  const [password, setPassword] = useState('');
  const end = useMutation({
    mutationFn: () => deleteAccount(password),
    async onSuccess() {
      await forgetPerson(me.data?.user.id ?? '');
      window.location.assign('/app/sign-in');
    },
    async onError(error) {
      if (!hasReason(error, 'owns_shows')) return;
      await queries.invalidateQueries({ queryKey: ['podcasts'] });
    },
  });
  return (
    <Section title={t`Delete`} about={<Trans>A deleted account can’t be restored.</Trans>}>
      <Form
        onSubmit={end.mutate}
        submit={t`Delete my account permanently`}
        kind="danger"
        isPending={end.isPending}
        error={end.error}
        fields={['current_password']}
      >
        <PasswordAgain
          email={me.data?.user.email ?? ''}
          value={password}
          onChange={setPassword}
          problem={problemOf(end.error, 'current_password')}
        />
      </Form>
    </Section>
  );
}

/** Leaves nothing of them in this browser. What it doesn't let go must not keep them on this page. */
async function forgetPerson(userId: string): Promise<void> {
  await Promise.allSettled([forgetApp(), draftStore.removeAll(userId)]);
  const uploads = createItemStore(localStorage, userId);
  for (const { id } of uploads.list()) uploads.remove(id);
}

/**
 * The shows that prevent the deletion of the account, with ways to hand them over or delete them.
 */
function OwnedShows({ shows }: { readonly shows: readonly MyPodcast[] }) {
  const { t } = useLingui();
  return (
    <Section
      title={t`Your shows`}
      about={
        <Trans>
          If you transfer a show, it moves when the new owner accepts. If you delete a show, its
          episodes, files and statistics are deleted too.
        </Trans>
      }
    >
      <Notice tone="warn">
        <Trans>
          You own shows. Transfer or delete each of them before you delete your account.
        </Trans>
      </Notice>
      <Cards label={t`Your shows`}>
        {shows.map(({ id, title }) => (
          <Card
            key={id}
            level={3}
            title={title}
            actions={
              <>
                <LinkButton
                  size="small"
                  to="/shows/$podcastId/team"
                  params={{ podcastId: id }}
                  aria-label={t`Transfer: ${title}`}
                >
                  {t`Transfer`}
                </LinkButton>
                <LinkButton
                  size="small"
                  to="/shows/$podcastId/show/end"
                  params={{ podcastId: id }}
                  aria-label={t`Delete: ${title}`}
                >
                  {t`Delete`}
                </LinkButton>
              </>
            }
          />
        ))}
      </Cards>
    </Section>
  );
}
