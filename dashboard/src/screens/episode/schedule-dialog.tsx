import { now, parseAbsolute, type ZonedDateTime } from '@internationalized/date';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { formatRfc2822 } from '../../../../server/src/lib/time.ts';
import { Button } from '../../components/button.tsx';
import { DateTimePicker } from '../../components/date-time-picker.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { formatDateTime } from '../../lib/format.ts';
import { findClockChange, formatOffset, offsetMinutes } from '../../lib/time-zone.ts';
import { useEditing } from './editing.ts';
import styles from './episode.module.css';
import { formatDistance } from './publication-words.ts';
import { readersZone, useZone } from './use-zone.ts';

interface Props {
  readonly onClose: () => void;
  /** ISO 8601, UTC. */
  readonly onSchedule: (at: string) => void;
}

/** A time in the show's zone. It explains everything that could be misunderstood. */
export function ScheduleDialog({ onClose, onSchedule }: Props) {
  const { t } = useLingui();
  const { episode } = useEditing();
  const zone = useZone();
  const [value, setValue] = useState<ZonedDateTime>(() => {
    const { scheduled_for: scheduled } = episode;
    return scheduled === null ? tomorrowMorning(zone) : parseAbsolute(scheduled, zone);
  });
  const moment = value.toDate();
  const isPast = moment.getTime() <= Date.now();
  return (
    <Dialog isOpen title={t`When should it appear?`} onClose={onClose}>
      <DateTimePicker
        label={t`Day and time in ${zone}`}
        value={value}
        onChange={setValue}
        problem={isPast ? t`This time has passed.` : undefined}
      />
      <Facts moment={moment} zone={zone} />
      <div className={styles['actions']}>
        <Button
          kind="primary"
          isDisabled={isPast}
          onPress={() => onSchedule(value.toAbsoluteString())}
        >
          <Trans>Schedule</Trans>
        </Button>
        <Button onPress={onClose}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </Dialog>
  );
}

function Facts({ moment, zone }: { readonly moment: Date; readonly zone: string }) {
  const iso = moment.toISOString();
  const own = readersZone();
  const offset = formatOffset(offsetMinutes(moment, zone));
  const isElsewhere = offsetMinutes(moment, own) !== offsetMinutes(moment, zone);
  const change = findClockChange(moment, zone);
  const [distance, exact] = [formatDistance(moment), formatRfc2822(moment)];
  return (
    <div className={styles['facts']} aria-live="polite">
      <p>
        <Trans>
          {distance}: {formatDateTime(iso, zone)} ({offset})
        </Trans>
      </p>
      {isElsewhere && (
        <p>
          <Trans>
            Where you are ({own}): {formatDateTime(iso, own)}
          </Trans>
        </p>
      )}
      <p className="meta">
        <Trans>
          In the feed: <span className={styles['exact']}>{exact}</span>
        </Trans>
      </p>
      {change !== undefined && (
        <Notice tone="warn">
          <Trans>
            The clocks change at that time: from {formatOffset(change.before)} to{' '}
            {formatOffset(change.after)}, on {formatDateTime(change.at.toISOString(), zone)}. The
            episode appears at {offset}.
          </Trans>
        </Notice>
      )}
    </div>
  );
}

function tomorrowMorning(zone: string): ZonedDateTime {
  return now(zone).add({ days: 1 }).set({ hour: 9, minute: 0, second: 0, millisecond: 0 });
}
