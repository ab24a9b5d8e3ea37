import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type PeopleOfShow, peopleQuery, type ShowSettings } from '../../api/show-settings.ts';
import { Button } from '../../components/button.tsx';
import { Cards } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { Notice } from '../../components/notice.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { AddPerson } from './add-person.tsx';
import { Conflict } from './conflict.tsx';
import { PausedNotice, Unsaved } from './draft-form.tsx';
import { fieldsOf, type ListedPerson, namesOf, newPerson, peopleOf } from './listed-person.ts';
import { PersonCard } from './person-card.tsx';
import styles from './show.module.css';
import { ShowPage } from './show-page.tsx';
import { usePeopleDraft } from './use-people-draft.ts';

/** The people who make the show, and those who are credited. */
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
      <QueryView query={query}>{(saved) => <List show={show} saved={saved} />}</QueryView>
    </div>
  );
}

interface Props {
  readonly show: ShowSettings;
  readonly saved: PeopleOfShow;
}

function List({ show, saved }: Props) {
  const { t } = useLingui();
  const draft = usePeopleDraft(show, saved);
  if (draft === undefined) return null;
  const { state } = draft;
  const list = peopleOf(state.values);
  const setList = (people: readonly ListedPerson[]) => draft.edit(fieldsOf(people));
  const replace = (index: number, person: ListedPerson) => setList(list.with(index, person));
  function move(index: number, step: -1 | 1) {
    const [person, other] = [list[index], list[index + step]];
    if (person === undefined || other === undefined) return;
    setList(list.with(index, other).with(index + step, person));
  }
  return (
    <>
      {list.length === 0 && <EmptyState title={t`Nobody yet`} />}
      <Cards label={t`People`}>
        {list.map((person, index) => (
          <PersonCard
            key={person.id}
            show={show}
            person={person}
            saved={saved.people.find(({ id }) => id === person.id)}
            index={index}
            isLast={index === list.length - 1}
            error={draft.error}
            onChange={(changed) => replace(index, changed)}
            onMove={(step) => move(index, step)}
            onRemove={() => setList(list.filter((one) => one !== person))}
          />
        ))}
      </Cards>
      <AddPerson onAdd={(name) => setList([...list, newPerson(name)])} />
      <Conflict draft={draft} describe={(_field, people) => namesOf(people)} />
      <PausedNotice draft={draft} />
      {draft.error !== null && state.status !== 'paused' && (
        <Notice tone="bad">
          <FailureText error={draft.error} />
        </Notice>
      )}
      {state.dirty && (
        <div className={styles['bar']}>
          <Button kind="primary" isPending={state.status === 'saving'} onPress={draft.save}>
            <Trans>Save</Trans>
          </Button>
          <Unsaved draft={draft} />
        </div>
      )}
    </>
  );
}
