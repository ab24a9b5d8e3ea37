import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { Button } from '../../components/button.tsx';
import type { FieldValue } from '../../editor/fields.ts';
import { compareWords } from '../../lib/compare-words.ts';
import { useEditing } from './editing.ts';
import styles from './episode.module.css';
import { useFieldName } from './field-names.ts';
import { useShownText } from './use-shown-text.ts';

interface Props {
  readonly field: string;
  /** Whose the other version is, if that is known and somebody else. */
  readonly by: string | undefined;
}

/** One field that several people changed: every version, and a decision. */
export function Overlap({ field, by }: Props) {
  const { t } = useLingui();
  const { engine, state } = useEditing();
  const name = useFieldName()(field);
  const textOf = useShownText(field);
  const seen = state.overlaps[field] ?? [];
  const mine = state.values[field] ?? null;
  const decide = (value: FieldValue) => void engine.decide({ field, value, seen });
  return (
    <section className={styles['overlap']} aria-label={name}>
      <h3>{name}</h3>
      <div className={styles['sides']}>
        <Side title={t`Yours`} text={textOf(mine)} other={textOf(seen[0] ?? null)}>
          <Button size="small" kind="primary" onPress={() => decide(mine)}>
            <Trans>Keep mine</Trans>
          </Button>
        </Side>
        {seen.map((theirs) => (
          <Side
            key={JSON.stringify(theirs)}
            title={by ?? t`Theirs`}
            text={textOf(theirs)}
            other={textOf(mine)}
          >
            <Button size="small" onPress={() => decide(theirs)}>
              <Trans>Keep theirs</Trans>
            </Button>
          </Side>
        ))}
      </div>
      {field === 'show_notes_html' ? (
        <Button size="small" kind="quiet" onPress={() => decide(joined([mine, ...seen]))}>
          <Trans>Keep both</Trans>
        </Button>
      ) : (
        typeof mine === 'string' && (
          <ThirdVersion name={name} texts={[mine, ...seen]} onDone={decide} />
        )
      )}
    </section>
  );
}

const joined = (texts: readonly FieldValue[]) =>
  texts.filter((text) => typeof text === 'string').join('\n');

interface ThirdVersionProps {
  readonly name: string;
  readonly texts: readonly FieldValue[];
  readonly onDone: (text: string) => void;
}

function ThirdVersion({ name, texts, onDone }: ThirdVersionProps) {
  const { t } = useLingui();
  const [text, setText] = useState<string>();
  if (text === undefined) {
    return (
      <Button size="small" kind="quiet" onPress={() => setText(joined(texts))}>
        <Trans>Write a new version</Trans>
      </Button>
    );
  }
  return (
    <div className={styles['third']}>
      <textarea
        aria-label={t`${name}: your new version`}
        value={text}
        rows={6}
        dir="auto"
        onChange={({ target }) => setText(target.value)}
      />
      <Button size="small" kind="primary" onPress={() => onDone(text)}>
        <Trans>Use this version</Trans>
      </Button>
    </div>
  );
}

interface SideProps {
  readonly title: string;
  readonly text: string;
  readonly other: string;
  readonly children: ReactNode;
}

/** One version, with marks at text that the other one does not have. */
function Side({ title, text, other, children }: SideProps) {
  const { t } = useLingui();
  return (
    <div className={styles['option']}>
      <h4 dir="auto">{title}</h4>
      <pre dir="auto">
        {text === '' && t`(empty)`}
        {compareWords(text, other).map((part, index) => {
          const key = `${index} ${part.text}`;
          return part.isOwn ? (
            <mark key={key}>{part.text}</mark>
          ) : (
            <span key={key}>{part.text}</span>
          );
        })}
      </pre>
      {children}
    </div>
  );
}
