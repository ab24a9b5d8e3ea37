import type { ReactNode } from 'react';
import { useTitle } from '../lib/use-title.ts';
import styles from './page.module.css';

interface Props {
  readonly title: string;
  /** Of the show that the screen belongs to, for the window's title. */
  readonly within?: string | undefined;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
  readonly isNarrow?: boolean;
  readonly children: ReactNode;
}

/** A screen: its title, the actions beside it, its content. */
export function Page({ title, within, actions, isNarrow, children }: Props) {
  useTitle(title, within);
  return (
    <div className={`${styles['page']} ${isNarrow === true ? styles['narrow'] : ''}`}>
      <header className={styles['head']}>
        <h1 dir="auto">{title}</h1>
        {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
