import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { endedKeyDays } from '../../../../../server/src/lib/limits.ts';
import { type Key, type KeyList, keysQuery, revokeAllKeys, revokeKey } from '../../../api/keys.ts';
import { allMyPodcastsQuery } from '../../../api/podcasts.ts';
import { Button } from '../../../components/button.tsx';
import { Cards } from '../../../components/card.tsx';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { LinkButton } from '../../../components/link-button.tsx';
import { Page } from '../../../components/page.tsx';
import { QueryView } from '../../../components/query-view.tsx';
import { showMessage } from '../../../components/toasts.ts';
import styles from '../settings.module.css';
import { KeyCard } from './key-card.tsx';

export function Keys() {
  const { t } = useLingui();
  const keys = useQuery(keysQuery);
  return (
    <Page
      title={t`API keys`}
      actions={
        keys.data?.may_create !== false && (
          <LinkButton to="/settings/keys/new" kind="primary">
            <Trans>Create a key</Trans>
          </LinkButton>
        )
      }
    >
      <p className={styles['lead']}>
        <Trans>
          With an API key, a program can access your shows through the <a href="/docs">API</a>. It
          can’t change anything.
        </Trans>
      </p>
      <QueryView query={keys}>{(list) => <ListOfKeys list={list} />}</QueryView>
      <KeysOfOthers />
    </Page>
  );
}

function ListOfKeys({ list }: { readonly list: KeyList }) {
  const { t } = useLingui();
  const podcasts = useQuery(allMyPodcastsQuery);
  const [ending, setEnding] = useState<Key | 'all'>();
  const { data: keys, most_active: most } = list;
  const titles = new Map(podcasts.data?.map(({ id, title }) => [id, title]));
  const active = keys.filter(({ state }) => state === 'active');
  const ended = keys.filter(({ state }) => state !== 'active');
  if (keys.length === 0) {
    return (
      <EmptyState title={t`No keys yet`}>
        <Trans>
          You’d use one for a website that shows your episodes, or a spreadsheet with your
          statistics.
        </Trans>
      </EmptyState>
    );
  }
  return (
    <>
      <p className={styles['count']}>
        <Plural
          value={active.length}
          one={`You have # of ${most} keys.`}
          other={`You have # of ${most} keys.`}
        />{' '}
        {!list.may_create && <Trans>Revoke a key before you create another.</Trans>}
      </p>
      <Cards label={t`Active keys`}>
        {active.map((key) => (
          <KeyCard key={key.id} of={key} titles={titles} onRevoke={() => setEnding(key)} />
        ))}
      </Cards>
      {active.length > 1 && (
        <Button kind="danger" onPress={() => setEnding('all')}>{t`Revoke all keys`}</Button>
      )}
      {ended.length > 0 && (
        <>
          <h2 className={styles['heading']}>
            <Trans>
              Ended in the last <Plural value={endedKeyDays} one="# day" other="# days" />
            </Trans>
          </h2>
          <Cards>
            {ended.map((key) => (
              <KeyCard key={key.id} of={key} titles={titles} level={3} />
            ))}
          </Cards>
        </>
      )}
      <Ending of={ending} onClose={() => setEnding(undefined)} />
    </>
  );
}

interface EndingProps {
  readonly of: Key | 'all' | undefined;
  readonly onClose: () => void;
}

function Ending({ of, onClose }: EndingProps) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: (key: Key | 'all') => (key === 'all' ? revokeAllKeys() : revokeKey(key.id)),
    async onSuccess(_, key) {
      await queries.invalidateQueries({ queryKey: keysQuery.queryKey });
      onClose();
      showMessage({
        text: key === 'all' ? t`All your keys were revoked.` : t`The key was revoked.`,
      });
    },
  });
  const isAll = of === 'all';
  const name = of === undefined || isAll ? '' : of.name;
  const lastFour = of === undefined || isAll ? '' : of.last_four;
  return (
    <ConfirmDialog
      isOpen={of !== undefined}
      onClose={onClose}
      title={isAll ? t`Revoke all keys` : t`Revoke the key`}
      action={isAll ? t`Revoke all keys` : t`Revoke the key`}
      onConfirm={() => of !== undefined && end.mutate(of)}
      isPending={end.isPending}
      error={end.error}
    >
      <p>
        {isAll ? (
          <Trans>
            All your keys, including those of connected sites, stop working immediately. This can’t
            be undone.
          </Trans>
        ) : (
          <Trans>
            The key <strong>{name}</strong>, ending in <code>{lastFour}</code>, stops working
            immediately. This can’t be undone.
          </Trans>
        )}
      </p>
    </ConfirmDialog>
  );
}

/** Where owners decide which keys read their shows. */
function KeysOfOthers() {
  const podcasts = useQuery(allMyPodcastsQuery);
  const own = (podcasts.data ?? []).filter(({ may }) => may.set_team_keys);
  if (own.length === 0) return null;
  return (
    <section className={styles['words']}>
      <h2>
        <Trans>Other people’s keys</Trans>
      </h2>
      <p>
        <Trans>
          You decide whether team members can access your shows with their own keys, and you can
          revoke all keys’ access to a show. Both settings are on the show’s Team page.
        </Trans>
      </p>
      <ul>
        {own.map(({ id, title, team_keys: allowed }) => (
          <li key={id}>
            <Link to="/shows/$podcastId/team" params={{ podcastId: id }} dir="auto">
              {title}
            </Link>
            {': '}
            {allowed ? <Trans>team members can use keys</Trans> : <Trans>only your own keys</Trans>}
          </li>
        ))}
      </ul>
    </section>
  );
}
