import { useLingui } from '@lingui/react/macro';
import { Badge } from './badge.tsx';
import type { Tone } from './notice.tsx';

type Status = 'published' | 'scheduled' | 'draft' | 'pending_confirmation' | 'archived';

const tones: Readonly<Record<Status, Tone | undefined>> = {
  published: 'good',
  scheduled: 'info',
  draft: undefined,
  pending_confirmation: 'warn',
  archived: undefined,
};

export function useStatusNames(): Readonly<Record<Status, string>> {
  const { t } = useLingui();
  return {
    published: t`Published`,
    scheduled: t`Scheduled`,
    draft: t`Draft`,
    pending_confirmation: t`Needs attention`,
    archived: t`Archived`,
  };
}

/** The status of an episode. */
export function StatusBadge({ status }: { readonly status: Status }) {
  const names = useStatusNames();
  const tone = tones[status];
  return <Badge {...(tone !== undefined && { tone })}>{names[status]}</Badge>;
}
