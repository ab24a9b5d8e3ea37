import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type FeedNotification, feedNotificationsQuery } from '../../api/show-settings.ts';
import { Card, Cards } from '../../components/card.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { LocalMoment } from '../../components/moment.tsx';
import { QueryView } from '../../components/query-view.tsx';
import styles from './show.module.css';

/** Who is notified of changes of the feed, and how that went. */
export function FeedNotifications({ podcastId }: { readonly podcastId: string }) {
  const { t } = useLingui();
  const query = useQuery({ ...feedNotificationsQuery(podcastId), refetchInterval: 15_000 });
  return (
    <QueryView query={query}>
      {({ channels, subscribers }) => (
        <section className={styles['announcements']}>
          <h2>
            <Trans>Announcements</Trans>
          </h2>
          <p>
            <Trans>
              Changes of the feed are announced within seconds, so that apps show new episodes
              sooner.
            </Trans>
          </p>
          <Cards label={t`Announcements`}>
            {channels.map((channel) => (
              <ChannelCard key={channel.url ?? channel.channel} of={channel} />
            ))}
          </Cards>
          {subscribers !== null && subscribers.count > 0 && <Subscribers of={subscribers} />}
        </section>
      )}
    </QueryView>
  );
}

function ChannelCard({ of }: { readonly of: FeedNotification }) {
  const { t } = useLingui();
  const host = of.url === null ? '' : new URL(of.url).host;
  const names = { podcast_index: 'Podcast Index', podping: 'podping', hub: t`WebSub hub ${host}` };
  const moment = (at: string | null) => at !== null && <LocalMoment of={at} />;
  return (
    <Card title={names[of.channel]}>
      {of.is_told ? (
        <DescriptionList
          of={[
            [t`Last announcement`, moment(of.told_at) || t`None yet`],
            [t`Last attempt`, of.last_error !== null && moment(of.sent_at)],
            [t`Result`, of.last_error !== null && <Failure of={of} />],
            [t`Next attempt`, moment(of.next_at)],
          ]}
        />
      ) : (
        <p>
          <Trans>
            Only active shows that directories may list are announced here, if the service has an
            https URL.
          </Trans>
        </p>
      )}
    </Card>
  );
}

function Failure({ of: { last_status: status, last_error: error } }: { of: FeedNotification }) {
  if (status !== null) return <Trans>Refused with status {status}</Trans>;
  if (error === 'timeout') return <Trans>No response</Trans>;
  return <Trans>Not reached</Trans>;
}

function Subscribers({
  of,
}: {
  readonly of: { readonly count: number; readonly failing: number };
}) {
  const { count, failing } = of;
  return (
    <p>
      <Plural
        value={count}
        one="# app has subscribed to the feed and gets each change."
        other="# apps have subscribed to the feed and get each change."
      />{' '}
      {failing > 0 && (
        <Plural
          value={failing}
          one="# of them didn’t get the last one."
          other="# of them didn’t get the last one."
        />
      )}
    </p>
  );
}
