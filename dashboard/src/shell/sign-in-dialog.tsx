import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../api/errors.ts';
import { meQuery, signIn } from '../api/me.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Notice } from '../components/notice.tsx';
import { TextField } from '../components/text-field.tsx';
import { signedInAgain } from './sign-in-state.ts';

/** Opens above the page when the session has ended. Typed text stays in the page. */
// biome-ignore lint/style/noDefaultExport: React.lazy takes a default export.
export default function SignInDialog() {
  const { t } = useLingui();
  const queries = useQueryClient();
  const me = useQuery({ ...meQuery, enabled: false });
  const email = me.data?.user.email ?? '';
  const [problem, setProblem] = useState<string>();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    try {
      await signIn({
        email: String(fields.get('email') ?? email),
        password: String(fields.get('password') ?? ''),
      });
      setProblem(undefined);
      signedInAgain();
      await queries.invalidateQueries();
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : String(error));
    }
  }

  return (
    <Dialog isOpen title={t`Sign in again`} mustAnswer>
      <form onSubmit={submit}>
        <p>
          <Trans>Your session has ended. What you’ve typed is kept.</Trans>
        </p>
        {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
        <TextField
          label={t`Email address`}
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={email}
          isReadOnly={email !== ''}
        />
        <TextField
          label={t`Password`}
          name="password"
          type="password"
          autoComplete="current-password"
          autoFocus
          isRequired
        />
        <Button type="submit" kind="primary">
          <Trans>Sign in</Trans>
        </Button>
      </form>
    </Dialog>
  );
}
