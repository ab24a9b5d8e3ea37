import { Link, type LinkProps, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import styles from './nav-tabs.module.css';

interface Tab {
  readonly to: NonNullable<LinkProps['to']>;
  readonly params?: LinkProps['params'];
  readonly label: string;
  /** It is current only on its own address, not on those below it. */
  readonly isExact?: boolean;
}

/** Links to the screens that belong together, in one row. */
export function NavTabs({
  label,
  tabs,
}: {
  readonly label: string;
  readonly tabs: readonly Tab[];
}) {
  const list = useRef<HTMLUListElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // Matters if the row is wider than the window.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path decides which tab is current.
  useEffect(() => {
    const current = list.current?.querySelector('[aria-current="page"]');
    current?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [path]);
  return (
    <nav aria-label={label} className={styles['nav']}>
      <ul ref={list} className={`sideways ${styles['tabs']}`}>
        {tabs.map(({ to, params, label: name, isExact = false }) => (
          <li key={to}>
            <Link
              to={to}
              {...(params !== undefined && { params })}
              activeOptions={{ exact: isExact, includeSearch: false }}
              className={styles['tab']}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
