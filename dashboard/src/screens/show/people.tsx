import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { maxChars } from '../../../../server/src/lib/limits.ts';
import {
  type PeopleOfShow,
  peopleQuery,
  type ShowSettings,
  setPeople,
} from '../../api/show-settings.ts';
import { Button } from '../../components/button.tsx';
import { Cards } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import fieldStyles from '../../components/field.module.css';
import { Notice } from '../../components/notice.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { showMessage } from '../../components/toasts.ts';
import { Conflict } from '../../editor/conflict.tsx';
import { PausedNotice, Unsaved } from '../../editor/draft-form.tsx';
import { type FormDraft, useFormDraft } from '../../editor/use-form-draft.ts';
import {
  entriesOf,
  fieldsOf,
  type ListedPerson,
  namesOf,
  newPerson,
  peopleOf,
} from './listed-person.ts';
import { PersonCard } from './person-card.tsx';
import { refreshAfterWrite } from './refresh-after-write.ts';
import styles from './show.module.css';
import { ShowPage } from './show-page.tsx';
import { useFieldName } from './use-field-name.ts';

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
          People on the roster are credited on every episode that has no credits of its own. Apps
          show them in this order.
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

/** A show may have thousands of people, and the form of each has some hundred elements. */
const step = 50;

function List({ show, saved }: Props) {
  const { t } = useLingui();
  const nameOf = useFieldName();
  const draft = usePeopleDraft(show, saved);
  const [shown, setShown] = useState(step);
  if (draft === undefined) return null;
  const { state } = draft;
  const list = peopleOf(state.values);
  const listed = list.slice(0, shown);
  const setList = (people: readonly ListedPerson[]) => draft.edit(fieldsOf(people));
  const replace = (index: number, person: ListedPerson) => setList(list.with(index, person));
  function move(index: number, step: -1 | 1) {
    const [person, other] = [list[index], list[index + step]];
    if (person === undefined || other === undefined) return;
    setList(list.with(index, other).with(index + step, person));
  }
  /** Where it is seen: at the end of what is shown. */
  function add(person: ListedPerson) {
    setShown(shown + 1);
    setList(list.toSpliced(listed.length, 0, person));
  }
  const savedById = new Map(saved.people.map((person) => [person.id, person]));
  return (
    <>
      {list.length === 0 && <EmptyState title={t`No people yet`} />}
      <Cards label={t`People`}>
        {listed.map((person, index) => (
          <PersonCard
            key={person.id}
            show={show}
            person={person}
            saved={savedById.get(person.id)}
            index={index}
            isLast={index === list.length - 1}
            error={draft.error}
            onChange={(changed) => replace(index, changed)}
            onMove={(step) => move(index, step)}
            onRemove={() => setList(list.filter((one) => one !== person))}
          />
        ))}
      </Cards>
      {listed.length < list.length && (
        <Button onPress={() => setShown(shown + step)}>{t`Show more`}</Button>
      )}
      <AddPerson onAdd={(name) => add(newPerson(name))} />
      <Conflict draft={draft} nameOf={nameOf} describe={(_field, people) => namesOf(people)} />
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

function AddPerson({ onAdd }: { readonly onAdd: (name: string) => void }) {
  const { t } = useLingui();
  const [name, setName] = useState('');
  function submit(event: FormEvent) {
    event.preventDefault();
    if (name.trim() === '') return;
    onAdd(name.trim());
    setName('');
  }
  return (
    <form className={styles['add']} onSubmit={submit}>
      <input
        className={fieldStyles['input']}
        aria-label={t`Person’s name`}
        placeholder={t`Person’s name`}
        value={name}
        maxLength={maxChars.personName}
        dir="auto"
        onChange={({ target }) => setName(target.value)}
      />
      <Button type="submit">
        <Trans>Add</Trans>
      </Button>
    </form>
  );
}

/** The edited people of a show. */
function usePeopleDraft(show: ShowSettings, saved: PeopleOfShow): FormDraft | undefined {
  const { t } = useLingui();
  const queries = useQueryClient();
  const query = peopleQuery(show.id);
  return useFormDraft<PeopleOfShow>({
    name: `${show.id} people`,
    data: saved,
    fieldsOf: ({ people }) => fieldsOf(people),
    known: () => queries.getQueryData(query.queryKey),
    load: () => queries.fetchQuery({ ...query, staleTime: 0 }),
    write: (patch, last) =>
      setPeople(show.id, last.revision, entriesOf(peopleOf(patch), last.people)),
    onSaved(written) {
      queries.setQueryData(query.queryKey, written);
      void refreshAfterWrite(queries, show.id, written);
      showMessage({ text: t`Saved.` });
    },
  });
}
