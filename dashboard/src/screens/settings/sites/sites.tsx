import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { maxSites } from '../../../../../server/src/lib/limits.ts';
import { type Site, sitesQuery } from '../../../api/sites.ts';
import { Button } from '../../../components/button.tsx';
import { Card, Cards } from '../../../components/card.tsx';
import { DescriptionList } from '../../../components/description-list.tsx';
import { LinkButton } from '../../../components/link-button.tsx';
import { LocalMoment } from '../../../components/moment.tsx';
import { Page } from '../../../components/page.tsx';
import { QueryView } from '../../../components/query-view.tsx';
import styles from '../settings.module.css';
import { FirstSteps } from './first-steps.tsx';
import { PingTrouble } from './ping-trouble.tsx';
import { SiteAddress, shortAddress } from './site-address.tsx';
import { SiteShowsList } from './site-shows-list.tsx';
import { SiteProgress, SiteStatus, SiteVersions } from './site-words.tsx';

export function Sites() {
  const { t } = useLingui();
  const sites = useInfiniteQuery({ ...sitesQuery, refetchInterval: 30_000 });
  return (
    <Page
      title={t`Sites`}
      actions={
        <LinkButton to="/settings/sites/new-key">
          <Trans>Connect from a command line</Trans>
        </LinkButton>
      }
    >
      <p className={styles['lead']}>
        <Trans>
          Websites that show your episodes, each in its own post. You can connect up to{' '}
          <Plural value={maxSites} one="# site" other="# sites" />. Changing your password
          disconnects them all.
        </Trans>
      </p>
      <QueryView query={sites}>
        {({ pages }) => <SiteList sites={pages.flatMap((page) => page.data)} />}
      </QueryView>
      {sites.hasNextPage && (
        <Button isPending={sites.isFetchingNextPage} onPress={() => sites.fetchNextPage()}>
          {t`More sites`}
        </Button>
      )}
    </Page>
  );
}

function SiteList({ sites }: { readonly sites: readonly Site[] }) {
  const { t } = useLingui();
  const connected = sites.filter((site) => site.is_connected);
  const ended = sites.filter((site) => !site.is_connected);
  if (sites.length === 0) return <FirstSteps />;
  return (
    <>
      <Cards label={t`Connected sites`}>
        {connected.map((site) => (
          <SiteCard key={site.id} of={site} />
        ))}
      </Cards>
      {ended.length > 0 && (
        <>
          <h2 className={styles['heading']}>
            <Trans>No longer connected</Trans>
          </h2>
          <Cards>
            {ended.map((site) => (
              <SiteCard key={site.id} of={site} level={3} />
            ))}
          </Cards>
        </>
      )}
    </>
  );
}

function SiteCard({ of: site, level = 2 }: { readonly of: Site; readonly level?: 2 | 3 }) {
  const { t } = useLingui();
  const isOpen = site.is_connected;
  const errors = site.sync_error_count;
  return (
    <Card
      level={level}
      title={
        <>
          <Link to="/settings/sites/$siteId" params={{ siteId: site.id }} dir="auto">
            {site.site_name ?? shortAddress(site.site_url)}
          </Link>
          <SiteStatus of={site} />
        </>
      }
      about={<SiteAddress url={site.site_url} />}
    >
      <DescriptionList
        of={[
          [t`Shows`, <SiteShowsList key="shows" of={site} />],
          [t`Changes`, isOpen && <SiteProgress of={site} />],
          [
            t`Last sync`,
            isOpen &&
              (site.last_sync_at === null ? (
                t`not reported yet`
              ) : (
                <LocalMoment of={site.last_sync_at} />
              )),
          ],
          [t`Versions`, isOpen && <SiteVersions of={site} />],
          [t`Expires`, isOpen && <LocalMoment of={site.expires_at} />],
          [t`Ended`, site.ended_at !== null && <LocalMoment of={site.ended_at} />],
          [
            t`Errors`,
            errors > 0 && (
              <Plural
                value={errors}
                one="# since it was connected"
                other="# since it was connected"
              />
            ),
          ],
        ]}
      />
      <PingTrouble of={site} />
    </Card>
  );
}
