import { podcastTaxonomy } from '../../../../server/src/lib/podcast-taxonomy.ts';
import { useTaxonomyNames } from '../../components/taxonomy-names.ts';
import type { Credit } from './credit.ts';
import styles from './episode.module.css';

type Term = Pick<Credit, 'role' | 'group'>;

interface Props {
  readonly label: string;
  readonly value: Term;
  readonly isDisabled: boolean;
  readonly onChange: (term: Term) => void;
}

/** A role of the Podcasting 2.0 taxonomy. */
export function RoleSelect({ label, value, isDisabled, onChange }: Props) {
  const nameOf = useTaxonomyNames();
  const { role, group } = value;
  const isKnown = groups.some(([name, roles]) => name === group && roles.includes(role));
  return (
    <select
      className={styles['role']}
      aria-label={label}
      value={keyOf(value)}
      disabled={isDisabled}
      onChange={({ target }) => onChange(termOf(target.value))}
    >
      {!isKnown && <option value={keyOf(value)}>{nameOf(role)}</option>}
      {groups.map(([name, roles]) => (
        <optgroup key={name} label={nameOf(name)}>
          {roles.map((one) => (
            <option key={one} value={keyOf({ role: one, group: name })}>
              {nameOf(one)}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}

/** Two groups have an editor, so a role is chosen together with its group. */
const keyOf = ({ role, group }: Term) => `${group}/${role}`;

function termOf(key: string): Term {
  const [group = '', role = ''] = key.split('/');
  return { group, role };
}

/** The taxonomy spells one group and one role in two ways. */
const groups = Object.entries(podcastTaxonomy)
  .filter(([group]) => group !== 'misc.')
  .map(([group, roles]) => [group, roles.filter((role) => role !== 'translater')] as const);
