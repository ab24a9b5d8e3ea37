import type { ReactNode } from 'react';
import styles from './card.module.css';

/** A list whose items stand in frames. */
export function Cards({
  children,
  label,
}: {
  readonly children: ReactNode;
  readonly label?: string;
}) {
  return (
    <ul className={styles['cards']} aria-label={label}>
      {children}
    </ul>
  );
}

interface CardProps {
  readonly title: ReactNode;
  /** Of its heading: 3 below a heading that names the list. */
  readonly level?: 2 | 3;
  /** A sentence below the title. */
  readonly about?: ReactNode;
  /** Buttons. */
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

export function Card({ title, level = 2, about, actions, children }: CardProps) {
  const Heading = `h${level}` as const;
  return (
    <li className={styles['card']}>
      <header className={styles['head']}>
        <div className={styles['words']}>
          <Heading className={styles['title']}>{title}</Heading>
          {about !== undefined && <p className={styles['about']}>{about}</p>}
        </div>
        {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
      </header>
      {children}
    </li>
  );
}
