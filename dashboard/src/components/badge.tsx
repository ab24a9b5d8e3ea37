import type { ReactNode } from 'react';
import styles from './badge.module.css';
import type { Tone } from './notice.tsx';

export function Badge({ tone, children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return (
    <span className={`${styles['badge']} ${tone === undefined ? '' : styles[tone]}`}>
      {children}
    </span>
  );
}
