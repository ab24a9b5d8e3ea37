import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { problemOf } from '../../../api/errors.ts';
import { changeEmail } from '../../../api/me.ts';
import { Button } from '../../../components/button.tsx';
import { Form } from '../../../components/form.tsx';
import { Notice } from '../../../components/notice.tsx';
import { PasswordAgain } from '../../../components/password-again.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { UnsentEmails } from '../../../components/unsent-emails.tsx';

/** Shows the address; the form for another one opens beside it. */
export function EmailForm({ email: current }: { readonly email: string }) {
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
                An email to <strong>{email}</strong> has a link that confirms the change. Open it.
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
