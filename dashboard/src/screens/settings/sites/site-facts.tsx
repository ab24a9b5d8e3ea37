import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Site } from '../../../api/sites.ts';
import { DescriptionList } from '../../../components/description-list.tsx';
import { Moment } from '../../../components/moment.tsx';
import { SiteShowsList } from './site-shows-list.tsx';
import { isConnected, SiteProgress, SiteVersions } from './site-words.tsx';

export function SiteFacts({ of: site }: { readonly of: Site }) {
  const { t } = useLingui();
  const isOpen = isConnected(site);
  const { last_sync_at: lastSyncAt, sync_error_count: errors } = site;
  return (
    <DescriptionList
      of={[
        [t`Shows`, <SiteShowsList key="shows" shows={site.shows} />],
        [t`Transcripts`, site.transcripts ? t`included` : t`not included`],
        [t`Changes`, <SiteProgress key="progress" of={site} />],
        [
          t`Last sync`,
          lastSyncAt === null ? t`not reported yet` : <Moment key="sync" of={lastSyncAt} />,
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
        [t`Runs on`, <SiteVersions key="versions" of={site} />],
        [t`Connected`, <Moment key="connected" of={site.connected_at} />],
        [
          t`Expires`,
          isOpen && (
            <Trans>
              <Moment of={site.expires_at} />; connect the site again before
            </Trans>
          ),
        ],
        [t`Ended`, !isOpen && <Moment of={site.ended_at ?? site.expires_at} />],
      ]}
    />
  );
}
