import { Trans, useLingui } from '@lingui/react/macro';
import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react';
import { type PointerEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
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

/** The sections of the page. They are moved by their grips or with buttons, and can be hidden. */
export function SectionList({ sections, onChange }: Props) {
  const { t } = useLingui();
  const nameOf = useSectionName();
  const [said, setSaid] = useState('');
  const hiddenId = useId();
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
  const { dragged, grab, listProps } = useDragging(sections, list, move);
  const show = (kind: Kind, isShown: boolean) =>
    onChange(isShown ? [...sections, kind] : sections.filter((one) => one !== kind));
  const hidden = choices.filter((kind) => !sections.includes(kind));
  return (
    <>
      <ol ref={list} className={styles['sections']} aria-label={t`Sections`} {...listProps}>
        {sections.map((kind, index) => {
          const name = nameOf(kind);
          return (
            <li key={kind} data-section={kind} data-dragged={dragged === kind || undefined}>
              <span
                className={styles['grip']}
                aria-hidden="true"
                onPointerDown={(event) => grab(event, kind)}
              >
                <GripVertical size={18} />
              </span>
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
        <>
          <h3 id={hiddenId}>
            <Trans>Hidden sections</Trans>
          </h3>
          <ul className={styles['sections']} aria-labelledby={hiddenId}>
            {hidden.map((kind) => (
              <li key={kind}>
                <Shown kind={kind} isShown={false} onChange={show} />
              </li>
            ))}
          </ul>
        </>
      )}
      <span className="unseen" role="status">
        {said}
      </span>
    </>
  );
}

/** A row follows the pointer, also a finger, while its grip is held. */
function useDragging(
  sections: readonly Kind[],
  list: RefObject<HTMLOListElement | null>,
  move: (kind: Kind, to: number) => void,
) {
  const [dragged, setDragged] = useState<Kind>();
  return {
    dragged,
    grab(event: PointerEvent, kind: Kind) {
      if (event.button !== 0) return;
      // A mouse would select the texts that it passes.
      event.preventDefault();
      // By the list: a row that moves in the document would lose the pointer.
      list.current?.setPointerCapture(event.pointerId);
      setDragged(kind);
    },
    listProps: {
      onPointerMove({ clientY, currentTarget, pointerId }: PointerEvent<HTMLOListElement>) {
        // React may draw a lost capture after the next move.
        if (dragged === undefined || !currentTarget.hasPointerCapture(pointerId)) return;
        const others = [...currentTarget.children].filter(
          (_, index) => sections[index] !== dragged,
        );
        const to = others.filter((row) => middleOf(row) < clientY).length;
        if (to !== sections.indexOf(dragged)) move(dragged, to);
      },
      onLostPointerCapture: () => setDragged(undefined),
    },
  };
}

function middleOf(row: Element): number {
  const { top, height } = row.getBoundingClientRect();
  return top + height / 2;
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
