import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type Acceptance,
  acceptReplacement,
  cancelReplacement,
  replacementQuery,
} from '../../api/recording.ts';
import { Loading } from '../../components/loading.tsx';
import type { Recording } from '../recording.ts';
import { ReplacementReview } from './replacement-review.tsx';

interface Props {
  readonly recording: Recording;
}

/** The audio that somebody has proposed for the episode; empty if there is none. */
export function EpisodeReplacement({ recording }: Props) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const { episodeId } = recording;
  const { data: proposed } = useQuery(replacementQuery(episodeId));
  const afresh = () => queries.invalidateQueries({ queryKey: ['episode', episodeId] });
  const accept = useMutation({
    mutationFn: (acceptance: Acceptance) => {
      if (proposed == null) throw new Error('nothing is proposed');
      return acceptReplacement(proposed, acceptance);
    },
    onSettled: afresh,
  });
  const cancel = useMutation({
    mutationFn: async () => {
      if (proposed != null) await cancelReplacement(proposed);
    },
    onSettled: afresh,
  });
  if (proposed == null) return null;
  if (proposed.state === 'waiting') {
    return (
      <>
        <Loading label={t`Comparing the new recording with the present one…`} />
        <p className="meta">
          <Trans>This takes some seconds for each hour. You may leave this page meanwhile.</Trans>
        </p>
      </>
    );
  }
  return (
    <ReplacementReview
      proposed={proposed}
      oldPeaks={recording.peaks}
      isPending={accept.isPending || cancel.isPending}
      error={accept.error ?? cancel.error}
      onAccept={(acceptance) => accept.mutate(acceptance)}
      onCancel={() => cancel.mutate()}
    />
  );
}
