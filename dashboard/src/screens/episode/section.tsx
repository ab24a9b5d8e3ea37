import { type ReactNode, useId } from 'react';
import styles from './episode.module.css';

interface Props {
  readonly title: string;
  readonly children: ReactNode;
}

/** A part of the screen, under its heading. */
export function Section({ title, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles['section']}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
