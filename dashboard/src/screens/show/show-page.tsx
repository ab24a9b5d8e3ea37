import type { ReactNode } from 'react';
import type { ShowSettings } from '../../api/show-settings.ts';
import { Page } from '../../components/page.tsx';
import { NothingHere, QueryView } from '../../components/query-view.tsx';
import { useShowSettings } from './use-show-settings.ts';

interface Props {
  readonly title: string;
  /** The permission that the screen needs; without it, nothing is shown. */
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
