import { useLingui } from '@lingui/react/macro';
import type { ListedImport } from '../../api/imports.ts';
import { Badge } from '../../components/badge.tsx';

export const phases = ['feed', 'episodes', 'images', 'texts', 'audio'] as const;

export function usePhaseWords(): Readonly<Record<string, string>> {
  const { t } = useLingui();
  return {
    queued: t`Waiting for its turn`,
    waiting: t`Waiting for another import of this show`,
    feed: t`Reading the feed`,
    episodes: t`Episodes`,
    images: t`Pictures`,
    texts: t`Transcripts and chapters`,
    audio: t`Audio`,
  };
}

type Stated = Pick<ListedImport, 'state' | 'dry_run'>;

export function ImportState({ of: { state, dry_run: isDry } }: { readonly of: Stated }) {
  const { t } = useLingui();
  switch (state) {
    case 'running':
      return <Badge tone="info">{isDry ? t`Checking the feed` : t`Running`}</Badge>;
    case 'finished':
      return <Badge tone={isDry ? 'info' : 'good'}>{isDry ? t`Preview` : t`Imported`}</Badge>;
    case 'failed':
      return <Badge tone="bad">{t`Failed`}</Badge>;
    default:
      return <Badge tone="warn">{t`Cancelled`}</Badge>;
  }
}

/** Host and path of a feed, for titles. */
export function shortFeed(url: string | null): string | undefined {
  const parsed = url === null ? null : URL.parse(url);
  return parsed === null ? undefined : `${parsed.host}${parsed.pathname}`;
}
