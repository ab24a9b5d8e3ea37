import { ElementDraft, readAttributes } from './element-draft.ts';

/** An element that we only pass on, while it is being read. It keeps its names as they are written. */
export class ExtraDraft extends ElementDraft {
  readonly writtenName: string;
  readonly writtenAttributes: Readonly<Record<string, string>>;
  /** How many elements it stands in, itself included, from the outermost that is passed on. */
  readonly depth: number;
  readonly outermost: ExtraDraft;
  /** There was more of it than is held, so that none of it is passed on. */
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

  /** Lets go of all that is in it. */
  cut(): void {
    this.isCut = true;
    this.children.length = 0;
  }
}
