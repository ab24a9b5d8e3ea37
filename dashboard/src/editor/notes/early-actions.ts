import type { Editor } from '@tiptap/react';
import type { ToolId } from './use-tool-names.ts';

/** Actions of the person while the editor was loading. */
export type EarlyAction =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'key'; readonly press: KeyboardEventInit }
  | { readonly kind: 'paste'; readonly html: string; readonly text: string }
  | { readonly kind: 'tool'; readonly tool: ToolId }
  | { readonly kind: 'source' };

/** The state of the notes when the editor replaced them. */
export interface EarlyPosition {
  readonly scrollTop: number;
  /** Both ends of the selection, from the corner of the text; absent if it was elsewhere. */
  readonly selection: readonly [Point, Point] | undefined;
  /** The label of the focused button of the toolbar; null: the focus is elsewhere. */
  readonly focusedTool: string | null;
}

interface Point {
  readonly left: number;
  readonly top: number;
}

export interface Opening {
  readonly place: EarlyPosition;
  readonly acts: readonly EarlyAction[];
}

export function readPosition(box: HTMLElement): EarlyPosition {
  const { scrollTop } = box;
  const selection = getSelection();
  const focusedTool = findToolbar(box)?.querySelector(':focus')?.ariaLabel ?? null;
  if (selection?.rangeCount !== 1 || !box.contains(selection.anchorNode)) {
    return { scrollTop, selection: undefined, focusedTool };
  }
  const corner = box.getBoundingClientRect();
  const ends = [true, false].map((isStart) => {
    const end = selection.getRangeAt(0).cloneRange();
    end.collapse(isStart);
    // An empty line has no rectangle of its own.
    const parent = end.startContainer instanceof Element ? end.startContainer : box;
    const { left, top, height } = end.getClientRects()[0] ?? parent.getBoundingClientRect();
    return { left: left - corner.left, top: top + Math.min(height, 20) / 2 - corner.top };
  });
  return { scrollTop, selection: [ends[0] as Point, ends[1] as Point], focusedTool };
}

/** Puts the cursor and the focus where they were. */
export function restorePosition(editor: Editor, place: EarlyPosition): void {
  const { scrollTop, selection, focusedTool } = place;
  const { view } = editor;
  view.dom.scrollTop = scrollTop;
  if (selection !== undefined) {
    const corner = view.dom.getBoundingClientRect();
    const [from, to] = selection.map(({ left, top }) =>
      view.posAtCoords({ left: left + corner.left, top: top + corner.top }),
    );
    if (from && to) editor.commands.setTextSelection({ from: from.pos, to: to.pos });
  }
  // Synchronously, because the next key is for what has the focus.
  if (focusedTool !== null) {
    const label = `[aria-label="${CSS.escape(focusedTool)}"]`;
    findToolbar(view.dom)?.querySelector<HTMLElement>(label)?.focus();
  } else if (selection !== undefined) view.focus();
}

/** The toolbar above the text. */
const findToolbar = (text: Element) =>
  text.closest('[role=group]')?.querySelector('[role=toolbar]');

/** Types as a person would: rules for lists and headings apply. */
export function typeText({ view }: Editor, text: string): void {
  for (const character of text) {
    const { from, to } = view.state.selection;
    const insert = () => view.state.tr.insertText(character, from, to);
    const isTaken = view.someProp('handleTextInput', (handle) =>
      handle(view, from, to, character, insert),
    );
    if (isTaken !== true) view.dispatch(insert());
  }
}

export function pressKey({ view }: Editor, press: KeyboardEventInit): void {
  const event = new KeyboardEvent('keydown', press);
  const isTaken = view.someProp('handleKeyDown', (handle) => handle(view, event));
  if (isTaken === true || press.key !== 'Backspace') return;
  // The browser does this automatically for a real key.
  const { from, to, empty } = view.state.selection;
  view.dispatch(view.state.tr.delete(empty ? Math.max(0, from - 1) : from, to));
}
