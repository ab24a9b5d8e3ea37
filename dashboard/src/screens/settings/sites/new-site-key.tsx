import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { siteRegistrationHours } from '../../../../../server/src/lib/limits.ts';
import { hasReason, problemOf } from '../../../api/errors.ts';
import { meQuery } from '../../../api/me.ts';
import {
  type ConnectableShow,
  connectableShowsQuery,
  createSiteKey,
  type SiteKey,
} from '../../../api/sites.ts';
import { Checkbox } from '../../../components/checkbox.tsx';
import { CopyField } from '../../../components/copy-field.tsx';
import { Form } from '../../../components/form.tsx';
import { LinkButton } from '../../../components/link-button.tsx';
import { LocalMoment } from '../../../components/moment.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Page } from '../../../components/page.tsx';
import { PasswordAgain } from '../../../components/password-again.tsx';
import { QueryView } from '../../../components/query-view.tsx';
import { SecretOnce } from '../../../components/secret-once.tsx';
import { ShowChoice } from '../../../components/show-choice.tsx';
import { newId } from '../../../lib/new-id.ts';
import styles from '../settings.module.css';
import { OtherShows } from './other-shows.tsx';

/** For sites that are connected on a command line. */
export function NewSiteKey() {
  const { t } = useLingui();
  const shows = useQuery(connectableShowsQuery);
  return (
    <Page title={t`Create a site key`}>
      <p className={styles['lead']}>
        <Trans>
          A site key connects one site without a browser. The site’s plugin has to register it
          within <Plural value={siteRegistrationHours} one="# hour" other="# hours" />; until then,
          the key can’t do anything else.
        </Trans>
      </p>
      <QueryView query={shows}>{(connectable) => <KeyForm connectable={connectable} />}</QueryView>
    </Page>
  );
}

function KeyForm({ connectable }: { readonly connectable: readonly ConnectableShow[] }) {
  const { t } = useLingui();
  const me = useQuery(meQuery);
  // So that a repeated request creates one key.
  const [id] = useState(newId);
  const [podcasts, setPodcasts] = useState<readonly string[]>([]);
  const [transcripts, setTranscripts] = useState(false);
  const [password, setPassword] = useState('');
  const create = useMutation({
    mutationFn: () =>
      createSiteKey({
        id,
        podcasts: [...podcasts],
        transcripts,
        current_password: password,
      }),
    // It holds a secret.
    gcTime: 0,
  });
  const { error } = create;
  const offered = connectable.filter(({ obstacle }) => obstacle === null);
  if (create.data !== undefined) return <NewSiteSecret made={create.data} />;
  if (hasReason(error, 'made_already')) return <AnswerLost />;
  if (offered.length === 0) {
    return (
      <>
        <p>
          <Trans>None of your shows can be connected.</Trans>
        </p>
        <OtherShows connectable={connectable} />
      </>
    );
  }
  return (
    <Form
      onSubmit={create.mutate}
      submit={t`Create the site key`}
      isPending={create.isPending}
      error={error}
      fields={['podcasts', 'current_password']}
      beside={
        <LinkButton to="/settings/sites" kind="quiet">
          <Trans>Cancel</Trans>
        </LinkButton>
      }
    >
      <ShowChoice
        label={t`Shows the site can access`}
        shows={offered}
        value={podcasts}
        onChange={setPodcasts}
        problem={problemOf(error, 'podcasts')}
      />
      <OtherShows connectable={connectable} />
      <Checkbox isSelected={transcripts} onChange={setTranscripts}>
        <Trans>Include transcripts. The site’s posts show the ones you publish.</Trans>
      </Checkbox>
      <PasswordAgain
        email={me.data?.user.email ?? ''}
        value={password}
        onChange={setPassword}
        problem={problemOf(error, 'current_password')}
      />
    </Form>
  );
}

function AnswerLost() {
  return (
    <Notice
      tone="warn"
      action={
        <LinkButton to="/settings/sites/new-key" size="small" reloadDocument>
          <Trans>Create another</Trans>
        </LinkButton>
      }
    >
      <Trans>
        Your first attempt worked, but we lost the connection before we could show you the key. A
        key that no site registers expires after{' '}
        <Plural value={siteRegistrationHours} one="# hour" other="# hours" />.
      </Trans>
    </Notice>
  );
}

/** The only place that shows the key, from the server's response to the form. */
function NewSiteSecret({ made }: { readonly made: SiteKey }) {
  const { t } = useLingui();
  const command = `wp podstead connect --service=${window.location.origin} --key=-`;
  return (
    <div className={styles['words']}>
      <SecretOnce label={t`Site key`} secret={made.secret}>
        <h2>
          <Trans>Give it to the site</Trans>
        </h2>
        <p>
          <Trans>
            Run this command on the site’s server before <LocalMoment of={made.register_before} />.
            It reads the key from standard input.
          </Trans>
        </p>
        <CopyField label={t`Command`} value={command} />
        <p>
          <Trans>
            The site then appears under Sites. Anyone who has the key can connect their own site in
            your name, so don’t send it by email or chat.
          </Trans>
        </p>
        <LinkButton to="/settings/sites">
          <Trans>Back to sites</Trans>
        </LinkButton>
      </SecretOnce>
    </div>
  );
}
