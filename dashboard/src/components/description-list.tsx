import type { ReactNode } from 'react';
import styles from './description-list.module.css';

/** Facts by name; those without a value are left out. */
export function DescriptionList({
  of,
}: {
  readonly of: readonly (readonly [string, ReactNode])[];
}) {
  const known = of.filter(([, value]) => value !== undefined && value !== null && value !== false);
  return (
    <dl className={styles['list']}>
      {known.map(([name, value]) => (
        <div key={name} className={styles['pair']}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
