import { useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import type { Player } from '../player.ts';
import type { Recording } from '../recording.ts';
import { Waveform } from '../waveform.tsx';
import { type Chapter, changeRow, inOrder, newRow, replaceRows, toChapter } from './chapter.ts';
import { ChapterList } from './chapter-list.tsx';
import { checkRows } from './check-rows.ts';
import { EditorTools } from './editor-tools.tsx';
import { Markers } from './markers.tsx';
import { useRows } from './use-rows.ts';

interface Props {
  /** In order of time. */
  readonly value: readonly Chapter[];
  readonly onChange: (chapters: Chapter[]) => void;
  readonly recording: Recording;
  /** Undefined: there is no audio. */
  readonly player: Player | undefined;
  /** Finds the chapters in the tags of the audio file; absent if we have no copy of it. */
  readonly loadFileChapters?: (() => Promise<readonly Chapter[]>) | undefined;
}

/** Chapters on the waveform and as a list. Every change is reported at once, and can be undone. */
export function ChaptersEditor(props: Props) {
  const { value, onChange, recording, player, loadFileChapters } = props;
  const { duration, peaks } = recording;
  const { t } = useLingui();
  const { rows, change, undo, redo } = useRows(value, (next) => onChange(next.map(toChapter)));
  const [selectedId, select] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  const add = () => {
    const row = newRow(player?.state.seconds ?? rows.at(-1)?.start_seconds ?? 0);
    change(inOrder([...rows, row]));
    select(row.id);
    requestAnimationFrame(() => focusTitle(list.current, row.id));
  };
  const take = (chapters: readonly Chapter[]) => change(replaceRows(rows, chapters));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the buttons inside.
    <div
      ref={list}
      onKeyDown={(event) => {
        if (event.key.toLowerCase() !== 'm' || isTyping(event.target)) return;
        if (!event.ctrlKey && !event.metaKey && !event.altKey) {
          event.preventDefault();
          add();
        }
      }}
    >
      {player !== undefined && (
        <Waveform player={player} peaks={peaks}>
          <Markers
            rows={rows}
            duration={duration}
            selectedId={selectedId}
            onSelect={select}
            onMove={(id, seconds, kind) =>
              change(changeRow(rows, id, { start_seconds: seconds }), kind)
            }
          />
        </Waveform>
      )}
      <EditorTools
        addLabel={player === undefined ? t`Add a chapter` : t`Chapter starts here`}
        length={recording}
        onAdd={add}
        onTake={take}
        loadFileChapters={loadFileChapters}
        undo={undo}
        redo={redo}
      />
      <ChapterList
        rows={rows}
        problems={checkRows(rows, recording)}
        selectedId={selectedId}
        onSelect={select}
        onChange={change}
        player={player}
      />
    </div>
  );
}

function isTyping(target: EventTarget): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}

function focusTitle(list: HTMLElement | null, id: string): void {
  list?.querySelector<HTMLInputElement>(`[data-chapter="${id}"] input[placeholder]`)?.focus();
}
