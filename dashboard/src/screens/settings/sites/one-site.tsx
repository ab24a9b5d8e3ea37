import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { disconnectSite, type Site, siteQuery, sitesQuery } from '../../../api/sites.ts';
import { Button, buttonClass } from '../../../components/button.tsx';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { DescriptionList } from '../../../components/description-list.tsx';
import { LinkButton } from '../../../components/link-button.tsx';
import { LocalMoment } from '../../../components/moment.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Page } from '../../../components/page.tsx';
import { QueryView } from '../../../components/query-view.tsx';
import { showMessage } from '../../../components/toasts.ts';
import styles from '../settings.module.css';
import { PingTrouble } from './ping-trouble.tsx';
import { SiteAddress, shortAddress } from './site-address.tsx';
import { SitePosts } from './site-posts.tsx';
import { SiteShowsList } from './site-shows-list.tsx';
import { SiteProgress, SiteStatus, SiteVersions } from './site-words.tsx';

export function OneSite() {
  const { t } = useLingui();
  const { siteId = '' } = useParams({ strict: false });
  const site = useQuery({ ...siteQuery(siteId), refetchInterval: 15_000 });
  const name =
    site.data === undefined ? t`Site` : (site.data.site_name ?? shortAddress(site.data.site_url));
  return (
    <Page title={name} actions={site.data?.is_connected === true && <Actions of={site.data} />}>
      <QueryView query={site}>
        {(found) => (
          <>
            <p className={styles['count']}>
              <SiteAddress url={found.site_url} /> <SiteStatus of={found} />
            </p>
            <PingTrouble of={found} />
            {found.status === 'pending' && <NotFinished />}
            <SiteFacts of={found} />
            <h2 className={styles['heading']}>
              <Trans>Posts</Trans>
            </h2>
            <SitePosts siteId={found.id} />
          </>
        )}
      </QueryView>
      <p className={styles['back']}>
        <LinkButton to="/settings/sites">
          <Trans>Back to sites</Trans>
        </LinkButton>
      </p>
    </Page>
  );
}

function NotFinished() {
  return (
    <Notice tone="warn">
      <Trans>
        You allowed this connection, but the plugin hasn’t finished setting it up yet. If this
        doesn’t change, open the plugin’s settings on the site and connect it again.
      </Trans>
    </Notice>
  );
}

function Actions({ of: { id, admin_url: adminUrl } }: { readonly of: Site }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [isEnding, setEnding] = useState(false);
  const disconnect = useMutation({
    mutationFn: () => disconnectSite(id),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: sitesQuery.queryKey });
      showMessage({ text: t`The site was disconnected. Its posts stay on the site.` });
      await navigate({ to: '/settings/sites' });
    },
  });
  return (
    <>
      <LinkButton to="/settings/sites/$siteId/shows" params={{ siteId: id }}>
        <Trans>Change shows</Trans>
      </LinkButton>
      <a className={buttonClass('plain')} href={adminUrl} rel="noreferrer">
        <Trans>Site settings</Trans>
      </a>
      <Button kind="danger" onPress={() => setEnding(true)}>{t`Disconnect`}</Button>
      <ConfirmDialog
        isOpen={isEnding}
        onClose={() => setEnding(false)}
        title={t`Disconnect the site?`}
        action={t`Disconnect`}
        onConfirm={disconnect.mutate}
        isPending={disconnect.isPending}
        error={disconnect.error}
      >
        <p>
          <Trans>
            The site loses access to your shows. Posts it has created stay there. If you connect it
            again later, it continues with the same posts.
          </Trans>
        </p>
      </ConfirmDialog>
    </>
  );
}

function SiteFacts({ of: site }: { readonly of: Site }) {
  const { t } = useLingui();
  const isOpen = site.is_connected;
  const { last_sync_at: lastSyncAt, sync_error_count: errors } = site;
  return (
    <DescriptionList
      of={[
        [t`Shows`, <SiteShowsList key="shows" of={site} />],
        [t`Transcripts`, site.transcripts ? t`included` : t`not included`],
        [t`Changes`, <SiteProgress key="progress" of={site} />],
        [
          t`Last sync`,
          lastSyncAt === null ? t`not reported yet` : <LocalMoment key="sync" of={lastSyncAt} />,
        ],
        [
          t`Errors`,
          errors === 0 ? (
            t`none`
          ) : (
            <Plural
              key="errors"
              value={errors}
              one="# since it was connected"
              other="# since it was connected"
            />
          ),
        ],
        [t`Versions`, <SiteVersions key="versions" of={site} />],
        [t`Connected`, <LocalMoment key="connected" of={site.connected_at} />],
        [
          t`Expires`,
          isOpen && (
            <Trans>
              <LocalMoment of={site.expires_at} />; reconnect the site before then
            </Trans>
          ),
        ],
        [t`Ended`, !isOpen && <LocalMoment of={site.ended_at ?? site.expires_at} />],
      ]}
    />
  );
}
