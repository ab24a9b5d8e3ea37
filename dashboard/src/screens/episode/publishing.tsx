import { Trans, useLingui } from '@lingui/react/macro';
import { CircleAlert, Info } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { formatRfc2822 } from '../../../../server/src/lib/time.ts';
import { Button } from '../../components/button.tsx';
import { formatDateTime } from '../../lib/format.ts';
import { describeZone } from '../../lib/time-zone.ts';
import { mayDo, statusActions, useStatusActionNames } from '../../publication/status-actions.ts';
import { type Action, useScreenActions } from '../../shell/screen-actions.ts';
import { useShowZone } from '../../shell/use-show.ts';
import { useEditing } from './editing.ts';
import styles from './episode.module.css';
import { isPublic } from './episode-fields.ts';
import { formatDistance } from './publication-words.ts';
import { Section } from './section.tsx';
import { useStatus } from './use-status.ts';

/** Loaded when somebody schedules, because it contains the calendar. */
const ScheduleDialog = lazy(async () => {
  const { ScheduleDialog: component } = await import('./schedule-dialog.tsx');
  return { default: component };
});

/** Whether and when the episode is public, and buttons to change that. */
export function Publishing() {
  const { t } = useLingui();
  const { episode } = useEditing();
  const [isScheduling, setScheduling] = useState(false);
  const status = useStatus();
  const onSchedule = () => setScheduling(true);
  useScreenActions(usePublishingActions(status, onSchedule));
  return (
    <Section title={t`Publication`}>
      <Present />
      <Missing />
      {episode.may.publish ? (
        <Actions status={status} onSchedule={onSchedule} />
      ) : (
        <p className="meta">
          <Trans>Your role can’t publish episodes. Ask someone on your team.</Trans>
        </p>
      )}
      {isScheduling && (
        <Suspense fallback={null}>
          <ScheduleDialog
            onClose={() => setScheduling(false)}
            onSchedule={(at) => {
              setScheduling(false);
              void status.schedule(at);
            }}
          />
        </Suspense>
      )}
    </Section>
  );
}

/** The same actions for the command palette. */
function usePublishingActions(
  { publish, unpublish, archive }: ReturnType<typeof useStatus>,
  schedule: () => void,
): readonly Action[] {
  const { t } = useLingui();
  const { episode } = useEditing();
  const isPublished = episode.status === 'published';
  const actions = {
    publish: { name: t`Publish this episode now`, act: publish },
    schedule: { name: t`Schedule this episode`, act: schedule },
    unpublish: {
      name: isPublished ? t`Unpublish this episode` : t`Return this episode to draft`,
      act: unpublish,
    },
    archive: { name: t`Archive this episode`, act: archive },
  };
  return statusActions
    .filter((action) => mayDo(action, episode))
    .map((action) => ({ id: action, ...actions[action] }));
}

function Present() {
  const { episode } = useEditing();
  const zone = useShowZone(episode.podcast_id);
  const { status, published_at: published, scheduled_for: scheduled } = episode;
  const at = status === 'scheduled' ? scheduled : status === 'published' ? published : null;
  if (at === null) {
    return (
      <p>
        {status === 'archived' ? (
          <Trans>
            Archived. Only your team can see it. To publish it, return it to draft first.
          </Trans>
        ) : (
          <Trans>Draft. Only your team can see it.</Trans>
        )}
      </p>
    );
  }
  const moment = new Date(at);
  const local = `${formatDateTime(at, zone)} (${describeZone(moment, zone)})`;
  const distance = formatDistance(moment);
  return (
    <>
      <p>
        {status === 'scheduled' ? (
          <Trans>
            Appears <b>{distance}</b>: {local}.
          </Trans>
        ) : (
          <Trans>
            Published {distance}: {local}.
          </Trans>
        )}
      </p>
      <p className="meta">
        <Trans>
          In the feed: <span className={styles['exact']}>{formatRfc2822(moment)}</span>
        </Trans>
      </p>
    </>
  );
}

interface ActionsProps {
  readonly status: ReturnType<typeof useStatus>;
  readonly onSchedule: () => void;
}

/** What the server accepts now. The menu of the episode can archive it. */
function Actions({ status, onSchedule }: ActionsProps) {
  const { episode, values } = useEditing();
  const names = useStatusActionNames()(episode.status);
  const act = { ...status, schedule: onSchedule };
  const isPrivate = episode.status !== 'scheduled';
  const hasTitle = values.title.trim() !== '';
  return (
    <div className={styles['actions']}>
      {(['publish', 'schedule', 'unpublish'] as const)
        .filter((action) => mayDo(action, episode))
        .map((action) => (
          <Button
            key={action}
            kind={action === 'publish' && isPrivate ? 'primary' : 'plain'}
            onPress={() => void act[action]()}
            isDisabled={action !== 'unpublish' && !hasTitle}
            isPending={status.isPending}
          >
            {names[action]}
          </Button>
        ))}
    </div>
  );
}

/** What is missing for the publication of the episode, and what is recommended. */
function Missing() {
  const { t } = useLingui();
  const { episode, values } = useEditing();
  const noAudioYet = t`No audio yet: without it, the episode isn’t in the feed.`;
  const audio = {
    published: t`No audio: the episode is public on its page and in the API, but not in the feed.`,
    scheduled: t`No audio: the episode will be public on its page and in the API, but not in the feed.`,
    draft: noAudioYet,
    pending_confirmation: noAudioYet,
    archived: noAudioYet,
  };
  const needed = [
    ...(episode.audio === null ? [audio[episode.status]] : []),
    ...(values.title.trim() === '' ? [t`The title is missing.`] : []),
  ];
  const hidesTranscript = episode.transcript !== null && !values.publish_transcript;
  const advised = [
    ...(values.description.trim() === '' && !isPublic(episode)
      ? [t`No description: apps have nothing to show about the episode.`]
      : []),
    ...(hidesTranscript ? [t`The transcript isn’t public yet.`] : []),
  ];
  if (needed.length + advised.length === 0) return null;
  return (
    <ul className={styles['missing']}>
      {needed.map((text) => (
        <li key={text} data-needed="">
          <CircleAlert size={16} aria-hidden="true" />
          {text}
        </li>
      ))}
      {advised.map((text) => (
        <li key={text}>
          <Info size={16} aria-hidden="true" />
          {text}
        </li>
      ))}
    </ul>
  );
}
