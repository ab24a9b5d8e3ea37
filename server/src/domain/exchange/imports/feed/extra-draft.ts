import { ElementDraft, readAttributes } from './element-draft.ts';

/** An element that we only pass on, while it is being read. Its names stay as they are written. */
export class ExtraDraft extends ElementDraft {
  readonly writtenName: string;
  readonly writtenAttributes: Readonly<Record<string, string>>;
  /** Its depth, from 1 for the outermost element that is passed on. */
  readonly depth: number;
  readonly outermost: ExtraDraft;
  /** It exceeds a limit, so nothing of it is passed on. */
  isCut = false;

  constructor(
    name: string,
    written: { readonly name: string; readonly attributes: Readonly<Record<string, string>> },
    outer: ExtraDraft | undefined,
  ) {
    super(name, readAttributes(written.attributes));
    this.writtenName = written.name;
    this.writtenAttributes = written.attributes;
    this.depth = outer === undefined ? 1 : outer.depth + 1;
    this.outermost = outer?.outermost ?? this;
  }

  /** Releases everything in it. */
  cut(): void {
    this.isCut = true;
    this.children.length = 0;
  }
}
