import { useLingui } from '@lingui/react/macro';
import type { Choice } from '../../../components/radio-group.tsx';

/** The choices of the forms about keys, in words. */

export const scopes = [
  'podcasts:read',
  'analytics:read',
  'episodes:read',
  'transcripts:read',
] as const;
export type Scope = (typeof scopes)[number];

export function useScopeLabels(): Readonly<Record<Scope, string>> {
  const { t } = useLingui();
  return {
    'podcasts:read': t`Shows, and your role in each`,
    'analytics:read': t`Downloads of the shows you own`,
    'episodes:read': t`Episodes with notes and people, including drafts and scheduled ones`,
    'transcripts:read': t`Transcripts`,
  };
}

export type Days = '30' | '90' | '180' | '365';

export function useExpiryChoices(): Choice<Days>[] {
  const { t } = useLingui();
  return [
    { value: '30', label: t`in 30 days` },
    { value: '90', label: t`in 90 days` },
    { value: '180', label: t`in 180 days` },
    { value: '365', label: t`in one year` },
  ];
}

export type Grace = 'none' | '1h' | '24h';

export function useGraceChoices(): Choice<Grace>[] {
  const { t } = useLingui();
  return [
    { value: 'none', label: t`Stops working immediately` },
    { value: '1h', label: t`Works for one more hour` },
    { value: '24h', label: t`Works for 24 more hours` },
  ];
}
