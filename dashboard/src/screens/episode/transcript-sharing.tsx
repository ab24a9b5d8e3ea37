import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Checkbox } from '../../components/checkbox.tsx';
import { useEditing, useField } from './editing.ts';

/** Who may read the transcript, in addition to those who edit it. */
export function TranscriptSharing() {
  const { values } = useEditing();
  return (
    <>
      <Choice name="publish_transcript">
        <Trans>Public: on the episode’s page, in the player, and in apps through the feed</Trans>
      </Choice>
      <Choice name="share_transcript_with_cohosts">
        <Trans>
          Shared with the team: everyone who can see this episode can read it, including co-hosts
        </Trans>
      </Choice>
      {!values.publish_transcript && (
        <p className="meta">
          <Trans>Listeners don’t see this transcript yet.</Trans>
        </p>
      )}
    </>
  );
}

interface Props {
  readonly name: 'publish_transcript' | 'share_transcript_with_cohosts';
  readonly children: ReactNode;
}

function Choice({ name, children }: Props) {
  const { episode } = useEditing();
  const { value, onChange, onBlur, isReadOnly } = useField(name);
  return (
    <Checkbox
      isSelected={value}
      onChange={onChange}
      onBlur={onBlur}
      isDisabled={isReadOnly || !episode.may.transcript}
    >
      {children}
    </Checkbox>
  );
}
