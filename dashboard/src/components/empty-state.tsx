import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

interface Props {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  /** Nothing else stands on the page. */
  readonly isPage?: boolean;
}

/** Shown if there is nothing yet: why, and what to do. */
export function EmptyState({ title, children, action, isPage = false }: Props) {
  return (
    <section className={styles['empty']}>
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children !== undefined && <div className={styles['text']}>{children}</div>}
      {action !== undefined && <div className={styles['action']}>{action}</div>}
    </section>
  );
}
