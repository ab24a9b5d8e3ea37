import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './notice.module.css';

export type Tone = 'info' | 'good' | 'warn' | 'bad';

const icons = { info: Info, good: CircleCheck, warn: TriangleAlert, bad: CircleAlert };

interface Props {
  readonly tone: Tone;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

/** Something that the reader should know; screen readers announce a bad one at once. */
export function Notice({ tone, children, action }: Props) {
  const Icon = icons[tone];
  return (
    <div
      className={`${styles['notice']} ${styles[tone]}`}
      role={tone === 'bad' ? 'alert' : 'status'}
    >
      <Icon size={18} aria-hidden="true" />
      <div className={styles['text']}>{children}</div>
      {action}
    </div>
  );
}
