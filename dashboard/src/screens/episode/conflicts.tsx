import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { episodeChangesQuery } from '../../api/episode.ts';
import type { Chapter } from '../../api/recording.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { useTaxonomyNames } from '../../components/taxonomy-names.ts';
import type { FieldValue } from '../../editor/fields.ts';
import { compareWords } from '../../lib/compare-words.ts';
import { formatDuration, formatNumber } from '../../lib/format.ts';
import { tryReadField } from '../../waveform/transcript/segment-fields.ts';
import type { Credit } from './credit.ts';
import { useEditing } from './editing.ts';
import styles from './episode.module.css';
import type { FieldName } from './episode-fields.ts';

/** Further ones are shown after these are decided. */
const mostShown = 20;

/**
 * Fields that others changed, too: who, and a dialog with both texts beside each other. It opens
 * only when it is requested, because the person may be typing.
 */
export function Conflicts() {
  const { t } = useLingui();
  const { state, episode } = useEditing();
  const [isOpen, setOpen] = useState(false);
  const fields = Object.keys(state.overlaps);
  const { data: changes } = useQuery({
    ...episodeChangesQuery(episode.id, state.revision),
    enabled: fields.length > 0,
  });
  const describe = useDescription();
  if (fields.length === 0) return null;
  const changeOf = (field: string) => {
    // The server names a transcript as a whole.
    const name = tryReadField(field) === undefined ? field : 'transcript';
    return changes?.find((change) => change.field === name);
  };
  const [first = ''] = fields;
  return (
    <>
      <span role="status" className={styles['conflict']}>
        {describe(first, fields.length - 1, changeOf(first))}
      </span>
      <Button size="small" onPress={() => setOpen(true)}>
        <Trans>Compare</Trans>
      </Button>
      <Dialog
        isOpen={isOpen}
        isWide
        title={t`You both changed this`}
        onClose={() => setOpen(false)}
      >
        <p>
          <Trans>Nothing is lost. Choose a version for each field.</Trans>
        </p>
        {fields.slice(0, mostShown).map((field) => {
          const change = changeOf(field);
          const by = change?.by_you === true ? undefined : (change?.by ?? undefined);
          return <Overlap key={field} field={field} by={by} />;
        })}
      </Dialog>
    </>
  );
}

interface Change {
  readonly by: string | null;
  readonly by_you: boolean;
}

/** `Ana changed Subtitle`, with the number of the other fields. */
function useDescription(): (field: string, others: number, change?: Change) => string {
  const { t } = useLingui();
  const nameOf = useFieldName();
  return (field, others, change) => {
    const name = nameOf(field);
    const by = change?.by ?? null;
    const what =
      others === 0
        ? name
        : plural(others, {
            one: `${name} and # other field`,
            other: `${name} and # other fields`,
          });
    if (change?.by_you === true) return t`You changed ${what} in another window`;
    return by === null ? t`${what} changed elsewhere` : t`${by} changed ${what}`;
  };
}

interface Props {
  readonly field: string;
  /** Whose the other version is, if that is known and somebody else. */
  readonly by: string | undefined;
}

/** One field that several people changed: every version, and a decision. */
function Overlap({ field, by }: Props) {
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

type Convert = (html: string) => string;

/** A field's value as a person reads it, show notes without their markup. */
function useShownText(field: string): (value: FieldValue) => string {
  const [convert, setConvert] = useState<Convert>();
  const roleName = useTaxonomyNames();
  const isHtml = field === 'show_notes_html';
  useEffect(() => {
    if (!isHtml) return;
    void import('../../editor/notes/read-notes.ts').then(({ textOfHtml }) => {
      setConvert(() => textOfHtml);
    });
  }, [isHtml]);
  return (value) => {
    const part = textOfPart(field, value, roleName);
    if (part !== undefined) return part;
    if (value === null || typeof value === 'object') return '';
    const text = String(value);
    return isHtml && convert !== undefined ? convert(text) : text;
  };
}

/**
 * Lists as a person reads them, one item in each line. Undefined for all other fields. `roleName`
 * names roles of the taxonomy.
 */
function textOfPart(
  field: string,
  value: FieldValue,
  roleName: (role: string) => string,
): string | undefined {
  if (field === 'chapters') return linesOf(value as readonly Chapter[] | null, lineOfChapter);
  if (field === 'people') {
    const line = ({ name, role }: Credit) => `${name} · ${roleName(role)}`;
    return linesOf(value as readonly Credit[] | null, line);
  }
  return undefined;
}

function linesOf<T>(items: readonly T[] | null, line: (item: T) => string): string {
  return (items ?? []).map(line).join('\n');
}

function lineOfChapter({ start_seconds: start, title, link_url: link, image_url: image }: Chapter) {
  return [formatDuration(start), title, link, image].filter(Boolean).join(' · ');
}

/** A field as its label calls it. */
function useFieldName(): (field: string) => string {
  const { t } = useLingui();
  const names: Readonly<Record<string, string>> = {
    title: t`Title`,
    subtitle: t`Subtitle`,
    slug: t`URL slug`,
    description: t`Description for apps`,
    show_notes_html: t`Show notes`,
    season: t`Season`,
    season_name: t`Season name`,
    episode_number: t`Episode number`,
    episode_display: t`Displayed number`,
    episode_type: t`Type`,
    explicit: t`Explicit`,
    ai_content: t`AI-generated content`,
    itunes_title: t`Title for Apple Podcasts`,
    itunes_block: t`Hidden from Apple Podcasts`,
    link_url: t`Episode web page`,
    share_transcript_with_cohosts: t`Transcript for co-hosts`,
    publish_transcript: t`Public transcript`,
    chapters: t`Chapters`,
    people: t`People`,
  } satisfies Record<FieldName | 'chapters' | 'people', string>;
  return (field) => {
    const segment = tryReadField(field);
    if (segment === undefined) return names[field] ?? field;
    const number = formatNumber(segment.index + 1);
    return segment.name === 'text'
      ? t`Transcript: text of segment ${number}`
      : t`Transcript: speaker of segment ${number}`;
  };
}
