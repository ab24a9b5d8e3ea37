import { podcastTaxonomy } from '../../../../server/src/lib/podcast-taxonomy.ts';
import styles from './episode.module.css';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onChange: (role: string) => void;
}

/** A role of the Podcasting 2.0 taxonomy. Its names are those that apps read, in English. */
export function RoleSelect({ label, value, onChange }: Props) {
  const isKnown = groups.some(([, roles]) => roles.includes(value));
  return (
    <select
      className={styles['role']}
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      {!isKnown && <option value={value}>{value}</option>}
      {groups.map(([group, roles]) => (
        <optgroup key={group} label={group}>
          {roles.map((role) => (
            <option key={role} value={role}>
              {role}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}

/** The taxonomy spells one group in two ways. */
const groups = Object.entries(podcastTaxonomy).filter(([group]) => group !== 'misc.');
