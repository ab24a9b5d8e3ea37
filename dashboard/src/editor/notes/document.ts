/** The editor's document as JSON (`editor.getJSON()`), with the nodes that are written here. */
export interface NotesNode {
  readonly type?: string | undefined;
  readonly text?: string | undefined;
  readonly attrs?: Readonly<Record<string, unknown>> | undefined;
  readonly marks?: readonly NotesMark[] | undefined;
  readonly content?: readonly NotesNode[] | undefined;
}

export interface NotesMark {
  readonly type: string;
  readonly attrs?: Readonly<Record<string, unknown>> | undefined;
}

export function stringAttribute(node: NotesNode | NotesMark, name: string): string {
  const value = node.attrs?.[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Characters that a feed cannot contain. */
export function dropForbidden(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, (character) =>
    character === '\n' || character === '\t' ? character : '',
  );
}
