import { Plural, Trans } from '@lingui/react/macro';
import type { SiteShow } from '../../../api/sites.ts';
import { useShowState } from './site-words.tsx';
import styles from './sites.module.css';

/** The shows that a site may read. Shows that the person no longer works on are only counted. */
export function SiteShowsList({ shows }: { readonly shows: readonly SiteShow[] }) {
  const stateOf = useShowState();
  const known = shows.filter(({ title }) => title !== null);
  const others = shows.length - known.length;
  if (shows.length === 0) return <Trans>none</Trans>;
  return (
    <ul className={styles['shows']}>
      {known.map(({ id, title, state }) => (
        <li key={id}>
          <bdi>{title}</bdi>
          {stateOf(state) !== undefined && (
            <span className={styles['muted']}> ({stateOf(state)})</span>
          )}
        </li>
      ))}
      {others > 0 && (
        <li className={styles['muted']}>
          <Plural
            value={others}
            one="# show you no longer work on"
            other="# shows you no longer work on"
          />
        </li>
      )}
    </ul>
  );
}
