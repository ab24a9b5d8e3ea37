import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { podcastTaxonomy } from '../../../../server/src/lib/podcast-taxonomy.ts';
import { type EpisodePeople, episodePeopleQuery } from '../../api/episode.ts';
import { loadFailure } from '../../api/load-failure.ts';
import { Button } from '../../components/button.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { Loading } from '../../components/loading.tsx';
import { Notice } from '../../components/notice.tsx';
import { useTaxonomyNames } from '../../components/taxonomy-names.ts';
import { AddPerson } from './add-person.tsx';
import type { Credit } from './credit.ts';
import { useEditing, usePart } from './editing.ts';
import styles from './episode.module.css';
import { PartProblem } from './part-problem.tsx';
import { Section } from './section.tsx';

/** The people who are credited on the episode; if none are, those on the show's roster. */
export function People() {
  const { t } = useLingui();
  const { episode } = useEditing();
  const query = useQuery(episodePeopleQuery(episode.id));
  const { data } = query;
  const failure = loadFailure(query);
  return (
    <Section title={t`People`}>
      {data === undefined && failure !== null && (
        <Notice tone="bad">
          <FailureText error={failure} />
        </Notice>
      )}
      {data === undefined ? (
        failure === null && <Loading label={t`Loading…`} />
      ) : (
        <Credits loaded={data} />
      )}
    </Section>
  );
}

function Credits({ loaded }: { readonly loaded: EpisodePeople }) {
  const { episode } = useEditing();
  const { known, revision } = loaded;
  const people = usePart<readonly Credit[]>('people', { value: loaded.people, revision });
  const { value: credits, onChange: change } = people;
  const roster = known.filter((person) => person.roster).map(({ name }) => name);
  return (
    <>
      {credits.length === 0 && (
        <p className="meta">
          {roster.length === 0 ? (
            <Trans>Nobody is credited.</Trans>
          ) : (
            <Trans>Same as the show: {roster.join(', ')}.</Trans>
          )}
        </p>
      )}
      <ul className={styles['people']}>
        {credits.map((credit, index) => (
          <CreditRow
            key={`${credit.name} ${credits.slice(0, index).filter(isOf(credit)).length}`}
            credit={credit}
            isReadOnly={!episode.may.people}
            onChange={(next) => change(credits.with(index, next))}
            onRemove={() => change(credits.toSpliced(index, 1))}
          />
        ))}
      </ul>
      {episode.may.people && (
        <AddPerson known={known} credits={credits} onAdd={(one) => change([...credits, one])} />
      )}
      <PartProblem>{people.problem}</PartProblem>
    </>
  );
}

/** A new person has no id until they are saved; the row must stay the same afterwards. */
const isOf = (one: Credit) => (other: Credit) => one.name === other.name;

interface RowProps {
  readonly credit: Credit;
  readonly isReadOnly: boolean;
  readonly onChange: (credit: Credit) => void;
  readonly onRemove: () => void;
}

function CreditRow({ credit, isReadOnly, onChange, onRemove }: RowProps) {
  const { t } = useLingui();
  return (
    <li>
      <span dir="auto">{credit.name}</span>
      <RoleSelect
        label={t`Role of ${credit.name}`}
        value={credit}
        isDisabled={isReadOnly}
        onChange={(term) => onChange({ ...credit, ...term })}
      />
      {!isReadOnly && (
        <Button kind="quiet" size="icon" aria-label={t`Remove ${credit.name}`} onPress={onRemove}>
          <X size={18} aria-hidden="true" />
        </Button>
      )}
    </li>
  );
}

type Term = Pick<Credit, 'role' | 'group'>;

interface Props {
  readonly label: string;
  readonly value: Term;
  readonly isDisabled: boolean;
  readonly onChange: (term: Term) => void;
}

/** A role of the Podcasting 2.0 taxonomy. */
function RoleSelect({ label, value, isDisabled, onChange }: Props) {
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
