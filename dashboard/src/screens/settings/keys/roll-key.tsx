import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { hasReason, problemOf } from '../../../api/errors.ts';
import { type Key, keysQuery, rollKey } from '../../../api/keys.ts';
import { meQuery } from '../../../api/me.ts';
import { Form } from '../../../components/form.tsx';
import { LinkButton } from '../../../components/link-button.tsx';
import { Page } from '../../../components/page.tsx';
import { PasswordAgain } from '../../../components/password-again.tsx';
import { RadioGroup } from '../../../components/radio-group.tsx';
import { type Days, type Grace, useExpiryChoices, useGraceChoices } from './key-words.ts';
import { MadeAlready } from './made-already.tsx';
import { NewSecret } from './new-secret.tsx';
import { OneKey } from './one-key.tsx';

export function RollKey() {
  const { t } = useLingui();
  return (
    <Page title={t`Roll a key`}>
      <OneKey>{(key) => <RollForm of={key} />}</OneKey>
    </Page>
  );
}

function RollForm({ of: { id, name, last_four: current } }: { readonly of: Key }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const me = useQuery(meQuery);
  const [graceChoices, expiryChoices] = [useGraceChoices(), useExpiryChoices()];
  // Of the secret to replace, so that a repeated request replaces one.
  const [lastFour] = useState(current);
  const [grace, setGrace] = useState<Grace>('1h');
  const [days, setDays] = useState<Days>('90');
  const [password, setPassword] = useState('');
  const roll = useMutation({
    mutationFn: () =>
      rollKey(id, {
        grace,
        last_four: lastFour,
        expires_in_days: Number(days),
        current_password: password,
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: keysQuery.queryKey }),
    // It holds a secret.
    gcTime: 0,
  });
  const { error } = roll;
  if (roll.data !== undefined) return <NewSecret made={roll.data} />;
  if (hasReason(error, 'rolled_already')) return <MadeAlready keyId={id} />;
  return (
    <Form
      onSubmit={roll.mutate}
      submit={t`Create a new secret`}
      isPending={roll.isPending}
      error={error}
      fields={['grace', 'expires_in_days', 'current_password']}
      beside={
        <LinkButton to="/settings/keys" kind="quiet">
          <Trans>Cancel</Trans>
        </LinkButton>
      }
    >
      <p>
        <Trans>
          The key <strong>{name}</strong>, ending in <code>{lastFour}</code>, gets a new secret. Its
          name and what it may read stay the same.
        </Trans>
      </p>
      <RadioGroup
        label={t`The old secret`}
        hint={t`Keep it while you replace it. If somebody else may have it, stop it at once.`}
        choices={graceChoices}
        value={grace}
        onChange={setGrace}
        problem={problemOf(error, 'grace')}
      />
      <RadioGroup
        label={t`The new secret expires`}
        choices={expiryChoices}
        value={days}
        onChange={setDays}
        problem={problemOf(error, 'expires_in_days')}
      />
      <PasswordAgain
        email={me.data?.user.email ?? ''}
        value={password}
        onChange={setPassword}
        problem={problemOf(error, 'current_password')}
      />
    </Form>
  );
}
