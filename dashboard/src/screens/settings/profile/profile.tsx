import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Language, languages } from '../../../../../server/src/lib/languages.ts';
import { maxChars } from '../../../../../server/src/lib/limits.ts';
import { problemOf } from '../../../api/errors.ts';
import { changeEmail, changeName, meQuery } from '../../../api/me.ts';
import { Button } from '../../../components/button.tsx';
import { Form } from '../../../components/form.tsx';
import { LinkButton } from '../../../components/link-button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Page } from '../../../components/page.tsx';
import { PasswordAgain } from '../../../components/password-again.tsx';
import { QueryView } from '../../../components/query-view.tsx';
import { Section } from '../../../components/section.tsx';
import { Select } from '../../../components/select.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { showMessage } from '../../../components/toasts.ts';
import { UnsentEmails } from '../../../components/unsent-emails.tsx';
import { chooseLanguage } from '../../../shell/account-language.ts';
import styles from '../settings.module.css';

export function Profile() {
  const { t } = useLingui();
  const me = useQuery(meQuery);
  return (
    <Page title={t`Profile`}>
      <QueryView query={me}>
        {({ user, terms }) => (
          <>
            {!terms.accepted && <NewTerms />}
            <Section
              title={t`Your name`}
              about={<Trans>The people you work with see this name.</Trans>}
            >
              <NameForm name={user.name} />
            </Section>
            <Section
              title={t`Email address`}
              about={
                <Trans>
                  You sign in with it, and we send our emails there. To change it, you’ll need to
                  open a link that we send to the new address.
                </Trans>
              }
            >
              <EmailForm email={user.email} />
            </Section>
            <Section
              title={t`Language`}
              about={
                <Trans>
                  The language of this app and of our emails to you. It doesn’t change your shows’
                  languages.
                </Trans>
              }
            >
              <LanguageChoice />
            </Section>
          </>
        )}
      </QueryView>
    </Page>
  );
}

function NewTerms() {
  return (
    <Notice
      tone="warn"
      action={
        <LinkButton to="/settings/terms" size="small">
          <Trans>Review the terms</Trans>
        </LinkButton>
      }
    >
      <Trans>
        There are new terms of service. Until you accept them, your API keys can’t access private
        data.
      </Trans>
    </Notice>
  );
}

/** Shows the address; the form for another one opens beside it. */
function EmailForm({ email: current }: { readonly email: string }) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const change = useMutation({
    mutationFn: () => changeEmail({ email, current_password: password }),
    onSuccess() {
      setOpen(false);
      setPassword('');
    },
  });
  if (!isOpen) {
    return (
      <>
        {change.isSuccess && (
          <>
            <Notice tone="good">
              <Trans>
                We sent an email to <strong>{email}</strong>. Open the link in it to confirm the
                change.
              </Trans>
            </Notice>
            <UnsentEmails />
          </>
        )}
        <p>
          <strong>{current}</strong>
        </p>
        <Button onPress={() => setOpen(true)}>{t`Change email address`}</Button>
      </>
    );
  }
  return (
    <Form
      onSubmit={change.mutate}
      submit={t`Send a confirmation email`}
      isPending={change.isPending}
      error={change.error}
      fields={['email', 'current_password']}
      beside={<Button kind="quiet" onPress={() => setOpen(false)}>{t`Cancel`}</Button>}
    >
      <TextField
        label={t`New email address`}
        type="email"
        autoComplete="email"
        autoFocus
        value={email}
        onChange={setEmail}
        problem={problemOf(change.error, 'email')}
      />
      <PasswordAgain
        email={current}
        value={password}
        onChange={setPassword}
        problem={problemOf(change.error, 'current_password')}
      />
    </Form>
  );
}

function LanguageChoice() {
  const { t, i18n } = useLingui();
  const options = Object.entries(languages).map(([value, label]) => ({
    value: value as Language,
    label,
  }));
  return (
    <div className={styles['short']}>
      <Select
        label={t`Language`}
        options={options}
        value={i18n.locale as Language}
        onChange={chooseLanguage}
      />
    </div>
  );
}

function NameForm({ name: current }: { readonly name: string }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const [name, setName] = useState(current);
  const save = useMutation({
    mutationFn: () => changeName(name),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: meQuery.queryKey });
      showMessage({ text: t`Your name was changed.` });
    },
  });
  return (
    <Form
      onSubmit={save.mutate}
      submit={t`Save`}
      isPending={save.isPending}
      error={save.error}
      fields={['name']}
    >
      <TextField
        label={t`Name`}
        value={name}
        onChange={setName}
        autoComplete="name"
        maxLength={maxChars.userName}
        problem={problemOf(save.error, 'name')}
      />
    </Form>
  );
}
