import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { passwordChars } from '../../../../server/src/lib/limits.ts';
import { problemOf } from '../../api/errors.ts';
import { changePassword, meQuery } from '../../api/me.ts';
import { Form } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { PasswordAgain } from '../../components/password-again.tsx';
import { TextField } from '../../components/text-field.tsx';
import styles from './settings.module.css';

const { min } = passwordChars;

export function Password() {
  const { t } = useLingui();
  const queries = useQueryClient();
  const me = useQuery(meQuery);
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation({
    mutationFn: () => changePassword({ current_password: current, password: next }),
    async onSuccess() {
      setCurrent('');
      setNext('');
      await queries.invalidateQueries();
    },
  });
  return (
    <Page title={t`Password`}>
      <p className={styles['lead']}>
        <Trans>
          A new password signs you out everywhere else, revokes all your API keys and disconnects
          your sites.
        </Trans>
      </p>
      {change.isSuccess && (
        <Notice tone="good">
          <Trans>Your password was changed. You’re signed out everywhere else.</Trans>
        </Notice>
      )}
      <Form
        onSubmit={change.mutate}
        submit={t`Change password`}
        isPending={change.isPending}
        error={change.error}
        fields={['current_password', 'password']}
        beside={<a href="/app/forgot">{t`Forgot your password?`}</a>}
      >
        <PasswordAgain
          email={me.data?.user.email ?? ''}
          value={current}
          onChange={setCurrent}
          problem={problemOf(change.error, 'current_password')}
        />
        <TextField
          label={t`New password`}
          hint={t`At least ${min} characters. Several unrelated words make a strong password.`}
          type="password"
          autoComplete="new-password"
          value={next}
          onChange={setNext}
          problem={problemOf(change.error, 'password')}
        />
      </Form>
    </Page>
  );
}
