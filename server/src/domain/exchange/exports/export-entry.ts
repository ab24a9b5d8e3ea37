/** A file of an export. */
export interface ExportEntry {
  /** ASCII, with `/` between folders. */
  readonly path: string;
  readonly modifiedAt: Date;
  readonly content: ExportContent;
}

export type ExportContent =
  | { readonly kind: 'data'; readonly value: object }
  | { readonly kind: 'text'; readonly pieces: readonly (string | Buffer)[] }
  /** A file of the store. */
  | { readonly kind: 'blob'; readonly key: string; readonly sizeBytes: number };
