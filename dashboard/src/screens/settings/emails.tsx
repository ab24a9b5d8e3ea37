import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { chooseEmails, emailChoicesQuery, type OptionalEmail } from '../../api/account.ts';
import { CheckboxGroup } from '../../components/checkbox-group.tsx';
import { Form } from '../../components/form.tsx';
import { Page } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Section } from '../../components/section.tsx';
import { showMessage } from '../../components/toasts.ts';
import { UnsentEmails } from '../../components/unsent-emails.tsx';
import styles from './settings.module.css';

/** Which emails the service sends to this person. */
export function Emails() {
  const { t } = useLingui();
  const choices = useQuery(emailChoicesQuery);
  return (
    <Page title={t`Emails`}>
      <UnsentEmails />
      <QueryView query={choices}>
        {({ optional, unwanted }) => (
          <Section
            title={t`Optional`}
            about={<Trans>We send these unless you turn them off.</Trans>}
          >
            <Choice
              optional={optional}
              wanted={optional.filter((email) => !unwanted.includes(email))}
            />
          </Section>
        )}
      </QueryView>
      <Section title={t`Always sent`} about={<Trans>These protect you and your shows.</Trans>}>
        <ul className={styles['list']}>
          <li>
            <Trans>Links you request, for example to set a new password</Trans>
          </li>
          <li>
            <Trans>Changes to your password, email address, API keys and connected sites</Trans>
          </li>
          <li>
            <Trans>Invitations and ownership transfers</Trans>
          </li>
          <li>
            <Trans>Changes to your plan and its limits</Trans>
          </li>
        </ul>
      </Section>
    </Page>
  );
}

interface Props {
  readonly optional: readonly OptionalEmail[];
  readonly wanted: readonly OptionalEmail[];
}

function Choice({ optional, wanted: before }: Props) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const words = useWords();
  const [wanted, setWanted] = useState(before);
  const save = useMutation({
    mutationFn: () => chooseEmails(optional.filter((email) => !wanted.includes(email))),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: emailChoicesQuery.queryKey });
      showMessage({ text: t`Your email settings were saved.` });
    },
  });
  return (
    <Form onSubmit={save.mutate} submit={t`Save`} isPending={save.isPending} error={save.error}>
      <CheckboxGroup
        label={t`Send me an email when`}
        choices={optional.map((value) => ({ value, label: words[value] }))}
        value={wanted}
        onChange={setWanted}
      />
    </Form>
  );
}

function useWords(): Readonly<Record<OptionalEmail, string>> {
  const { t } = useLingui();
  return {
    'key-expires': t`one of my API keys expires within a week`,
    'site-expires': t`a site’s connection expires within a week`,
    'keys-cut-off': t`a show’s owner revokes my keys’ access`,
    'member-removed': t`I’m removed from a show’s team`,
  };
}
