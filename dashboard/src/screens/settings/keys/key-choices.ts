import { useLingui } from '@lingui/react/macro';
import type { KeyList } from '../../../api/keys.ts';
import type { Choice } from '../../../components/radio-group.tsx';

/** The choices that the server offers in the forms about keys, in words. */

type Choices = KeyList['choices'];
export type Scope = Choices['scopes'][number];
export type Days = Choices['expires_in_days'][number];
export type Grace = Choices['grace'][number];

export function useScopeLabels(): Readonly<Record<Scope, string>> {
  const { t } = useLingui();
  return {
    'podcasts:read': t`Shows, and your role in each`,
    'analytics:read': t`Downloads of the shows you own`,
    'episodes:read': t`Episodes with notes and people, including drafts and scheduled ones`,
    'transcripts:read': t`Transcripts`,
  };
}

export function useExpiryChoices({ expires_in_days: offered }: Choices): Choice<`${Days}`>[] {
  const { t } = useLingui();
  const labels: Readonly<Record<Days, string>> = {
    30: t`in 30 days`,
    90: t`in 90 days`,
    180: t`in 180 days`,
    365: t`in one year`,
  };
  return offered.map((days) => ({ value: `${days}` as const, label: labels[days] }));
}

export function useGraceChoices({ grace: offered }: Choices): Choice<Grace>[] {
  const { t } = useLingui();
  const labels: Readonly<Record<Grace, string>> = {
    none: t`Stops working immediately`,
    '1h': t`Works for one more hour`,
    '24h': t`Works for 24 more hours`,
  };
  return offered.map((value) => ({ value, label: labels[value] }));
}
