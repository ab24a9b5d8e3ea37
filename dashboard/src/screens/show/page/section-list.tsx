import { useLingui } from '@lingui/react/macro';
import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { podcastFields } from '../../../../../server/src/lib/fields/podcast-fields.ts';
import { Button } from '../../../components/button.tsx';
import { Checkbox } from '../../../components/checkbox.tsx';
import styles from './listen-page.module.css';

const { choices, always } = podcastFields.pageSections;
type Kind = (typeof choices)[number];

interface Props {
  /** Those that are shown, in their order. */
  readonly sections: readonly Kind[];
  readonly onChange: (sections: readonly Kind[]) => void;
}

/** The sections of the page. They are moved with the pointer or with buttons, and can be hidden. */
export function SectionList({ sections, onChange }: Props) {
  const { t } = useLingui();
  const nameOf = useSectionName();
  const [dragged, setDragged] = useState<Kind>();
  const [said, setSaid] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const pressed = useRef<string>(undefined);
  // A row that moves in the document loses the focus, and its button may have been disabled.
  useEffect(() => {
    const [kind, way] = pressed.current?.split(' ') ?? [];
    pressed.current = undefined;
    const row = list.current?.querySelector(`[data-section="${kind}"]`);
    const buttons = row?.querySelectorAll<HTMLButtonElement>('button') ?? [];
    const [up, down] = buttons;
    const [wanted, other] = way === 'up' ? [up, down] : [down, up];
    (wanted?.disabled === true ? other : wanted)?.focus();
  });
  const move = (kind: Kind, to: number) => {
    const others = sections.filter((one) => one !== kind);
    onChange(others.toSpliced(to, 0, kind));
    const [name, place, count] = [nameOf(kind), to + 1, sections.length];
    setSaid(t`${name}: ${place} of ${count}`);
  };
  const show = (kind: Kind, isShown: boolean) =>
    onChange(isShown ? [...sections, kind] : sections.filter((one) => one !== kind));
  const hidden = choices.filter((kind) => !sections.includes(kind));
  return (
    <>
      <ol ref={list} className={styles['sections']} aria-label={t`Sections`}>
        {sections.map((kind, index) => {
          const name = nameOf(kind);
          return (
            <li
              key={kind}
              data-section={kind}
              data-dragged={dragged === kind || undefined}
              draggable
              onDragStart={({ dataTransfer }) => {
                dataTransfer.setData('text/plain', name);
                dataTransfer.effectAllowed = 'move';
                setDragged(kind);
              }}
              onDragOver={(event) => {
                if (dragged === undefined) return;
                event.preventDefault();
                if (dragged !== kind) move(dragged, index);
              }}
              onDrop={(event) => event.preventDefault()}
              onDragEnd={() => setDragged(undefined)}
            >
              <GripVertical size={18} aria-hidden="true" className={styles['grip']} />
              <Shown kind={kind} isShown onChange={show} />
              <Button
                kind="quiet"
                size="icon"
                aria-label={t`Move up: ${name}`}
                isDisabled={index === 0}
                onPress={() => {
                  pressed.current = `${kind} up`;
                  move(kind, index - 1);
                }}
              >
                <ArrowUp size={18} aria-hidden="true" />
              </Button>
              <Button
                kind="quiet"
                size="icon"
                aria-label={t`Move down: ${name}`}
                isDisabled={index === sections.length - 1}
                onPress={() => {
                  pressed.current = `${kind} down`;
                  move(kind, index + 1);
                }}
              >
                <ArrowDown size={18} aria-hidden="true" />
              </Button>
            </li>
          );
        })}
      </ol>
      {hidden.length > 0 && (
        <ul className={styles['sections']} aria-label={t`Hidden sections`}>
          {hidden.map((kind) => (
            <li key={kind}>
              <Shown kind={kind} isShown={false} onChange={show} />
            </li>
          ))}
        </ul>
      )}
      <span className="unseen" role="status">
        {said}
      </span>
    </>
  );
}

interface ShownProps {
  readonly kind: Kind;
  readonly isShown: boolean;
  readonly onChange: (kind: Kind, isShown: boolean) => void;
}

function Shown({ kind, isShown, onChange }: ShownProps) {
  const nameOf = useSectionName();
  return (
    <Checkbox
      isSelected={isShown}
      isDisabled={kind === always}
      onChange={(value) => onChange(kind, value)}
    >
      {nameOf(kind)}
    </Checkbox>
  );
}

function useSectionName(): (kind: Kind) => string {
  const { t } = useLingui();
  const names: Readonly<Record<Kind, string>> = {
    about: t`About the show`,
    episodes: t`Episodes`,
    people: t`People`,
    links: t`Links`,
    podroll: t`Recommended shows`,
    support: t`Support`,
    text: t`Your own text`,
  };
  return (kind) => names[kind];
}
