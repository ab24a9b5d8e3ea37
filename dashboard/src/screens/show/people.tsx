import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  peopleQuery,
  type ShowPerson,
  type ShowSettings,
  setPeople,
} from '../../api/show-settings.ts';
import { Button } from '../../components/button.tsx';
import { Cards } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { Notice } from '../../components/notice.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { showMessage } from '../../components/toasts.ts';
import { newId } from '../../lib/new-id.ts';
import { AddPerson } from './add-person.tsx';
import { Conflict } from './conflict.tsx';
import { PersonCard } from './person-card.tsx';
import styles from './show.module.css';
import { ShowPage } from './show-page.tsx';
import { conflictOf, useShowWrite } from './use-show-write.ts';

/** Somebody on the list; `isNew` until the list is saved. */
export interface ListedPerson extends ShowPerson {
  readonly isNew?: boolean;
}

/** Who makes the show, and who is credited on it. */
export function People() {
  const { t } = useLingui();
  return (
    <ShowPage title={t`People`} needs={({ people }) => people}>
      {(show) => <Loaded show={show} />}
    </ShowPage>
  );
}

function Loaded({ show }: { readonly show: ShowSettings }) {
  const query = useQuery(peopleQuery(show.id));
  return (
    <div className={styles['plain']}>
      <p>
        <Trans>
          Those on the roster are credited on every episode that names nobody itself. Apps show them
          in this order.
        </Trans>
      </p>
      <QueryView query={query}>
        {({ people }) => <List show={show} saved={people} key={JSON.stringify(people)} />}
      </QueryView>
    </div>
  );
}

interface Props {
  readonly show: ShowSettings;
  readonly saved: readonly ShowPerson[];
}

function List({ show, saved }: Props) {
  const { t } = useLingui();
  const { list, setList, write, isDirty, move, replace } = usePeopleList({ show, saved });
  const hasConflict = conflictOf(write.error) !== undefined;
  return (
    <>
      {list.length === 0 && <EmptyState title={t`Nobody yet`} />}
      <Cards label={t`People`}>
        {list.map((person, index) => (
          <PersonCard
            key={person.id}
            person={person}
            index={index}
            isLast={index === list.length - 1}
            error={write.error}
            onChange={(changed) => replace(index, changed)}
            onMove={(step) => move(index, step)}
            onRemove={() => setList(list.filter((one) => one !== person))}
          />
        ))}
      </Cards>
      <AddPerson onAdd={(name) => setList([...list, newPerson(name)])} />
      <Conflict
        show={show}
        error={write.error}
        onOverwrite={write.overwrite}
        onDiscard={() => setList(saved)}
      />
      {write.error !== null && !hasConflict && (
        <Notice tone="bad">
          <FailureText error={write.error} />
        </Notice>
      )}
      {isDirty && (
        <div className={styles['bar']}>
          <Button kind="primary" isPending={write.isPending} onPress={write.save}>
            <Trans>Save</Trans>
          </Button>
          <Button kind="quiet" onPress={() => setList(saved)}>
            <Trans>Discard</Trans>
          </Button>
          <span className="meta">
            <Trans>Not saved yet</Trans>
          </span>
        </div>
      )}
    </>
  );
}

function usePeopleList({ show, saved }: Props) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const [list, setList] = useState<readonly ListedPerson[]>(saved);
  const write = useShowWrite(show, {
    write: (revision) => setPeople(show.id, revision, list.map(toEntry)),
    parts: () => ['people'],
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: peopleQuery(show.id).queryKey });
      showMessage({ text: t`Saved.` });
    },
  });
  const replace = (index: number, person: ListedPerson) => setList(list.with(index, person));
  function move(index: number, step: -1 | 1) {
    const [person, other] = [list[index], list[index + step]];
    if (person === undefined || other === undefined) return;
    setList(list.with(index, other).with(index + step, person));
  }
  return { list, setList, write, isDirty: list !== saved, replace, move };
}

const newPerson = (name: string): ListedPerson => {
  const nothing = { bio: null, link_url: null, user_id: null, photo: null };
  return { id: newId(), name, role: 'host', group: 'cast', roster: true, ...nothing, isNew: true };
};

function toEntry({ id, isNew = false, photo: _, ...person }: ListedPerson) {
  return isNew ? person : { id, ...person };
}
