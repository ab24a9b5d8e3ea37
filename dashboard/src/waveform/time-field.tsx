import { useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { tryParseTime, writeTime } from './times.ts';
import styles from './waveform.module.css';

interface Props {
  readonly label: string;
  readonly seconds: number;
  readonly onChange: (seconds: number) => void;
  /** It is a time, and cannot be taken. */
  readonly isInvalid?: boolean;
  readonly describedBy?: string | undefined;
}

/**
 * A time such as 1:02:03.5. It is read when the person leaves the field; other text is reported.
 */
export function TimeField({ label, seconds, onChange, isInvalid = false, describedBy }: Props) {
  const { t } = useLingui();
  const [text, setText] = useState(writeTime(seconds));
  useEffect(() => setText(writeTime(seconds)), [seconds]);
  const read = tryParseTime(text);
  const commit = () => {
    if (read === undefined) return;
    setText(writeTime(read));
    if (read !== seconds) onChange(read);
  };
  return (
    <span className={styles['time']}>
      <input
        aria-label={label}
        aria-invalid={read === undefined || isInvalid}
        aria-describedby={describedBy}
        className={styles['input']}
        dir="ltr"
        inputMode="text"
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => event.key === 'Enter' && commit()}
      />
      {read === undefined && (
        <span className={styles['problem']} role="alert">
          {t`Enter a time such as 1:02:03.`}
        </span>
      )}
    </span>
  );
}
