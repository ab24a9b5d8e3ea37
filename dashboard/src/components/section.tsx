import { type ReactNode, useId } from 'react';
import styles from './section.module.css';

interface Props {
  readonly title: string;
  /** Its purpose; beside the content if there is room. */
  readonly about?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a settings screen: its name, its purpose, and its controls. */
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
