import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { hasReason, problemOf } from '../../../api/errors.ts';
import { type Key, type KeyList, keysQuery, rollKey } from '../../../api/keys.ts';
import { Page } from '../../../components/page.tsx';
import { RadioGroup } from '../../../components/radio-group.tsx';
import { type Days, type Grace, useExpiryChoices, useGraceChoices } from './key-choices.ts';
import { KeyForm } from './key-form.tsx';
import { MadeAlready } from './made-already.tsx';
import { NewSecret } from './new-secret.tsx';
import { OneKey } from './one-key.tsx';

export function RollKey() {
  const { t } = useLingui();
  return (
    <Page title={t`Replace a key’s secret`}>
      <OneKey may={(key) => key.may_roll}>
        {(key, choices) => <RollForm of={key} choices={choices} />}
      </OneKey>
    </Page>
  );
}

interface FormProps {
  readonly of: Key;
  readonly choices: KeyList['choices'];
}

function RollForm({ of: { id, name, last_four: current }, choices }: FormProps) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const [graceChoices, expiryChoices] = [useGraceChoices(choices), useExpiryChoices(choices)];
  // Of the secret to replace, so that a repeated request replaces one.
  const [lastFour] = useState(current);
  const [grace, setGrace] = useState<Grace>('1h');
  const [days, setDays] = useState<`${Days}`>('90');
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
    <KeyForm
      submit={t`Create a new secret`}
      sending={roll}
      fields={['grace', 'expires_in_days']}
      password={password}
      onPassword={setPassword}
    >
      <p>
        <Trans>
          The key <strong>{name}</strong>, ending in <code>{lastFour}</code>, gets a new secret. Its
          name and access stay the same.
        </Trans>
      </p>
      <RadioGroup
        label={t`The old secret`}
        hint={t`Keep it working while you switch to the new one. If someone else may have it, stop it immediately.`}
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
    </KeyForm>
  );
}
