import { useLingui } from '@lingui/react/macro';
import { Plus, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import {
  type ElementOwner,
  type ElementValues,
  valuesOf,
} from '../../../server/src/lib/fields/feed-elements.ts';
import { wireName } from '../../../server/src/lib/wire-names.ts';
import { problemOf } from '../api/errors.ts';
import { Button } from '../components/button.tsx';
import { Card, Cards } from '../components/card.tsx';
import { Notice } from '../components/notice.tsx';
import styles from './element-list.module.css';
import { ElementValueField, type SimpleValue } from './element-value.tsx';
import { type Entry, entriesOf, nameOfEntry, withValue } from './entry.ts';
import { labelOf } from './say-element.ts';

interface Props {
  readonly owner: ElementOwner;
  /** In the list of the server: `value`, `value.recipients`. */
  readonly path: string;
  /** In the request, for problems: `value`, `value[0].recipients`. */
  readonly field: string;
  readonly label: string;
  readonly values: ElementValues;
  readonly most: number;
  readonly level: 2 | 3;
  readonly entries: readonly Entry[];
  readonly onChange: (entries: readonly Entry[]) => void;
  readonly error: unknown;
}

/** The elements of one name: each in a card with its values. */
export function ElementList(props: Props) {
  const { t } = useLingui();
  const { label, values, most, level, entries, onChange, error, field } = props;
  const { list, focusNew } = useFocusOfNew(entries.length);
  const problem = problemOf(error, field);
  return (
    <div ref={list}>
      {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
      {entries.length > 0 && (
        <Cards label={label}>
          {entries.map((entry, index) => {
            const name = nameOfEntry(values, entry) ?? t`${label}: new entry`;
            return (
              <Card
                // Entries have no ids, and their fields keep no state of their own.
                // biome-ignore lint/suspicious/noArrayIndexKey: see above.
                key={index}
                level={level}
                title={<bdi>{name}</bdi>}
                actions={
                  <Button
                    kind="quiet"
                    size="icon"
                    aria-label={t`Remove: ${name}`}
                    onPress={() => onChange(entries.toSpliced(index, 1))}
                  >
                    <X size={16} aria-hidden="true" />
                  </Button>
                }
              >
                <EntryFields
                  {...props}
                  field={`${field}[${index}]`}
                  entry={entry}
                  onChange={(changed) => onChange(entries.with(index, changed))}
                />
              </Card>
            );
          })}
        </Cards>
      )}
      {entries.length < most && (
        <Button
          size="small"
          aria-label={t`Add: ${label}`}
          onPress={() => {
            focusNew();
            onChange([...entries, {}]);
          }}
        >
          <Plus size={16} aria-hidden="true" />
          {t`Add`}
        </Button>
      )}
    </div>
  );
}

/** A new entry gets the focus, because it is above the button that adds it. */
function useFocusOfNew(count: number) {
  const list = useRef<HTMLDivElement>(null);
  const isWanted = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when the number changes.
  useEffect(() => {
    if (!isWanted.current) return;
    isWanted.current = false;
    const cards = list.current?.querySelectorAll(':scope > ul > li');
    cards
      ?.item(cards.length - 1)
      .querySelector<HTMLElement>('input, select, textarea')
      ?.focus();
  }, [count]);
  return {
    list,
    focusNew: () => {
      isWanted.current = true;
    },
  };
}

interface EntryProps extends Omit<Props, 'entries' | 'onChange' | 'most'> {
  readonly entry: Entry;
  readonly onChange: (entry: Entry) => void;
}

function EntryFields({ owner, path, field, values, entry, onChange, error }: EntryProps) {
  return (
    <div className={styles['fields']}>
      {valuesOf(values, owner).map(([name, spec]) => {
        const wire = wireName(name);
        const change = (value: Entry[string] | undefined) =>
          onChange(withValue(entry, wire, value));
        if (spec.kind === 'elements') {
          const label = labelOf(`${path}.${name}`, spec.label);
          return (
            <fieldset key={name} className={styles['inner']}>
              <legend>{label}</legend>
              <ElementList
                owner={owner}
                path={`${path}.${name}`}
                field={`${field}.${wire}`}
                label={label}
                values={spec.values}
                most={spec.most}
                level={3}
                entries={entriesOf(entry[wire])}
                onChange={(inner) => change(inner.length === 0 ? undefined : inner)}
                error={error}
              />
            </fieldset>
          );
        }
        return (
          <ElementValueField
            key={name}
            path={`${path}.${name}`}
            spec={spec}
            value={entry[wire] as SimpleValue | undefined}
            onChange={change}
            problem={problemOf(error, `${field}.${wire}`)}
          />
        );
      })}
    </div>
  );
}
