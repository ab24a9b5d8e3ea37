import {
  type CalendarDateTime,
  now,
  parseAbsolute,
  toCalendarDateTime,
} from '@internationalized/date';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { formatRfc2822 } from '../../../../server/src/lib/time.ts';
import { Button } from '../../components/button.tsx';
import { DateTimePicker } from '../../components/date-time-picker.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { RadioGroup } from '../../components/radio-group.tsx';
import { formatDateTime } from '../../lib/format.ts';
import {
  findClockChange,
  formatOffset,
  offsetMinutes,
  readersZone,
  readWallTime,
  type WallTime,
} from '../../lib/time-zone.ts';
import { useShowZone } from '../../shell/use-show.ts';
import { useEditing } from './editing.ts';
import styles from './episode.module.css';
import { formatDistance } from './publication-words.ts';

interface Props {
  readonly onClose: () => void;
  /** ISO 8601, UTC. */
  readonly onSchedule: (at: string) => void;
}

/** A time in the show's zone. It explains everything that could be misunderstood. */
export function ScheduleDialog({ onClose, onSchedule }: Props) {
  const { t } = useLingui();
  const { episode } = useEditing();
  const zone = useShowZone(episode.podcast_id);
  const { scheduled_for: scheduled } = episode;
  const [value, setValue] = useState<CalendarDateTime>(() =>
    scheduled === null ? tomorrowMorning(zone) : toCalendarDateTime(parseAbsolute(scheduled, zone)),
  );
  const wall = readWallTime(value.toDate('UTC'), zone);
  const [isSecond, setSecond] = useState(
    wall.occurs === 'twice' && scheduled === wall.again.toISOString(),
  );
  const moment = wall.occurs === 'twice' && isSecond ? wall.again : wall.at;
  return (
    <Dialog isOpen title={t`When should it appear?`} onClose={onClose}>
      <DateTimePicker label={t`Date and time in ${zone}`} value={value} onChange={setValue} />
      {wall.occurs === 'twice' && <Occurrence {...{ wall, zone, isSecond }} onChange={setSecond} />}
      <Facts {...{ moment, zone }} isSkipped={wall.occurs === 'never'} />
      <div className={styles['actions']}>
        <Button kind="primary" onPress={() => onSchedule(moment.toISOString())}>
          <Trans>Schedule</Trans>
        </Button>
        <Button onPress={onClose}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </Dialog>
  );
}

interface OccurrenceProps {
  readonly wall: WallTime & { readonly occurs: 'twice' };
  readonly zone: string;
  readonly isSecond: boolean;
  readonly onChange: (isSecond: boolean) => void;
}

function Occurrence({ wall: { at, again }, zone, isSecond, onChange }: OccurrenceProps) {
  const { t } = useLingui();
  const [first, second] = [at, again].map((moment) => formatOffset(offsetMinutes(moment, zone)));
  return (
    <RadioGroup
      label={t`The clocks go back, so this time occurs twice. Which one do you mean?`}
      value={isSecond ? 'second' : 'first'}
      onChange={(chosen) => onChange(chosen === 'second')}
      choices={[
        { value: 'first', label: t`The first (${first})` },
        { value: 'second', label: t`The second (${second})` },
      ]}
    />
  );
}

interface FactsProps {
  readonly moment: Date;
  readonly zone: string;
  /** The clocks skip the time that was typed. */
  readonly isSkipped: boolean;
}

function Facts({ moment, zone, isSkipped }: FactsProps) {
  const iso = moment.toISOString();
  const own = readersZone();
  const offset = formatOffset(offsetMinutes(moment, zone));
  const isPast = moment.getTime() <= Date.now();
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
            Your time ({own}): {formatDateTime(iso, own)}
          </Trans>
        </p>
      )}
      <p className="meta">
        <Trans>
          In the feed: <span className={styles['exact']}>{exact}</span>
        </Trans>
      </p>
      {isPast && (
        <Notice tone="warn">
          <Trans>This time is in the past, so the episode is published immediately.</Trans>
        </Notice>
      )}
      {isSkipped && change !== undefined && (
        <Notice tone="warn">
          <Trans>
            This time doesn’t exist because the clocks go from {formatOffset(change.before)} to{' '}
            {formatOffset(change.after)} on that day. The episode will appear at{' '}
            {formatDateTime(iso, zone)}.
          </Trans>
        </Notice>
      )}
      {!isSkipped && change !== undefined && (
        <Notice tone="warn">
          <Trans>
            The clocks change around that time: from {formatOffset(change.before)} to{' '}
            {formatOffset(change.after)} on {formatDateTime(change.at.toISOString(), zone)}. The
            episode will appear at {offset}.
          </Trans>
        </Notice>
      )}
    </div>
  );
}

function tomorrowMorning(zone: string): CalendarDateTime {
  const tomorrow = toCalendarDateTime(now(zone)).add({ days: 1 });
  return tomorrow.set({ hour: 9, minute: 0, second: 0, millisecond: 0 });
}
