import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { maxCountedChanges } from '../../../../../server/src/lib/limits.ts';
import type { Site, SitePost } from '../../../api/sites.ts';
import { Badge } from '../../../components/badge.tsx';
import { LocalMoment } from '../../../components/moment.tsx';
import { formatNumber } from '../../../lib/format.ts';

/** Texts about sites. */

export function SiteStatus({ of: { status } }: { readonly of: Site }) {
  const { t } = useLingui();
  switch (status) {
    case 'active':
      return <Badge tone="good">{t`Connected`}</Badge>;
    case 'pending':
      return <Badge tone="warn">{t`Not finished`}</Badge>;
    case 'revoked':
      return <Badge tone="bad">{t`Disconnected by the site`}</Badge>;
    default:
      return <Badge tone="bad">{t`Disconnected`}</Badge>;
  }
}

/** How far the site has come with the changes of its shows. */
export function SiteProgress({ of: { last_call: lastCall } }: { readonly of: Site }) {
  if (lastCall === null) return <Trans>The site hasn’t checked for changes yet.</Trans>;
  const { behind, at } = lastCall;
  const asked = <LocalMoment of={at} />;
  if (behind === 0) return <Trans>Up to date; last checked {asked}</Trans>;
  if (behind >= maxCountedChanges) {
    const most = formatNumber(maxCountedChanges);
    return (
      <Trans>
        {most} or more changes behind; last checked {asked}
      </Trans>
    );
  }
  return (
    <Trans>
      <Plural value={behind} one="# change behind" other="# changes behind" />; last checked {asked}
    </Trans>
  );
}

export function SiteVersions({ of }: { readonly of: Site }) {
  const { plugin_version: plugin, wp_version: wordPress, php_version: php } = of;
  if (plugin === null) return <Trans>not reported yet</Trans>;
  return (
    <Trans>
      plugin {plugin}, WordPress {wordPress}, PHP {php}
    </Trans>
  );
}

export function useShowState(): (state: string) => string | undefined {
  const { t } = useLingui();
  const words: Readonly<Record<string, string>> = {
    deleted: t`deleted`,
    cut_off: t`its owner revoked access; connect the site again to add it`,
    left: t`you’re no longer on its team`,
    no_plan: t`its plan has lapsed or doesn’t include the API`,
    no_team_keys: t`its owner doesn’t let team members use keys`,
    silent: t`not currently published`,
  };
  return (state) => words[state];
}

export function usePostWords() {
  const { t } = useLingui();
  const states: Readonly<Record<string, string>> = {
    queued: t`Queued`,
    scheduled: t`Scheduled`,
    published: t`Published`,
    draft: t`Draft`,
    trashed: t`In the trash`,
  };
  const gone: Readonly<Record<string, string>> = {
    unpublished: t`Episode not public`,
    deleted: t`Episode deleted`,
    show_removed: t`Show removed`,
  };
  return {
    state: ({ state }: SitePost) => states[state] ?? state,
    /** Whether the post shows the present state of the episode. */
    freshness(post: SitePost) {
      if (post.detached_at !== null) return t`Detached`;
      if (post.gone !== null) return gone[post.gone] ?? post.gone;
      if (post.up_to_date === null) return t`Unknown`;
      return post.up_to_date ? t`Up to date` : t`Out of date`;
    },
  };
}
