import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import {
  type ElementName,
  type ElementOwner,
  elementsOf,
  feedElements,
} from '../../../server/src/lib/fields/feed-elements.ts';
import { wireName } from '../../../server/src/lib/wire-names.ts';
import { Section } from '../components/section.tsx';
import { asText } from '../editor/conflict.tsx';
import { DraftForm } from '../editor/draft-form.tsx';
import type { Fields, FieldValue } from '../editor/fields.ts';
import type { FormDraft } from '../editor/use-form-draft.ts';
import styles from './element-list.module.css';
import { ElementList } from './element-list.tsx';
import { entriesOf, nameOfEntry } from './entry.ts';
import { aboutOf, labelOf } from './say-element.ts';

interface Props {
  readonly owner: ElementOwner;
  readonly draft: FormDraft;
}

/** All feed elements of a show or an episode, saved together. Only what was changed is sent. */
export function ElementsForm({ owner, draft }: Props) {
  const { values } = draft.state;
  return (
    <>
      <p className={styles['intro']}>
        <Trans>
          Podcasting 2.0 elements of the feed. Apps that don’t know an element ignore it. All of
          this is public.
        </Trans>
      </p>
      <DraftForm
        draft={draft}
        nameOf={nameOfField}
        describe={describe}
        fields={fieldsWithProblems(values)}
        hasBar
      >
        {elementsOf(owner).map(([name, spec]) => {
          const label = labelOf(name, spec.label);
          return (
            <Section key={name} title={label} about={<p>{aboutOf(name, spec.about)}</p>}>
              <ElementList
                owner={owner}
                path={name}
                field={wireName(name)}
                label={label}
                values={spec.values}
                most={spec.most}
                level={3}
                entries={entriesOf(values[wireName(name)])}
                onChange={(entries) => draft.edit({ [wireName(name)]: entries })}
                error={draft.error}
              />
            </Section>
          );
        })}
      </DraftForm>
    </>
  );
}

/** The elements of a show or an episode, as its form has them. */
export function elementFieldsOf(owner: ElementOwner, data: object): Fields {
  const values = new Map<string, unknown>(Object.entries(data));
  const lists = elementsOf(owner).map(([name]) => {
    return [wireName(name), (values.get(wireName(name)) ?? []) as FieldValue];
  });
  return Object.fromEntries(lists);
}

/** `location[0].geo` is about the list `location`. */
export const elementFieldNamed = (field: string): string => field.split(/[.[]/, 1)[0] ?? field;

/** Each value shows its own problem, and each list one about it as a whole. */
function fieldsWithProblems(values: Fields): string[] {
  return Object.entries(values).flatMap(([name, list]) => [
    name,
    ...entriesOf(list).map((_, index) => `${name}[${index}]`),
  ]);
}

const namesOnWire = new Map(
  (Object.keys(feedElements) as ElementName[]).map((name) => [wireName(name), name]),
);

function nameOfField(field: string): string {
  const name = namesOnWire.get(field);
  return name === undefined ? field : labelOf(name, feedElements[name].label);
}

function describe(field: string, value: FieldValue): ReactNode {
  const name = namesOnWire.get(field);
  const entries = entriesOf(value);
  if (name === undefined || entries.length === 0) return asText(field, value);
  const named = entries.flatMap((entry) => nameOfEntry(feedElements[name].values, entry) ?? []);
  return named.length === 0 ? <Trans>(empty)</Trans> : named.join(', ');
}
