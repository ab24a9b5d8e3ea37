import { Trans, useLingui } from '@lingui/react/macro';
import { lazy, Suspense, useState } from 'react';
import { formatRfc2822 } from '../../../../server/src/lib/time.ts';
import type { EpisodeDraft } from '../../api/episode.ts';
import { Button } from '../../components/button.tsx';
import { formatDateTime } from '../../lib/format.ts';
import { describeZone } from '../../lib/time-zone.ts';
import { type Action, useScreenActions } from '../../shell/screen-actions.ts';
import { useEditing } from './editing.ts';
import styles from './episode.module.css';
import type { EpisodeFields } from './episode-fields.ts';
import { Missing } from './missing.tsx';
import { formatDistance } from './publication-words.ts';
import { Section } from './section.tsx';
import { useStatus } from './use-status.ts';
import { useZone } from './use-zone.ts';

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
          <Trans>Your role does not publish episodes. Somebody of the team can.</Trans>
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

const canBePublic = ({ audio }: EpisodeDraft, { title }: EpisodeFields): boolean =>
  audio !== null && title.trim() !== '';

/** The same actions for the command palette. */
function usePublishingActions(
  { publish, unpublish }: ReturnType<typeof useStatus>,
  schedule: () => void,
): readonly Action[] {
  const { t } = useLingui();
  const { episode, values } = useEditing();
  if (!episode.may.publish) return [];
  const isReady = canBePublic(episode, values);
  const is = episode.status;
  return [
    ...(isReady && is !== 'published'
      ? [
          { id: 'publish', name: t`Publish this episode now`, act: publish },
          { id: 'schedule', name: t`Schedule this episode`, act: schedule },
        ]
      : []),
    ...(is === 'draft'
      ? []
      : [{ id: 'unpublish', name: t`Make this episode a draft`, act: unpublish }]),
  ];
}

function Present() {
  const { episode } = useEditing();
  const zone = useZone();
  const { status, published_at: published, scheduled_for: scheduled } = episode;
  const at = status === 'scheduled' ? scheduled : status === 'published' ? published : null;
  if (at === null) {
    return (
      <p>
        {status === 'archived' ? (
          <Trans>Archived: nobody outside of the team sees it.</Trans>
        ) : (
          <Trans>A draft: nobody outside of the team sees it.</Trans>
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

function Actions({ status: { isPending, ...status }, onSchedule }: ActionsProps) {
  const { episode, values } = useEditing();
  const isReady = canBePublic(episode, values);
  const is = episode.status;
  const isPrivate = is !== 'published' && is !== 'scheduled';
  return (
    <div className={styles['actions']}>
      {isPrivate && (
        <Button kind="primary" onPress={status.publish} isDisabled={!isReady} isPending={isPending}>
          <Trans>Publish now</Trans>
        </Button>
      )}
      {isPrivate && (
        <Button onPress={onSchedule} isDisabled={!isReady} isPending={isPending}>
          <Trans>Schedule…</Trans>
        </Button>
      )}
      {is === 'scheduled' && (
        <>
          <Button onPress={onSchedule} isPending={isPending}>
            <Trans>Change the time…</Trans>
          </Button>
          <Button onPress={status.publish} isPending={isPending}>
            <Trans>Publish now</Trans>
          </Button>
        </>
      )}
      {is !== 'draft' && (
        <Button kind="quiet" onPress={status.unpublish} isPending={isPending}>
          {is === 'published' ? <Trans>Unpublish</Trans> : <Trans>Back to draft</Trans>}
        </Button>
      )}
      {is !== 'archived' && is !== 'draft' && (
        <Button kind="quiet" onPress={status.archive} isPending={isPending}>
          <Trans>Archive</Trans>
        </Button>
      )}
    </div>
  );
}
