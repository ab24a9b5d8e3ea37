import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { type EpisodePeople, episodePeopleQuery, setEpisodePeople } from '../../api/episode.ts';
import { Button } from '../../components/button.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { Loading } from '../../components/loading.tsx';
import { Notice } from '../../components/notice.tsx';
import { AddPerson } from './add-person.tsx';
import { useEditing } from './editing.ts';
import styles from './episode.module.css';
import { RoleSelect } from './role-select.tsx';
import { Section } from './section.tsx';
import { useAct } from './use-act.ts';

/** Somebody who is credited; without an id, a person whom the show does not know yet. */
export interface Credit {
  readonly person_id?: string;
  readonly name: string;
  readonly role: string;
}

/** Who is heard or has worked on the episode. Nobody named: those who are on the show's roster. */
export function People() {
  const { t } = useLingui();
  const { episode } = useEditing();
  const { data, error } = useQuery(episodePeopleQuery(episode.id));
  return (
    <Section title={t`People`}>
      {error !== null && (
        <Notice tone="bad">
          <FailureText error={error} />
        </Notice>
      )}
      {data === undefined ? (
        error === null && <Loading label={t`Loading…`} />
      ) : (
        <Credits key={data.revision} people={data} />
      )}
    </Section>
  );
}

function Credits({ people: { people, known } }: { readonly people: EpisodePeople }) {
  const { t } = useLingui();
  const { episode } = useEditing();
  const { credits, change, save, isDirty, isPending, failure } = useCredits(people);
  const roster = known.filter((person) => person.roster).map(({ name }) => name);
  return (
    <>
      {credits.length === 0 && (
        <p className="meta">
          {roster.length === 0 ? (
            <Trans>Nobody is credited.</Trans>
          ) : (
            <Trans>As on the whole show: {roster.join(', ')}.</Trans>
          )}
        </p>
      )}
      <ul className={styles['people']}>
        {credits.map((credit, index) => (
          <li key={`${credit.person_id ?? ''} ${credit.name}`}>
            <span dir="auto">{credit.name}</span>
            <RoleSelect
              label={t`Role of ${credit.name}`}
              value={credit.role}
              onChange={(role) => change(credits.with(index, { ...credit, role }))}
            />
            <Button
              kind="quiet"
              size="icon"
              aria-label={t`Remove ${credit.name}`}
              onPress={() => change(credits.toSpliced(index, 1))}
            >
              <X size={18} aria-hidden="true" />
            </Button>
          </li>
        ))}
      </ul>
      {failure !== undefined && (
        <Notice tone="bad">
          <FailureText error={failure} />
        </Notice>
      )}
      {episode.may.people && (
        <div className={styles['actions']}>
          <AddPerson known={known} credits={credits} onAdd={(one) => change([...credits, one])} />
          {isDirty && (
            <Button kind="primary" onPress={save} isPending={isPending}>
              <Trans>Save people</Trans>
            </Button>
          )}
        </div>
      )}
    </>
  );
}

function useCredits(people: EpisodePeople['people']) {
  const { episode } = useEditing();
  const queries = useQueryClient();
  const act = useAct();
  const [changed, setChanged] = useState<readonly Credit[]>();
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const credits: readonly Credit[] = changed ?? people;
  async function save() {
    setPending(true);
    setFailure(undefined);
    try {
      const body = { people: credits.map(toWire) };
      await act((revision) => setEpisodePeople(episode.id, revision, body));
      const { queryKey } = episodePeopleQuery(episode.id);
      await queries.invalidateQueries({ queryKey });
      setChanged(undefined);
    } catch (error) {
      setFailure(error);
    } finally {
      setPending(false);
    }
  }
  return { credits, change: setChanged, save, isDirty: changed !== undefined, isPending, failure };
}

const toWire = ({ person_id, name, role }: Credit) =>
  person_id === undefined ? { name, role } : { person_id, role };
