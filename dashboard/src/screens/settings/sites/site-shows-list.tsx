import { Plural, Trans } from '@lingui/react/macro';
import type { Site } from '../../../api/sites.ts';
import { useShowState } from './site-words.tsx';
import styles from './sites.module.css';

/**
 * The shows that a site may read. Shows that the person no longer works on are only counted, like
 * those that a list of sites leaves out.
 */
export function SiteShowsList({ of: { shows, show_count: count } }: { readonly of: Site }) {
  const stateOf = useShowState();
  const known = shows.filter(({ title }) => title !== null);
  const others = shows.length - known.length;
  const rest = count - shows.length;
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
      {rest > 0 && (
        <li className={styles['muted']}>
          <Plural value={rest} one="and one more" other="and # more" />
        </li>
      )}
    </ul>
  );
}
