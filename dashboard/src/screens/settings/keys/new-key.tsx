import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keyReminderDays, maxChars } from '../../../../../server/src/lib/limits.ts';
import { hasReason, problemOf } from '../../../api/errors.ts';
import { createKey, type KeyList, keysQuery } from '../../../api/keys.ts';
import { allMyPodcastsQuery, type MyPodcast } from '../../../api/podcasts.ts';
import { Page } from '../../../components/page.tsx';
import { QueryView } from '../../../components/query-view.tsx';
import { RadioGroup } from '../../../components/radio-group.tsx';
import { ShowChoice } from '../../../components/show-choice.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { newId } from '../../../lib/new-id.ts';
import { type Days, type Scope, useExpiryChoices } from './key-choices.ts';
import { KeyForm } from './key-form.tsx';
import { MadeAlready } from './made-already.tsx';
import { NewSecret } from './new-secret.tsx';
import { ScopesField } from './scopes-field.tsx';

export function NewKey() {
  const { t } = useLingui();
  const podcasts = useQuery(allMyPodcastsQuery);
  const keys = useQuery(keysQuery);
  return (
    <Page title={t`Create a key`}>
      <QueryView query={podcasts}>
        {(shows) => (
          <QueryView query={keys}>
            {({ choices }) => <NewKeyForm shows={shows} choices={choices} />}
          </QueryView>
        )}
      </QueryView>
    </Page>
  );
}

interface KeyFields {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly reach: 'all' | 'some';
  readonly podcasts: readonly string[];
  readonly days: `${Days}`;
  readonly password: string;
}

const empty: KeyFields = {
  name: '',
  scopes: ['podcasts:read'],
  reach: 'all',
  podcasts: [],
  days: '90',
  password: '',
};

interface FormProps {
  readonly shows: readonly MyPodcast[];
  readonly choices: KeyList['choices'];
}

function NewKeyForm({ shows, choices }: FormProps) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const expiryChoices = useExpiryChoices(choices);
  // So that a repeated request creates one key.
  const [id] = useState(newId);
  const [fields, setFields] = useState(empty);
  const set = (change: Partial<KeyFields>) => setFields({ ...fields, ...change });
  const create = useMutation({
    mutationFn: () => createKey(toRequest(id, fields)),
    onSuccess: () => queries.invalidateQueries({ queryKey: keysQuery.queryKey }),
    // It contains a secret.
    gcTime: 0,
  });
  const { error } = create;
  if (create.data !== undefined) return <NewSecret made={create.data} />;
  if (hasReason(error, 'made_already')) return <MadeAlready keyId={id} />;
  return (
    <KeyForm
      submit={t`Create the key`}
      sending={create}
      fields={['name', 'scopes', 'podcasts', 'expires_in_days']}
      password={fields.password}
      onPassword={(password) => set({ password })}
    >
      <TextField
        label={t`Name`}
        hint={t`What the key is for.`}
        value={fields.name}
        onChange={(name) => set({ name })}
        autoComplete="off"
        maxLength={maxChars.keyName}
        problem={problemOf(error, 'name')}
      />
      <ScopesField
        label={t`What it can access`}
        offered={choices.scopes}
        value={fields.scopes}
        onChange={(scopes) => set({ scopes })}
        problem={problemOf(error, 'scopes')}
      />
      {shows.length > 0 && (
        <RadioGroup
          label={t`Which shows`}
          choices={[
            { value: 'all', label: t`All my shows, including future ones` },
            { value: 'some', label: t`Only shows I choose` },
          ]}
          value={fields.reach}
          onChange={(reach) => set({ reach })}
        />
      )}
      {fields.reach === 'some' && (
        <ShowChoice
          label={t`Shows`}
          shows={shows}
          value={fields.podcasts}
          onChange={(podcasts) => set({ podcasts })}
          problem={problemOf(error, 'podcasts')}
        />
      )}
      <RadioGroup
        label={t`Expires`}
        hint={t`We’ll email you ${plural(keyReminderDays, { one: '# day', other: '# days' })} before.`}
        choices={expiryChoices}
        value={fields.days}
        onChange={(days) => set({ days })}
        problem={problemOf(error, 'expires_in_days')}
      />
    </KeyForm>
  );
}

const toRequest = (id: string, fields: KeyFields) => ({
  id,
  name: fields.name,
  scopes: [...fields.scopes],
  podcasts: fields.reach === 'all' ? ('all' as const) : [...fields.podcasts],
  expires_in_days: Number(fields.days),
  current_password: fields.password,
});
