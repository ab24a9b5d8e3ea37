import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { problemOf } from '../../../api/errors.ts';
import { type Key, keysQuery, widenKey } from '../../../api/keys.ts';
import { allMyPodcastsQuery } from '../../../api/podcasts.ts';
import { Checkbox } from '../../../components/checkbox.tsx';
import { LinkButton } from '../../../components/link-button.tsx';
import { Page } from '../../../components/page.tsx';
import { ShowChoice } from '../../../components/show-choice.tsx';
import { showMessage } from '../../../components/toasts.ts';
import type { Scope } from './key-choices.ts';
import { KeyForm } from './key-form.tsx';
import { OneKey } from './one-key.tsx';
import { ScopesField } from './scopes-field.tsx';

export function WidenKey() {
  const { t } = useLingui();
  return (
    <Page title={t`Add access to a key`}>
      <OneKey may={(key) => key.may_widen}>{(key) => <WidenForm of={key} />}</OneKey>
    </Page>
  );
}

function WidenForm({ of: key }: { readonly of: Key }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const podcasts = useQuery(allMyPodcastsQuery);
  const [more, setMore] = useState<readonly Scope[]>([]);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [isAll, setAll] = useState(false);
  const [password, setPassword] = useState('');
  const widen = useMutation({
    mutationFn: () =>
      widenKey(key.id, {
        scopes: [...more],
        podcasts: isAll ? 'all' : [...chosen],
        current_password: password,
      }),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: keysQuery.queryKey });
      showMessage({ text: t`The key has more access now.` });
      await navigate({ to: '/settings/keys' });
    },
  });
  const { error } = widen;
  const offeredScopes = key.may_add_scopes;
  const had = key.podcasts;
  const offeredShows =
    had === 'all'
      ? []
      : (podcasts.data ?? []).filter(
          ({ id }) => !had.includes(id) && !key.cut_off_from.includes(id),
        );
  if (had === 'all' && offeredScopes.length === 0) return <FullAccess />;
  return (
    <KeyForm
      submit={t`Add access`}
      sending={widen}
      fields={['scopes', 'podcasts']}
      password={password}
      onPassword={setPassword}
    >
      <p>
        <Trans>
          The key <strong>{key.name}</strong>, ending in <code>{key.last_four}</code>, keeps its
          current access. If you just replaced its secret, both secrets get the new access.
        </Trans>
      </p>
      {offeredScopes.length > 0 && (
        <ScopesField
          label={t`Additional access`}
          offered={offeredScopes}
          value={more}
          onChange={setMore}
          problem={problemOf(error, 'scopes')}
        />
      )}
      {had !== 'all' && (
        <Checkbox
          isSelected={isAll}
          onChange={setAll}
        >{t`All my shows, including future ones`}</Checkbox>
      )}
      {!isAll && offeredShows.length > 0 && (
        <ShowChoice
          label={t`More shows`}
          shows={offeredShows}
          value={chosen}
          onChange={setChosen}
          problem={problemOf(error, 'podcasts')}
        />
      )}
    </KeyForm>
  );
}

function FullAccess() {
  return (
    <>
      <p>
        <Trans>This key already has all the access a key can have.</Trans>
      </p>
      <LinkButton to="/settings/keys">
        <Trans>Back to keys</Trans>
      </LinkButton>
    </>
  );
}
