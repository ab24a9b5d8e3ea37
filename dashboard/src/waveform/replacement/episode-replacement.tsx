import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/errors.ts';
import {
  type Acceptance,
  type AudioReplacement,
  acceptReplacement,
  cancelReplacement,
  replacementQuery,
} from '../../api/recording.ts';
import { Loading } from '../../components/loading.tsx';
import type { Recording } from '../recording.ts';
import { ReplacementReview } from './replacement-review.tsx';

interface Props {
  readonly recording: Recording;
  /** Saves what the person has typed. */
  readonly save: () => Promise<unknown>;
}

/** The audio that somebody has proposed for the episode; empty if there is none. */
export function EpisodeReplacement({ recording, save }: Props) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const { episodeId } = recording;
  const { data: proposed } = useQuery(replacementQuery(episodeId));
  const afresh = () => queries.invalidateQueries({ queryKey: ['episode', episodeId] });
  const accept = useMutation({
    async mutationFn(acceptance: Acceptance) {
      await save();
      // The episode may have changed since; what matters is that the audio does what was shown.
      const current = await queries.fetchQuery({ ...replacementQuery(episodeId), staleTime: 0 });
      if (current === null || effectOf(current) !== effectOf(proposed)) {
        const message = t`The chapters or the transcript have changed. Check what will happen to them, then try again.`;
        throw new ApiError({ status: 412, code: 'precondition_failed', message });
      }
      return acceptReplacement(current, acceptance);
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
        <Loading label={t`Comparing the new recording with the current one…`} />
        <p className="meta">
          <Trans>This takes a few seconds per hour of audio. You can leave this page.</Trans>
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

/** Everything that the person sees of a proposal. */
const effectOf = (proposed: AudioReplacement | null | undefined): string =>
  JSON.stringify(proposed && { ...proposed, revision: 0 });
