import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { NavTabs } from '../../components/nav-tabs.tsx';
import { Page } from '../../components/page.tsx';
import { useShow } from '../../shell/use-show.ts';

interface Props {
  readonly podcastId: string;
  readonly title: string;
  readonly children: ReactNode;
}

/** A screen of statistics, with the way to the others. */
export function StatisticsPage({ podcastId, title, children }: Props) {
  const { t } = useLingui();
  const show = useShow(podcastId);
  const { episodeId } = useParams({ strict: false });
  const params = { podcastId };
  if (show !== undefined && !show.may.analytics) {
    return (
      <Page title={title} within={show.title}>
        <EmptyState title={t`Your role doesn’t include statistics`}>
          <Trans>Someone who manages this show’s team can change that.</Trans>
        </EmptyState>
      </Page>
    );
  }
  return (
    <>
      <NavTabs
        label={t`Statistics`}
        tabs={[
          {
            ...{ to: '/shows/$podcastId/statistics', params, label: t`Downloads` },
            // The address of an episode's statistics is below this one.
            isExact: episodeId === undefined,
          },
          { to: '/shows/$podcastId/statistics/platforms', params, label: t`Other platforms` },
        ]}
      />
      <Page title={title} within={show?.title}>
        {children}
      </Page>
    </>
  );
}
