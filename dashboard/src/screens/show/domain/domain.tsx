import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import {
  type DomainOfShow,
  domainQuery,
  type OwnDomain,
  removeDomain,
  setDomain,
} from '../../../api/domain.ts';
import { problemOf } from '../../../api/errors.ts';
import type { ShowSettings } from '../../../api/show-settings.ts';
import { Button } from '../../../components/button.tsx';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { Form } from '../../../components/form.tsx';
import { QueryView } from '../../../components/query-view.tsx';
import { Section } from '../../../components/section.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { showMessage } from '../../../components/toasts.ts';
import { ShowPage } from '../show-page.tsx';
import { DomainRecords } from './domain-records.tsx';
import { DomainState } from './domain-state.tsx';
import { FeedRedirect } from './feed-redirect.tsx';
import { useDomainWrite } from './use-domain-write.ts';

/** The show's own domain, step by step for someone who has never changed a DNS record. */
export function Domain() {
  const { t } = useLingui();
  return (
    <ShowPage title={t`Domain`} needs={({ set_domain }) => set_domain}>
      {(show) => <DomainSections show={show} />}
    </ShowPage>
  );
}

function DomainSections({ show }: { readonly show: ShowSettings }) {
  const query = useQuery(domainQuery(show.id));
  return (
    <QueryView query={query}>
      {(saved) =>
        saved.domain === null || saved.expected === null ? (
          <>
            <FirstDomain show={show} />
            <Effects />
          </>
        ) : (
          <>
            <DomainState show={show} domain={saved.domain} expected={saved.expected} />
            {saved.domain.state !== 'verified' && (
              <DomainRecords domain={saved.domain} expected={saved.expected} />
            )}
            {saved.domain.state === 'verified' && (
              <FeedRedirect show={show} domain={saved.domain} />
            )}
            <Effects />
            <Change show={show} saved={saved} domain={saved.domain} />
          </>
        )
      }
    </QueryView>
  );
}

function FirstDomain({ show }: { readonly show: ShowSettings }) {
  const { t } = useLingui();
  return (
    <Section
      title={t`Your own domain`}
      about={
        <>
          <p>
            <Trans>
              Your show’s pages and feed can be at an address that belongs to you, such as
              podcast.example.com. You can keep it even if you move to another host.
            </Trans>
          </p>
          <p>
            <Trans>
              You need a domain, and access to its DNS records. You usually find them where you
              bought the domain.
            </Trans>
          </p>
        </>
      }
    >
      <DomainForm show={show} submit={t`Continue`} />
    </Section>
  );
}

interface FormProps {
  readonly show: ShowSettings;
  readonly submit: string;
  /** Beside its button. */
  readonly beside?: ReactNode;
}

function DomainForm({ show, submit, beside }: FormProps) {
  const { t } = useLingui();
  const [host, setHost] = useState('');
  const write = useDomainWrite(
    show,
    (revision) => setDomain(show.id, revision, host.trim()),
    () => setHost(''),
  );
  return (
    <Form
      submit={submit}
      onSubmit={write.save}
      isPending={write.isPending}
      error={write.error}
      fields={['host']}
      beside={beside}
    >
      <TextField
        label={t`Domain`}
        hint={t`A name in front of your domain, such as podcast.example.com, is easiest. Don’t use one at which you already have a website.`}
        placeholder="podcast.example.com"
        inputMode="url"
        autoComplete="off"
        spellCheck="false"
        value={host}
        onChange={setHost}
        problem={problemOf(write.error, 'host')}
      />
    </Form>
  );
}

/** What listeners notice. */
function Effects() {
  const { t } = useLingui();
  return (
    <Section title={t`What changes for listeners`}>
      <ul>
        <li>
          <Trans>
            Your show’s pages move to your domain. All old links redirect there, so none breaks.
          </Trans>
        </li>
        <li>
          <Trans>
            Your feed is at your domain, too. Podcast apps keep using the feed they know until you
            redirect it.
          </Trans>
        </li>
        <li>
          <Trans>
            Players on other websites, audio files and statistics stay the same. No one has to
            subscribe again, and no download is counted twice.
          </Trans>
        </li>
      </ul>
    </Section>
  );
}

interface ChangeProps {
  readonly show: ShowSettings;
  readonly saved: DomainOfShow;
  readonly domain: OwnDomain;
}

function Change({ show, saved, domain }: ChangeProps) {
  const { t } = useLingui();
  const [isRemoving, setRemoving] = useState(false);
  const remove = useDomainWrite(
    show,
    (revision) => removeDomain(show.id, revision),
    () => {
      setRemoving(false);
      showMessage({ text: t`The domain was removed.` });
    },
  );
  const { host } = domain;
  const wasUsed = domain.state === 'verified';
  return (
    <Section
      title={t`Another domain, or none`}
      about={<Trans>The current domain stops working at once.</Trans>}
    >
      <DomainForm
        show={show}
        submit={t`Change`}
        beside={
          <Button kind="danger" onPress={() => setRemoving(true)}>{t`Remove the domain`}</Button>
        }
      />
      <ConfirmDialog
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        title={t`Remove ${host}?`}
        action={t`Remove`}
        onConfirm={remove.save}
        isPending={remove.isPending}
        error={remove.error}
      >
        {wasUsed ? (
          <p>
            <Trans>Links to pages at {host} stop working.</Trans>{' '}
            {saved.redirect_feed && (
              <Trans>
                Apps that have followed the redirect look for your feed there, so those listeners
                won’t get new episodes.
              </Trans>
            )}
          </p>
        ) : (
          <p>
            <Trans>Your show stays where it is now.</Trans>
          </p>
        )}
      </ConfirmDialog>
    </Section>
  );
}
