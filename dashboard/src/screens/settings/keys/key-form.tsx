import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { problemOf } from '../../../api/errors.ts';
import { meQuery } from '../../../api/me.ts';
import { Form } from '../../../components/form.tsx';
import { LinkButton } from '../../../components/link-button.tsx';
import { PasswordAgain } from '../../../components/password-again.tsx';

interface Props {
  readonly submit: string;
  /** The request and its last result. */
  readonly sending: {
    readonly mutate: () => void;
    readonly isPending: boolean;
    readonly error: unknown;
  };
  /** The fields above that of the password, by their names in the request. */
  readonly fields: readonly string[];
  readonly password: string;
  readonly onPassword: (password: string) => void;
  readonly children: ReactNode;
}

/** A form about a key. It ends with the current password, and leads back to the keys. */
export function KeyForm({ submit, sending, fields, password, onPassword, children }: Props) {
  const me = useQuery(meQuery);
  const { mutate, isPending, error } = sending;
  return (
    <Form
      onSubmit={mutate}
      submit={submit}
      isPending={isPending}
      error={error}
      fields={[...fields, 'current_password']}
      beside={
        <LinkButton to="/settings/keys" kind="quiet">
          <Trans>Cancel</Trans>
        </LinkButton>
      }
    >
      {children}
      <PasswordAgain
        email={me.data?.user.email ?? ''}
        value={password}
        onChange={onPassword}
        problem={problemOf(error, 'current_password')}
      />
    </Form>
  );
}
