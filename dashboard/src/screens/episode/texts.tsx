import { Trans, useLingui } from '@lingui/react/macro';
import { useMemo, useRef, useState } from 'react';
import { feedDescriptionBytes } from '../../../../server/src/lib/limits.ts';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/text-field.tsx';
import { type Notes, NotesField } from '../../editor/notes/notes-field.tsx';
import { hasWordsOf } from '../../editor/notes/notes-shown.ts';
import { formatNumber } from '../../lib/format.ts';
import { useEditing, useField } from './editing.ts';
import { Section } from './section.tsx';

/**
 * The show notes, and the description for apps, which follows the notes until somebody changes it.
 */
export function Texts() {
  const { t } = useLingui();
  const { engine, values, episode, player } = useEditing();
  const { onBlur, isReadOnly } = useField('show_notes_html');
  /** The notes as text, as the editor last reported; undefined until somebody opens it. */
  const [notesText, setNotesText] = useState<string>();
  const latestText = useRef(notesText);
  const hear = (text: string) => {
    latestText.current = text;
    setNotesText(text);
  };
  const change = ({ html, text }: Notes) => {
    const { description } = engine.state.values;
    const follows = description === '' || description === latestText.current;
    hear(text);
    const notes = { show_notes_html: html === '' ? null : html };
    engine.edit(follows ? { ...notes, description: text } : notes);
  };
  return (
    <Section title={t`Show notes and description`}>
      <NotesField
        label={t`Show notes`}
        html={values.show_notes_html ?? ''}
        onChange={change}
        onReady={({ text }) => hear(text)}
        onBlur={onBlur}
        {...(episode.audio !== null && {
          currentTime: () => player?.state.seconds ?? 0,
          onTimestamp: (seconds: number) => player?.seek(seconds),
        })}
        isReadOnly={isReadOnly}
        key={episode.id}
      />
      <Description notesText={notesText} />
    </Section>
  );
}

function Description({ notesText }: { readonly notesText: string | undefined }) {
  const { t } = useLingui();
  const field = useField('description');
  const bytes = new TextEncoder().encode(field.value.trim()).length;
  const [used, most] = [formatNumber(bytes), formatNumber(feedDescriptionBytes)];
  const { values } = useEditing();
  const html = values.show_notes_html ?? '';
  const hasWords = useMemo(() => hasWordsOf(html, field.value), [html, field.value]);
  const differs = notesText === undefined ? !hasWords : notesText !== field.value;
  const follows = !differs || field.value === '';
  return (
    <>
      <TextField
        {...field}
        label={t`Description for apps`}
        rows={5}
        hint={
          bytes > feedDescriptionBytes ? (
            <Trans>
              {used} of {most} bytes: apps will cut it off.
            </Trans>
          ) : follows ? (
            <Trans>
              {used} of {most} bytes. Plain text; it follows the show notes until you edit it.
            </Trans>
          ) : (
            <Trans>
              {used} of {most} bytes. Separate text: it doesn’t follow the show notes.
            </Trans>
          )
        }
      />
      {differs && !field.isReadOnly && (
        <Button
          size="small"
          onPress={async () => field.onChange(notesText ?? (await textOf(html)))}
        >
          <Trans>Use show notes</Trans>
        </Button>
      )}
    </>
  );
}

async function textOf(html: string): Promise<string> {
  const { textOfHtml } = await import('../../editor/notes/read-notes.ts');
  return textOfHtml(html);
}
