import type { ReactNode } from 'react';
import type { ShowSettings } from '../../api/show-settings.ts';
import { Page } from '../../components/page.tsx';
import { NothingHere, QueryView } from '../../components/query-view.tsx';
import { useShowSettings } from './use-show-settings.ts';

interface Props {
  readonly title: string;
  /** What the person must be allowed to do; else there is nothing here. */
  readonly needs?: (may: ShowSettings['may']) => boolean;
  readonly children: (show: ShowSettings) => ReactNode;
}

/** One of the screens of a show's settings. */
export function ShowPage({ title, needs, children }: Props) {
  const query = useShowSettings();
  return (
    <Page title={title} within={query.data?.title}>
      <QueryView query={query}>
        {(show) => (needs?.(show.may) === false ? <NothingHere /> : children(show))}
      </QueryView>
    </Page>
  );
}
