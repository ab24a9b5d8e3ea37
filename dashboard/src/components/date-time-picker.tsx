import type { CalendarDateTime, DateValue } from '@internationalized/date';
import { CalendarDays, ChevronLeft, ChevronRight } from 'lucide-react';
import {
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
} from 'react-aria-components/Calendar';
import { DateInput, DateSegment } from 'react-aria-components/DateField';
import { DatePicker } from 'react-aria-components/DatePicker';
import { Dialog } from 'react-aria-components/Dialog';
import { Group } from 'react-aria-components/Group';
import { Heading } from 'react-aria-components/Heading';
import { Label } from 'react-aria-components/Label';
import { Popover } from 'react-aria-components/Popover';
import styles from './date-time-picker.module.css';
import fieldStyles from './field.module.css';
import { TriggerButton } from './trigger-button.tsx';

interface Props {
  readonly label: string;
  /** As the clocks show it. Without a zone, because with one the field would correct what is typed. */
  readonly value: CalendarDateTime;
  readonly onChange: (value: CalendarDateTime) => void;
}

/** A day and a time: typed part by part, or the day chosen in a calendar. */
export function DateTimePicker({ label, value, onChange }: Props) {
  return (
    <DatePicker<DateValue>
      value={value}
      onChange={(next) => next !== null && onChange(next as CalendarDateTime)}
      granularity="minute"
      className={fieldStyles['field'] ?? ''}
    >
      <Label className={fieldStyles['label'] ?? ''}>{label}</Label>
      <Group className={styles['group'] ?? ''}>
        <DateInput className={styles['input'] ?? ''}>
          {(segment) => <DateSegment segment={segment} className={styles['segment'] ?? ''} />}
        </DateInput>
        <TriggerButton kind="quiet" size="icon">
          <CalendarDays size={18} aria-hidden="true" />
        </TriggerButton>
      </Group>
      <Popover className={styles['popover'] ?? ''}>
        <Dialog className={styles['dialog'] ?? ''}>
          <MonthCalendar />
        </Dialog>
      </Popover>
    </DatePicker>
  );
}

function MonthCalendar() {
  return (
    <Calendar>
      <header className={styles['head']}>
        <TriggerButton kind="quiet" size="icon" slot="previous">
          <ChevronLeft size={18} aria-hidden="true" className={styles['arrow']} />
        </TriggerButton>
        <Heading className={styles['month'] ?? ''} />
        <TriggerButton kind="quiet" size="icon" slot="next">
          <ChevronRight size={18} aria-hidden="true" className={styles['arrow']} />
        </TriggerButton>
      </header>
      <CalendarGrid>
        <CalendarGridHeader>
          {(day) => (
            <CalendarHeaderCell className={styles['weekday'] ?? ''}>{day}</CalendarHeaderCell>
          )}
        </CalendarGridHeader>
        <CalendarGridBody>
          {(date) => <CalendarCell date={date} className={styles['day'] ?? ''} />}
        </CalendarGridBody>
      </CalendarGrid>
    </Calendar>
  );
}
