import { type Editor, useEditor } from '@tiptap/react';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { cleanBody, cleanHtml } from './clean-html.ts';
import { parseHtml } from './disarm-html.ts';
import { createExtensions } from './extensions.ts';
import type { NotesProps } from './notes-field.tsx';
import { readNotes, showsAllOf } from './read-notes.ts';

interface Options extends NotesProps {
  readonly labelledBy: string;
}

interface NotesEditing {
  readonly editor: Editor;
  /** False: the notes contain something that the editor would lose. */
  readonly showsAll: boolean;
}

/**
 * An editor of `html`. If others change the field, its content is replaced; its own changes do not
 * replace it.
 */
export function useNotesEditor(options: Options): NotesEditing {
  const { html, labelledBy, isReadOnly = false } = options;
  const latest = useRef(options);
  latest.current = options;
  const written = useRef(html);
  const extensions = useMemo(
    () => createExtensions({ onTimestamp: (seconds) => latest.current.onTimestamp?.(seconds) }),
    [],
  );
  const editor = useEditor({
    extensions,
    content: cleanHtml(html).html,
    editable: !isReadOnly,
    // The page's policy refuses styles from scripts; they are in notes.module.css.
    injectCSS: false,
    textDirection: 'auto',
    editorProps: {
      attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-labelledby': labelledBy },
      transformPastedHTML: cleanPasted,
    },
    onUpdate: ({ editor: changed }) => {
      const notes = readNotes(changed.getJSON());
      written.current = notes.html;
      latest.current.onChange(notes);
    },
  });
  // Before the first change.
  useLayoutEffect(() => latest.current.onReady?.(readNotes(editor.getJSON())), [editor]);
  useEffect(() => {
    if (html === written.current) return;
    written.current = html;
    editor.commands.setContent(cleanHtml(html).html, { emitUpdate: false });
  }, [editor, html]);
  useEffect(() => editor.setEditable(!isReadOnly, false), [editor, isReadOnly]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: checked once, for the opened notes.
  const showsAll = useMemo(() => showsAllOf(html, editor.getJSON()), []);
  return { editor, showsAll };
}

/** Converts text that was copied in a word processor or on a page to show notes. */
function cleanPasted(html: string): string {
  const body = parseHtml(html);
  makeWordLists(body);
  for (const element of [...body.querySelectorAll('[data-style], b')].reverse()) {
    readStyle(element);
  }
  return cleanBody(body).html.replaceAll('&nbsp;', ' ');
}

/** Word processors use styles instead of elements. Google Docs puts a `b` around everything. */
function readStyle(element: Element): void {
  const style = stylesOf(element);
  const fontWeight = style.get('font-weight') ?? '';
  const decoration = style.get('text-decoration-line') ?? style.get('text-decoration') ?? '';
  const name = element.localName;
  const isBold = /^(bold|bolder|[6-9]00)$/.test(fontWeight);
  const tags = [
    isBold && name === 'span' ? 'strong' : '',
    style.get('font-style') === 'italic' && name === 'span' ? 'em' : '',
    // A link is underlined anyway.
    decoration.includes('underline') && element.closest('a') === null && name === 'span' ? 'u' : '',
    decoration.includes('line-through') ? 's' : '',
    style.get('vertical-align') === 'super' ? 'sup' : '',
    style.get('vertical-align') === 'sub' ? 'sub' : '',
  ].filter((tag) => tag !== '');
  for (const tag of tags) wrapContent(element, tag);
  const isOnlyAWrapper = name === 'b' && /^(normal|[1-5]00)$/.test(fontWeight);
  if (isOnlyAWrapper) element.replaceWith(...element.childNodes);
}

function stylesOf(element: Element): ReadonlyMap<string, string> {
  const declarations = (element.getAttribute('data-style') ?? '').toLowerCase().split(';');
  return new Map(
    declarations.map((declaration) => {
      const [name = '', value = ''] = declaration.split(':', 2);
      return [name.trim(), value.trim()];
    }),
  );
}

function wrapContent(element: Element, tag: string): void {
  const wrapper = element.ownerDocument.createElement(tag);
  wrapper.append(...element.childNodes);
  element.append(wrapper);
}

/** Word writes lists as paragraphs with a style and a typed bullet. */
function makeWordLists(body: HTMLElement): void {
  let lists: HTMLElement[] = [];
  for (const paragraph of body.querySelectorAll<HTMLElement>('p')) {
    const level = levelOf(paragraph);
    if (level === undefined) {
      lists = [];
      continue;
    }
    const marker = takeMarker(paragraph);
    const item = body.ownerDocument.createElement('li');
    item.append(...paragraph.childNodes);
    lists = lists.slice(0, level);
    while (lists.length < level) {
      const list = body.ownerDocument.createElement(/\w[.)]/.test(marker) ? 'ol' : 'ul');
      const parent = lists.at(-1);
      if (parent === undefined) paragraph.before(list);
      else (parent.lastElementChild ?? parent).append(list);
      lists.push(list);
    }
    lists.at(-1)?.append(item);
    paragraph.remove();
  }
}

const mostLevels = 9;

function levelOf(paragraph: HTMLElement): number | undefined {
  const level = /mso-list:[^;]{0,40}?level(\d)/i.exec(
    paragraph.getAttribute('data-style') ?? '',
  )?.[1];
  return level === undefined ? undefined : Math.min(mostLevels, Math.max(1, Number(level)));
}

/** The bullet or number that Word writes for browsers without its lists. */
function takeMarker(paragraph: HTMLElement): string {
  const marker = paragraph.querySelector(
    '[data-style*="mso-list:Ignore" i], [data-style*="mso-list: Ignore" i]',
  );
  const text = marker?.textContent ?? '';
  marker?.remove();
  return text.trim();
}
