import { type ReactNode, useId } from 'react';
import styles from './section.module.css';

interface Props {
  readonly title: string;
  /** What it is about; beside the content where there is room. */
  readonly about?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a settings screen: its name and purpose, and what one does there. */
export function Section({ title, about, children }: Props) {
  const id = useId();
  return (
    <section className={styles['section']} aria-labelledby={id}>
      <header>
        <h2 id={id} className={styles['title']}>
          {title}
        </h2>
        {about !== undefined && <div className={styles['about']}>{about}</div>}
      </header>
      <div className={styles['content']}>{children}</div>
    </section>
  );
}
